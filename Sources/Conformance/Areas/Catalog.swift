extension Check {
  /// All checks, by area.
  public static let all: [Check] = [
    DiscoveryChecks.all,
    DescriptionChecks.all,
    ServiceDescriptionChecks.all,
    RequiredPartChecks.all,
    HTTPChecks.all,
    ControlChecks.all,
    EventingChecks.all,
    RenderingControlChecks.all,
    ConnectionManagerChecks.all,
    ContentDirectoryChecks.all,
    MediaResourceChecks.all,
    DirectoryObjectChecks.all,
    AVTransportChecks.all,
    TransportGridChecks.all,
    TransportStateChecks.all,
    MediaURIChecks.all,
    TransportEventChecks.all,
    PositionChecks.all,
    SeekChecks.all,
    TransportFailureChecks.all,
    JoinChecks.all,
    NextTrackChecks.all,
    FormatChecks.all,
    OriginChecks.all,
    OriginFailureChecks.all,
    StreamChecks.all,
    RequestChecks.all,
    OpenHomeServiceChecks.all,
    ProductChecks.all,
    ProductSourceChecks.all,
    VolumeChecks.all,
    BalanceChecks.all,
    TransportServiceChecks.all,
    PinsChecks.all,
    PlaylistChecks.all,
    PlaylistStateChecks.all,
    PlaylistPlaybackChecks.all,
    RadioChecks.all,
    RadioPlaybackChecks.all,
    InfoChecks.all,
    InfoPlaybackChecks.all,
    SongcastChecks.all,
    SharingChecks.all,
    CauseChecks.all,
    OracleChecks.all,
    OpenHomeHostileChecks.all,
    TransportPlaybackChecks.all,
    SpeakerPlaybackChecks.all,
    SearchChecks.all,
    AnnouncementChecks.all,
    HTTPRequestChecks.all,
    ArgumentChecks.all,
    SubscriberChecks.all,
    AgreementChecks.all,
    TemplateVariableChecks.all,
    SubscriptionTimerChecks.all,
    RenderingVolumeChecks.all,
    ProtocolInfoChecks.all,
    MetadataChecks.all,
    TransportFailureChecks.hanging,
    HostileHTTPChecks.all,
    HostileControlChecks.all,
    HostileDatagramChecks.all,
    HostileConnectionChecks.all,
    HostileEventingChecks.all,
  ].flatMap(\.self)

  /// Whether a pattern selects this check: an id, the beginning of one, or a text with asterisks.
  public func matches(_ pattern: String) -> Bool {
    if id == pattern || id.hasPrefix(pattern.hasSuffix("/") ? pattern : pattern + "/") { return true }
    return pattern.contains("*") && Self.matches(Array(id.utf8)[...], Array(pattern.utf8)[...])
  }

  private static func matches(_ text: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
    // Positions after the last asterisk, to return to with one more byte for it.
    var text = text
    var pattern = pattern
    var retry: (text: ArraySlice<UInt8>, pattern: ArraySlice<UInt8>)?
    while !text.isEmpty || !pattern.isEmpty {
      if pattern.first == UInt8(ascii: "*") {
        pattern = pattern.dropFirst()
        retry = (text, pattern)
      } else if let byte = text.first, byte == pattern.first {
        text = text.dropFirst()
        pattern = pattern.dropFirst()
      } else {
        guard let last = retry, !last.text.isEmpty else { return false }
        retry = (last.text.dropFirst(), last.pattern)
        text = last.text.dropFirst()
        pattern = last.pattern
      }
    }
    return true
  }
}

import UPnP

/// A sender of Songcast, as a controller passes it to receivers (OpenHome Sender:1).
public struct RoomSender: Sendable, Hashable {
  public enum Status: String, Sendable, Hashable {
    case enabled = "Enabled"
    case disabled = "Disabled"
    /// Another sender uses the channel.
    case blocked = "Blocked"
  }

  /// The number of receivers that a sender serves in unicast.
  public static let unicastLimit = 5

  /// Where receivers find the sound: `ohz://239.255.255.250:51972/ZONE`, `ohm://GROUP:PORT` or `ohu://ADDRESS:PORT`.
  public let uri: String
  /// A DIDL-Lite document with the name of the sender.
  public let metadata: String
  public let status: Status
  /// The name of the sender; empty if the metadata has none.
  public let title: String
  /// Whether any number of receivers can join.
  public let isMulticast: Bool
  let identity: Identity

  public init(uri: String, metadata: String, status: Status = .enabled) {
    self.init(uri: uri, metadata: metadata, status: status, Self.object(metadata))
  }

  /// - Parameter metadata: Sender's Metadata, whose `res` is the URI.
  ///   The URI is empty if there is none, as on a speaker without a network.
  public init(metadata: String, status: Status = .enabled) {
    let object = Self.object(metadata)
    self.init(uri: object?.resources.first?.uri ?? "", metadata: metadata, status: status, object)
  }

  private init(uri: String, metadata: String, status: Status, _ object: MediaObject?) {
    self.uri = uri
    self.metadata = metadata
    self.status = status
    let resource = object?.resources.first
    title = object?.title ?? ""
    isMulticast = uri.hasPrefix("ohm:") || resource?.protocolInfo.additionalInfo == "m"
    identity = Identity(uri: uri, described: resource?.uri)
  }

  private static func object(_ metadata: String) -> MediaObject? {
    metadata.isAbsentValue ? nil : MediaObjects(didlLite: metadata).objects.first
  }

  /// Identifies the sender whose sound is meant.
  enum Identity: Hashable {
    case zone(String)
    /// The host of an `ohu` URI.
    case host(String)
    /// Any other URI, such as that of a multicast group.
    case uri(String)

    /// - Parameter described: the URI in the metadata, which names the zone of a sender with a direct URI.
    init(uri: String, described: String?) {
      if let zone = Self.zone(uri) ?? described.flatMap(Self.zone) {
        self = .zone(zone)
      } else if uri.hasPrefix("ohu://"), let host = uri.dropFirst(6).split(separator: ":").first {
        self = .host(String(host))
      } else {
        self = .uri(uri)
      }
    }

    private static func zone(_ uri: String) -> String? {
      guard uri.hasPrefix("ohz://"), let slash = uri.dropFirst(6).firstIndex(of: "/") else { return nil }
      let zone = uri[uri.index(after: slash)...]
      return zone.isEmpty ? nil : String(zone)
    }
  }
}

/// What a speaker says about playing together with others, at one moment.
public struct RoomState: Sendable, Hashable {
  /// What OpenHome's Receiver says.
  public struct Receiver: Sendable, Hashable {
    /// The stored sender, also while another source is current; nil if there is none.
    public var sender: RoomSender?
    /// Whether it is the current source.
    public var isCurrent: Bool
    public var state: PlaybackState

    public init(sender: RoomSender?, isCurrent: Bool, state: PlaybackState) {
      self.sender = sender
      self.isCurrent = isCurrent
      self.state = state
    }
  }

  /// The UDN.
  public var id: String
  public var name: String
  /// The addresses by which it is reached.
  public var hosts: Set<String>
  /// Nil without a Sender service.
  public var sender: RoomSender?
  /// Nil without a Receiver service.
  public var receiver: Receiver?

  public init(id: String, name: String, hosts: Set<String> = [], sender: RoomSender?, receiver: Receiver?) {
    self.id = id
    self.name = name
    self.hosts = hosts
    self.sender = sender
    self.receiver = receiver
  }

  /// The sender that the speaker plays, or waits for. Nil while its receiver is stopped, or another source is current.
  public var received: RoomSender? {
    guard let receiver, receiver.isCurrent, receiver.state != .stopped else { return nil }
    return receiver.sender
  }
}

extension RemoteSpeaker {
  /// Whether the speaker plays together with others, now.
  /// - Throws: if the speaker cannot be reached.
  public func roomState() async throws(ControlPointError) -> RoomState {
    async let sender = outcome { () throws(ControlPointError) in try await roomSender() }
    async let receiver = outcome { () throws(ControlPointError) in try await roomReceiver() }
    return RoomState(
      id: id, name: name, hosts: Set(devices.descriptions.map(\.location.host)),
      sender: try await sender.tolerant() ?? nil, receiver: try await receiver.tolerant() ?? nil)
  }

  /// Whether the speaker plays together with others, now and after each change. Leaving the loop ends the subscriptions.
  ///
  /// Each event causes a new query. Where events fail, the speaker is polled. A failure is reported once, until the
  /// speaker answers again.
  /// - Parameter interval: the polling interval.
  public func roomStates(interval: Duration = .seconds(5)) -> AsyncStream<Result<RoomState, ControlPointError>> {
    let watches = [watch(services.product), watch(services.sender), watch(services.receiver)].compactMap(\.self)
    return SpeakerChanges.stream(
      watches, interval: interval,
      ask: { await outcome { () throws(ControlPointError) in try await roomState() } }, isContinued: { $0 == $1 })
  }

  private func roomSender() async throws(ControlPointError) -> RoomSender? {
    guard let sender = services.sender else { return nil }
    let metadata = try await sender.metadata()
    let status = try await tolerating { () throws(ControlPointError) in try await sender.status() }
    let name = RoomSender.Status(rawValue: status.map { String($0.rawValue.trimmingBlanks) } ?? "") ?? .enabled
    return RoomSender(metadata: metadata, status: name)
  }

  private func roomReceiver() async throws(ControlPointError) -> RoomState.Receiver? {
    guard let receiver = services.receiver else { return nil }
    async let source = outcome { () throws(ControlPointError) in try await currentSource() }
    let sender = try await receiver.sender()
    let state = try await receiver.transportState().rawValue
    return RoomState.Receiver(
      sender: sender.uri.isAbsentValue ? nil : RoomSender(uri: sender.uri, metadata: sender.metadata),
      isCurrent: try await source.tolerant()??.type == SpeakerSource.receiverType,
      state: PlaybackState(transportState: state))
  }
}

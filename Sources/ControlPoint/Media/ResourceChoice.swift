import UPnP

/// Chooses the best `<res>` of an item for a renderer.
///
/// Originals come before conversions by the server (`DLNA.ORG_CI=1`), formats that the renderer lists before those that only
/// a wildcard covers, lossless before lossy, then the higher sample rate, bit depth and bit rate, then the server's order.
public struct ResourceChoice: Sendable {
  /// Why no resource fits.
  public enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
    case noResources
    /// The item has only pictures or videos, but the renderer plays audio.
    case noAudio
    /// The renderer supports none of these transports, such as `rtsp-rtp-udp`.
    case transport([String])
    /// The renderer plays none of these MIME types.
    case format([String])

    public var description: String {
      switch self {
      case .noResources: "The item has no resource to play."
      case .noAudio: "The item has no sound, only pictures or video."
      case .transport(let names): "The renderer does not support \(names.joined(separator: ", "))."
      case .format(let types): "The renderer does not play \(types.joined(separator: ", "))."
      }
    }
  }

  private let sink: [ProtocolInfo]
  private let acceptsVideo: Bool

  /// - Parameters:
  ///   - sink: the formats that the renderer accepts, from GetProtocolInfo; empty for all.
  ///   - acceptsVideo: whether pictures and videos are chosen, too.
  public init(sink: [ProtocolInfo], acceptsVideo: Bool = false) {
    self.sink = sink
    self.acceptsVideo = acceptsVideo
  }

  public func best(of object: MediaObject) throws(Failure) -> MediaResource {
    guard let best = try ranked(object).first else { throw .noResources }
    return best
  }

  /// All resources that the renderer can play, best first.
  public func ranked(_ object: MediaObject) throws(Failure) -> [MediaResource] {
    let all = object.resources.map { Candidate($0, in: object) }
    guard !all.isEmpty else { throw .noResources }
    let audible = acceptsVideo ? all : all.filter { $0.kind == .audio }
    guard !audible.isEmpty else { throw .noAudio }
    let ranks = audible.compactMap { candidate in rank(candidate).map { (candidate.resource, $0) } }
    guard ranks.isEmpty else {
      // Swift's sort is stable, but does not promise to be.
      return ranks.enumerated().sorted { a, b in
        a.element.1 == b.element.1 ? a.offset < b.offset : b.element.1 < a.element.1
      }.map(\.element.0)
    }
    let reachable = audible.filter { candidate in sink.contains { candidate.matchesTransport(of: $0) } }
    guard !reachable.isEmpty else { throw .transport(Self.unique(audible.map(\.transport))) }
    throw .format(Self.unique(reachable.map(\.resource.protocolInfo.mimeType)))
  }

  private static func unique(_ texts: [String]) -> [String] { Array(Set(texts)).sorted() }

  /// - Returns: nil if the renderer cannot play it.
  private func rank(_ candidate: Candidate) -> Rank? {
    let info = candidate.resource.protocolInfo
    let isListed: Bool
    if sink.isEmpty {
      isListed = true
    } else {
      let matches = sink.compactMap { candidate.match($0) }
      guard !matches.isEmpty else { return nil }
      isListed = matches.contains(.listed)
    }
    let type = candidate.type
    return Rank(keys: [
      type.isPlaylist ? 0 : 1, info.info("DLNA.ORG_CI") == "1" ? 0 : 1, isListed ? 1 : 0, type.isLossless ? 1 : 0,
      candidate.resource.sampleFrequency ?? 0, candidate.resource.bitsPerSample ?? 0,
      candidate.resource.bytesPerSecond ?? 0,
    ])
  }

  /// Compared key by key.
  private struct Rank: Comparable {
    var keys: [Int]

    static func < (a: Rank, b: Rank) -> Bool { a.keys.lexicographicallyPrecedes(b.keys) }
  }

  private struct Candidate {
    enum Match { case listed, wildcard }

    let resource: MediaResource
    let type: MIMEType
    let kind: MIMEType.Kind
    let transport: String

    init(_ resource: MediaResource, in object: MediaObject) {
      self.resource = resource
      type = MIMEType(resource.protocolInfo.mimeType)
      kind = type.kind == .unknown ? Self.kind(of: object) : type.kind
      let isHTTP = resource.uri.lowercased().hasPrefix("http:") || resource.uri.lowercased().hasPrefix("https:")
      let named = resource.protocolInfo.transport
      transport = named == "*" && isHTTP ? "http-get" : named
    }

    /// The kind according to the object's class, for a resource of unknown type.
    private static func kind(of object: MediaObject) -> MIMEType.Kind {
      if object.isDerived(from: "object.item.videoItem") { return .video }
      return object.isDerived(from: "object.item.imageItem") ? .image : .audio
    }

    /// Whether the renderer supports the transport. For `internal`, the network names the host of both
    /// (ConnectionManager:1 §2.5.2).
    func matchesTransport(of sink: ProtocolInfo) -> Bool {
      guard sink.transport == "*" || transport == "*" || sink.transport == transport else { return false }
      let network = resource.protocolInfo.network
      return sink.network == "*" || network == "*" || sink.network.lowercased() == network.lowercased()
    }

    func match(_ sink: ProtocolInfo) -> Match? {
      guard matchesTransport(of: sink) else { return nil }
      let mimeType = sink.mimeType
      if mimeType == "*" || resource.protocolInfo.mimeType == "*" { return .wildcard }
      if mimeType.hasSuffix("/*") { return type.name.hasPrefix(mimeType.dropLast()) ? .wildcard : nil }
      guard MIMEType(mimeType) == type, matchesParameters(of: sink) else { return nil }
      let profiles = (sink.info("DLNA.ORG_PN"), resource.protocolInfo.info("DLNA.ORG_PN"))
      // Many servers name a profile that only resembles the file, so a different one is not refused.
      if let wanted = profiles.0, let offered = profiles.1, wanted != offered { return .wildcard }
      return .listed
    }

    /// Whether rate and channels of raw samples match (RFC 2586).
    private func matchesParameters(of sink: ProtocolInfo) -> Bool {
      let wanted = sink.parameters
      let offered = resource.protocolInfo.parameters
      func matches(_ name: String, _ attribute: Int?) -> Bool {
        guard let value = wanted[name], let actual = offered[name] ?? attribute.map({ "\($0)" }) else { return true }
        return value == actual
      }
      return matches("rate", resource.sampleFrequency) && matches("channels", resource.channels)
    }
  }
}

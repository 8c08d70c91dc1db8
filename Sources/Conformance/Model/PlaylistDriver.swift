import ControlPoint
import UPnP

/// Edits OpenHome's Playlist, and plays through it.
struct PlaylistDriver: Sendable {
  static let service = "Playlist"

  let context: CheckContext

  // MARK: Actions

  /// Calls an action. A fault is returned, not thrown.
  func answer(_ action: String, _ arguments: [(name: String, value: String)] = []) async throws(Finding) -> SOAPAnswer {
    try await context.answer(Self.service, action, arguments)
  }

  /// Calls an action that has to succeed.
  @discardableResult
  func call(
    _ action: String, _ arguments: [(name: String, value: String)] = []
  ) async throws(Finding) -> [String: String] {
    try await context.call(Self.service, action, arguments)
  }

  /// The output argument Value of an action without inputs.
  func value(_ action: String) async throws(Finding) -> String {
    guard let value = try await call(action)["Value"] else {
      throw .failure(expected: "Value in the answer to \(action)", got: "none")
    }
    return value
  }

  // MARK: List

  func ids() async throws(Finding) -> [UInt32] { try await context.idArray(Self.service).ids }

  /// The current track; 0 for none.
  func currentID() async throws(Finding) -> UInt32 {
    let text = try await value("Id")
    guard let id = UInt32(text) else { throw .failure(expected: "a number as Id", got: "\"\(text)\"") }
    return id
  }

  func insert(_ uri: String, _ metadata: String = "", after id: UInt32) async throws(Finding) -> UInt32 {
    let text =
      try await call("Insert", [("AfterId", "\(id)"), ("Uri", uri), ("Metadata", metadata)])["NewId"] ?? ""
    guard let id = UInt32(text), id > 0 else {
      throw .failure(expected: "a positive number as NewId", got: "\"\(text)\"")
    }
    return id
  }

  /// Replaces the list by tracks that are never played.
  /// - Returns: their ids.
  @discardableResult
  func fill(_ count: Int) async throws(Finding) -> [UInt32] {
    try await deleteAll()
    var ids: [UInt32] = []
    for number in 0..<count { ids.append(try await insert(uri(number), after: ids.last ?? 0)) }
    return ids
  }

  /// The address of a track that is never played. It is on this host, so a device that probes it disturbs no other
  /// server.
  func uri(_ number: Int) -> String { context.sink.url("/track-\(number).wav") }

  func read(_ id: UInt32) async throws(Finding) -> (uri: String, metadata: String) {
    let values = try await call("Read", [("Id", "\(id)")])
    return (values["Uri"] ?? "", values["Metadata"] ?? "")
  }

  func readList(_ ids: [UInt32]) async throws(Finding) -> [ListEntry] {
    try await context.readList(Self.service, "TrackList", ids: ids)
  }

  func delete(_ id: UInt32) async throws(Finding) { try await call("DeleteId", [("Value", "\(id)")]) }

  func deleteAll() async throws(Finding) { try await call("DeleteAll") }

  // MARK: Playback

  func seek(id: UInt32) async throws(Finding) { try await call("SeekId", [("Value", "\(id)")]) }

  func state() async throws(Finding) -> String { try await value("TransportState") }

  /// - Parameter playback: playback time to allow, in addition to the usual limit.
  func wait(forState state: String, after playback: Duration = .zero) async throws(Finding) {
    try await context.wait(for: "TransportState \(state)", Self.service, "TransportState", after: playback) {
      $0 == state
    }
  }

  func wait(forID id: UInt32, after playback: Duration = .zero) async throws(Finding) {
    try await context.wait(for: "Id \(id)", Self.service, "Id", after: playback) { $0 == "\(id)" }
  }

  func setModes(repeats: Bool, shuffles: Bool = false) async throws(Finding) {
    try await call("SetRepeat", [("Value", repeats ? "1" : "0")])
    try await call("SetShuffle", [("Value", shuffles ? "1" : "0")])
  }

  /// Plays a track, and waits for the state Playing.
  func start(_ id: UInt32) async throws(Finding) {
    try context.require("oh/playlist/play")
    try await seek(id: id)
    try await wait(forState: "Playing")
  }

  /// Makes the playlist the current source, without playing anything.
  func select() async throws(Finding) {
    guard let xml = try? await context.call("Product", "SourceXml")["Value"],
      let root = try? XMLDocument.read(Array(xml.utf8)).root,
      let index = root.all("Source").firstIndex(where: { $0.text("Type") == Self.service })
    else { return }
    _ = try await context.answer("Product", "SetSourceIndex", [("Value", "\(index)")])
  }

  // MARK: Media

  /// Replaces the list by files, which play once and in this order.
  /// - Returns: their ids.
  func load(_ media: [ServedMedia]) async throws(Finding) -> [UInt32] {
    try await deleteAll()
    // An earlier check may have left other modes. Devices that refuse them fail checks of their own.
    try? await setModes(repeats: false)
    var ids: [UInt32] = []
    for media in media { ids.append(try await insert(media.url, media.metadata, after: ids.last ?? 0)) }
    return ids
  }

  /// Replaces the list by tones.
  func load(tones count: Int, seconds: Double) async throws(Finding) -> (media: [ServedMedia], ids: [UInt32]) {
    var media: [ServedMedia] = []
    for _ in 0..<count { media.append(try await context.serveTone(seconds: seconds)) }
    return (media, try await load(media))
  }
}

extension CheckContext {
  var playlist: PlaylistDriver { PlaylistDriver(context: self) }

  /// Polls an output argument until it has a wanted value.
  /// - Parameters:
  ///   - what: the value in words, for reports.
  ///   - playback: playback time to allow, in addition to the usual limit.
  func wait(
    for what: String, _ service: String, _ action: String, _ output: String = "Value",
    after playback: Duration = .zero, until isWanted: (String) -> Bool
  ) async throws(Finding) {
    let deadline = clock.now + clock.real(playback) + times.transition
    while true {
      let value = try await call(service, action)[output] ?? ""
      if isWanted(value) { return }
      guard clock.now < deadline, !Task.isCancelled else {
        throw .failure(expected: what, got: "\(action) \"\(value.prefix(60))\"")
      }
      await clock.sleep(.milliseconds(100))
    }
  }
}

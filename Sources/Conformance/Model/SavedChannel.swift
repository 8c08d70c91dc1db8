/// The state of OpenHome's Radio that checks change.
struct SavedChannel: Sendable, Hashable {
  /// The id of the preset; 0 for another channel.
  var id: String
  var uri: String
  var metadata: String

  /// The values, separated by NUL, which neither URIs nor XML contain.
  var text: String { [id, uri, metadata].joined(separator: "\0") }

  init(id: String, uri: String, metadata: String) { (self.id, self.uri, self.metadata) = (id, uri, metadata) }

  init(text: String) {
    let parts = text.split(separator: "\0", omittingEmptySubsequences: false).map(String.init) + ["", "", ""]
    self.init(id: parts[0], uri: parts[1], metadata: parts[2])
  }

  static func read(_ context: CheckContext) async throws(Finding) -> SavedChannel {
    let channel = try await context.call("Radio", "Channel")
    let id = try await context.call("Radio", "Id")["Value"] ?? "0"
    return SavedChannel(id: id, uri: channel["Uri"] ?? "", metadata: channel["Metadata"] ?? "")
  }

  func write(_ context: CheckContext) async throws(Finding) {
    if id != "0", try await context.answer("Radio", "SetId", [("Value", id), ("Uri", uri)]).results != nil { return }
    try await context.call("Radio", "SetChannel", [("Uri", uri), ("Metadata", metadata)])
  }
}

/// The state of OpenHome's Receiver that checks change.
struct SavedSender: Sendable, Hashable {
  var uri: String
  var metadata: String

  var text: String { [uri, metadata].joined(separator: "\0") }

  init(uri: String, metadata: String) { (self.uri, self.metadata) = (uri, metadata) }

  init(text: String) {
    let parts = text.split(separator: "\0", omittingEmptySubsequences: false).map(String.init) + ["", ""]
    self.init(uri: parts[0], metadata: parts[1])
  }

  static func read(_ context: CheckContext) async throws(Finding) -> SavedSender {
    let sender = try await context.call("Receiver", "Sender")
    return SavedSender(uri: sender["Uri"] ?? "", metadata: sender["Metadata"] ?? "")
  }

  func write(_ context: CheckContext) async throws(Finding) {
    try await context.call("Receiver", "SetSender", [("Uri", uri), ("Metadata", metadata)])
  }
}

/// Why an action was refused: a UPnPError (UDA 1.1 §3.2.2, table 3-3, and the services' own tables).
public struct ActionFault: Error, Sendable, Hashable {
  public var code: Int
  public var description: String

  /// - Parameter description: a few words for people; nil for the ones that the specifications give the code.
  public init(_ code: Int, _ description: String? = nil) {
    self.code = code
    self.description = description ?? Self.descriptions[code] ?? "Action Failed"
  }

  public static let invalidAction = ActionFault(401)
  public static let invalidArgs = ActionFault(402)
  public static let actionFailed = ActionFault(501)
  public static let argumentValueOutOfRange = ActionFault(601)

  /// The names that UDA 1.1 gives its own codes; services' codes come with their names from the providers.
  private static let descriptions = [
    401: "Invalid Action", 402: "Invalid Args", 501: "Action Failed", 600: "Argument Value Invalid",
    601: "Argument Value Out of Range", 602: "Optional Action Not Implemented", 603: "Out of Memory",
    604: "Human Intervention Required", 605: "String Argument Too Long",
  ]
}

/// The fault of an action: a UPnPError (UDA 1.1 §3.2.2, table 3-3, and the services' tables).
public struct ActionFault: Error, Sendable, Hashable {
  /// The errorCode.
  public var code: Int
  /// The errorDescription.
  public var description: String

  /// - Parameter description: a few words for users; nil for the standard text of a code in UDA 1.1.
  public init(_ code: Int, _ description: String? = nil) {
    self.code = code
    self.description = description ?? Self.descriptions[code] ?? "Action Failed"
  }

  /// 401: the service has no such action.
  public static let invalidAction = ActionFault(401)
  /// 402: an argument is missing or has the wrong type.
  public static let invalidArgs = ActionFault(402)
  /// 501: the action failed in the current state.
  public static let actionFailed = ActionFault(501)
  /// 601
  public static let argumentValueOutOfRange = ActionFault(601)

  /// The standard texts of UDA 1.1.
  private static let descriptions = [
    401: "Invalid Action", 402: "Invalid Args", 501: "Action Failed", 600: "Argument Value Invalid",
    601: "Argument Value Out of Range", 602: "Optional Action Not Implemented", 603: "Out of Memory",
    604: "Human Intervention Required", 605: "String Argument Too Long",
  ]
}

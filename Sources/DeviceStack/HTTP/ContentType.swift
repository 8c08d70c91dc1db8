/// The types of what the server serves, as CONTENT-TYPE has them.
enum ContentType {
  /// Descriptions and answers to actions (UDA 1.1 §2.11, §3.2.2).
  static let xml = "text/xml; charset=\"utf-8\""
}

/// The types of what the server serves, as CONTENT-TYPE has them.
package enum ContentType {
  /// Descriptions and answers to actions (UDA 1.1 §2.11, §3.2.2).
  package static let xml = "text/xml; charset=\"utf-8\""
}

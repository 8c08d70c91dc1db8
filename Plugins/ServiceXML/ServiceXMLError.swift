/// What is wrong with a file under service-xml, in a sentence for the person who edits it.
public struct ServiceXMLError: Error, Equatable, CustomStringConvertible {
  public var description: String

  public init(_ description: String) { self.description = description }
}

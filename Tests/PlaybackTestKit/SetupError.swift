/// A test cannot be made ready.
package struct SetupError: Error, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}

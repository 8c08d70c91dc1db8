/// The setup of a test failed.
package struct SetupError: Error, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}

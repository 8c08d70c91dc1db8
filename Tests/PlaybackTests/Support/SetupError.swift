/// A test cannot be made ready.
struct SetupError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

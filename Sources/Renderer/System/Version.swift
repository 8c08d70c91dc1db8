/// What this is and which.
enum Version {
  static let number = "0.1.0"
  static let name = "Swiftlet"
}

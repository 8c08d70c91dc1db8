/// The version of the program: that of `swiftlet`, which is built from the same sources.
enum Version {
  static let number = "0.1.0"
}

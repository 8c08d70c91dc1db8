import Renderer

/// The program `swiftlet`. Its code is in the library `Renderer`, so that tests and fuzz targets can import it.
@main
enum Main {
  static func main() async {
    // Must come before the first suspension, which starts threads that open descriptors.
    StandardStreams.fill()
    await SwiftletCommand.main()
  }
}

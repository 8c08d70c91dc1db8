import CGStreamer

/// The library as a whole.
package enum GStreamerLibrary {
  /// Set up once, by whoever needs it first.
  private static let ready: Bool = {
    // Before there are threads.
    swiftlet_limit_heaps()
    guard gst_init_check(nil, nil, nil) != 0 else { return false }
    BlockDemuxerElement.register()
    return true
  }()

  /// Initialises GStreamer. False if the installation is broken.
  @discardableResult
  package static func start() -> Bool { ready }
}

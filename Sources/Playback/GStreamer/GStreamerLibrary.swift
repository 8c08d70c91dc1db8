import CGStreamer

/// The library as a whole.
enum GStreamerLibrary {
  /// Set up once, by whoever needs it first.
  private static let ready: Bool = {
    // Elements of other programs' kind would be tried for http addresses otherwise; nothing else is changed.
    gst_init_check(nil, nil, nil) != 0
  }()

  /// Initialises GStreamer. False if the installation is broken.
  @discardableResult
  static func start() -> Bool { ready }
}

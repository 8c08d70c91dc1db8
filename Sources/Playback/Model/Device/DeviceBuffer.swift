/// Decides how much sound the device holds. The more it holds, the later a volume is heard; the less, the sooner it runs dry
/// when the processor is late.
///
/// The device begins with little, and gets more after it has run dry. Pure.
package struct DeviceBuffer: Equatable, Sendable {
  /// In microseconds. GStreamer holds as much again before the device.
  package static let longest: Int64 = 200_000
  /// Of a card, and of a sound server.
  private static let (shortest, shortestOfServer): (Int64, Int64) = (25_000, 50_000)
  /// For sound that must be heard at its time. It stays when the device runs dry.
  private static let prompt: Int64 = 40_000
  package typealias Instant = ContinuousClock.Instant

  /// Underruns within `window` after which a run is ended, to continue with a longer buffer. That interrupts a stream without
  /// an end.
  static let patience = 3
  static let window = Duration.seconds(20)

  private var length: Int64
  private var (isPrompt, isServer) = (false, false)
  /// The latest underruns of the run.
  private var underruns: [Instant] = []

  /// - Parameter isRealTime: whether the threads that write sound get the processor in time.
  package init(isRealTime: Bool) { length = isRealTime ? Self.shortest : Self.longest }

  /// A run begins.
  /// - Parameters:
  ///   - isPrompt: whether its sound must be heard at its time.
  ///   - isServer: whether the device is a sound server.
  /// - Returns: the length of the buffer in microseconds.
  package mutating func begin(isPrompt: Bool, isServer: Bool = false) -> Int64 {
    (self.isPrompt, self.isServer, underruns) = (isPrompt, isServer, [])
    if isServer { length = max(length, Self.shortestOfServer) }
    return isPrompt ? Self.prompt : length
  }

  /// How much later changed samples are heard, in microseconds.
  package var delay: Int64 { 2 * (isPrompt ? Self.prompt : length) }

  /// The device has run dry.
  /// - Returns: whether to end the run, and to continue with a longer buffer. Not for a server: some underruns that GStreamer sees
  ///   there are none.
  package mutating func ranDry(at now: Instant) -> Bool {
    guard !isPrompt, length < Self.longest || !underruns.isEmpty else { return false }
    if underruns.isEmpty { length = min(2 * length, Self.longest) }
    underruns = underruns.suffix(Self.patience - 1) + [now]
    return underruns.count == Self.patience && underruns[0] + Self.window >= now && !isServer
  }
}

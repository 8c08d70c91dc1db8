/// Decides how much sound the device holds. The more it holds, the later a volume is heard; the less, the sooner it runs dry
/// when the processor is late.
///
/// The device begins with little, and gets more after it has run dry. Pure.
package struct DeviceBuffer: Equatable, Sendable {
  /// In microseconds. GStreamer holds as much again before the device.
  package static let longest: Int64 = 200_000
  /// Of a card, and of a sound server.
  private static let (shortest, shortestOfServer): (Int64, Int64) = (20_000, 40_000)
  /// For sound that must be heard at its time. It stays when the device runs dry.
  private static let prompt: Int64 = 40_000
  /// Underruns in one run after which that is ended, to continue with a longer buffer.
  static let patience = 3

  private var length: Int64
  private var (isPrompt, isServer) = (false, false)
  private var underruns = 0

  /// - Parameter isRealTime: whether the threads that write sound get the processor in time.
  package init(isRealTime: Bool) { length = isRealTime ? Self.shortest : Self.longest }

  /// A run begins.
  /// - Parameters:
  ///   - isPrompt: whether its sound must be heard at its time.
  ///   - isServer: whether the device is a sound server.
  /// - Returns: the length of the buffer in microseconds.
  package mutating func begin(isPrompt: Bool, isServer: Bool = false) -> Int64 {
    (self.isPrompt, self.isServer, underruns) = (isPrompt, isServer, 0)
    if isServer { length = max(length, Self.shortestOfServer) }
    return isPrompt ? Self.prompt : length
  }

  /// How much later changed samples are heard, in microseconds.
  package var delay: Int64 { 2 * (isPrompt ? Self.prompt : length) }

  /// The device has run dry.
  /// - Returns: whether to end the run, and to continue with a longer buffer. Not for a server: some underruns that GStreamer sees
  ///   there are none.
  package mutating func ranDry() -> Bool {
    guard !isPrompt, length < Self.longest || underruns > 0 else { return false }
    underruns += 1
    if underruns == 1 { length = min(2 * length, Self.longest) }
    return underruns == Self.patience && !isServer
  }
}

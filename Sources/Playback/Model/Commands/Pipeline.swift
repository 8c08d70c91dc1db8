/// What makes the sound. The player sends commands and hears of events; neither waits for the other.
package protocol Pipeline: Sendable {
  /// Takes a command and returns at once.
  func send(_ command: PipelineCommand)
  /// What happens, in order; ends after `shutdown()`. For one reader.
  var events: AsyncStream<PipelineEvent> { get }
  /// Silence, device closed, thread ended; returns after two seconds even if a driver hangs.
  func shutdown() async
}

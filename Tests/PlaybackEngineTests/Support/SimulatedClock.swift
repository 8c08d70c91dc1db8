import CGStreamer
import CGStreamerCheck
import PlaybackModel
import PlaybackTestKit

@testable import PlaybackEngine

/// A clock for outputs with `sync=true`. It stands still until the test lets it run, and then jumps to each time that
/// an output waits for: sound is on time however late a thread runs, and playback takes no longer than decoding.
///
/// It replaces the system clock of all pipelines in the process, so only one exists at a time.
final class SimulatedClock: Sendable {
  private let state = Monitor(State())

  private struct State {
    /// How far the clock may run.
    var limit = Duration.zero
    var isEnding = false
    var hasEnded = false
  }

  /// Runs the body with a clock that stands still at zero.
  static func during<T>(_ body: (SimulatedClock) async throws -> T) async throws -> T {
    GStreamerLibrary.start()
    guard let pointer = gst_test_clock_new() else { throw SetupError("GStreamer has no test clock") }
    let clock = SimulatedClock()
    gst_system_clock_set_default(pointer)
    clock.start(pointer)
    defer { clock.end() }
    return try await body(clock)
  }

  func run(until time: Duration = .seconds(3_600)) { state.update { $0.limit = max($0.limit, time) } }

  /// Takes over a reference to the clock.
  private func start(_ pointer: UnsafeMutablePointer<GstClock>) {
    // Only this thread uses the reference.
    nonisolated(unsafe) let pointer = pointer
    NamedThread.start("clock") { [state] in
      while !state.withLock(\.isEnding) { Self.step(pointer, state) }
      gst_object_unref(pointer)
      state.update { $0.hasEnded = true }
    }
  }

  /// Advances to the next time that an output waits for, unless that is beyond the limit.
  private static func step(_ pointer: UnsafeMutablePointer<GstClock>, _ state: Monitor<State>) {
    let clock = swiftlet_test_clock(pointer)
    guard gst_test_clock_timed_wait_for_multiple_pending_ids(clock, 1, 10, nil) != 0 else { return }
    let time = gst_test_clock_get_next_entry_time(clock)
    guard time != swiftlet_clock_time_none() else { return }
    let mayRun = state.wait(timeout: .milliseconds(10)) { state in
      guint64(state.limit.nanoseconds) >= time ? true : state.isEnding ? false : nil
    }
    guard mayRun == true else { return }
    if time > gst_clock_get_time(pointer) { gst_test_clock_set_time(clock, time) }
    if let id = gst_test_clock_process_next_clock_id(clock) { gst_clock_id_unref(id) }
  }

  private func end() {
    run()
    state.update { $0.isEnding = true }
    _ = state.wait(timeout: .seconds(30)) { $0.hasEnded ? true : nil }
    gst_system_clock_set_default(nil)
  }
}

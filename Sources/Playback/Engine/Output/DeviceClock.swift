import CGStreamer
import PlaybackModel

/// The position of the audio device, and whether its clock can be trusted. Any thread.
///
/// Workaround: pulsesink extrapolates the time from the server's last report. After the machine was suspended, its
/// clock has jumped ahead by centuries (seen with PulseAudio 16). Impossible times are ignored: the position is then
/// estimated from the samples sent, and `PlaybackSession` starts a new run.
/// - Upstream: ext/pulse/pulsesink.c; no issue known.
/// - Test: OutputChainTests.aJumpOfTheClockIsIgnored.
struct DeviceClock: Sendable {
  private let pipeline: ElementReference
  private let sink: ElementReference
  private let context: OutputContext
  /// Whether the sink is synchronized to a clock. A file that is written as fast as possible is not.
  let isClocked: Bool
  /// Whether the sink has no buffer of its own, but may send samples before their time.
  private let canSendAhead: Bool

  init(pipeline: ElementReference, sink: ElementReference, context: OutputContext) {
    self.pipeline = pipeline
    self.sink = sink
    self.context = context
    canSendAhead =
      swiftlet_has_property(sink.pointer, "ts-offset") != 0 && swiftlet_is_audio_sink(sink.pointer) == 0
    isClocked = swiftlet_has_property(sink.pointer, "sync") == 0 || swiftlet_get_bool(sink.pointer, "sync") != 0
  }

  enum Reading {
    /// There is no clock, or no run.
    case none
    /// Nanoseconds of running time.
    case time(Int64)
    case impossible
  }

  /// No device is faster than real time by more than 1 %. One minute is added for unknown clock errors.
  var reading: Reading {
    let time = gst_element_get_current_running_time(pipeline.pointer)
    guard isClocked, time != swiftlet_clock_time_none() else { return .none }
    let latest = context.age * 1.01 + .seconds(60)
    guard let time = Int64(exactly: time), time < latest.nanoseconds else { return .impossible }
    return .time(time)
  }

  /// Whether the clock reports impossible times, for the rest of the run.
  var isBroken: Bool { if case .impossible = reading { true } else { false } }

  /// The clock's time in nanoseconds since the run began. It advances even when there is nothing left to play.
  var time: Int64 {
    switch reading {
    case .time(let time): time
    case .none, .impossible: heard
    }
  }

  /// The position that is heard now, in nanoseconds since the run began.
  var heard: Int64 {
    guard isClocked else { return Int64(clamping: context.end) }
    if isBroken { return max(0, Int64(clamping: context.end) - min(max(0, delay), 1_000_000_000)) }
    var position: gint64 = 0
    guard gst_element_query_position(pipeline.pointer, GST_FORMAT_TIME, &position) != 0 else { return 0 }
    return max(0, Int64(position))
  }

  /// How long before they are heard samples are sent, in nanoseconds.
  private var sendingLead: Int64 {
    canSendAhead ? max(0, -Int64(swiftlet_get_int64(sink.pointer, "ts-offset"))) : 0
  }

  /// Samples that the device has accepted but not played, in nanoseconds.
  var delay: Int64 { Int64(swiftlet_audio_sink_delay(sink.pointer)) + sendingLead }

  /// Advances the clock of a held output past the samples that were sent, since a receiver plays them meanwhile. Without
  /// this, sound would come later after each pause.
  func skipSent() {
    let held = gst_element_get_start_time(pipeline.pointer)
    guard sendingLead > 0, held != swiftlet_clock_time_none() else { return }
    let sent = min(held + GstClockTime(sendingLead), GstClockTime(context.end))
    if sent > held { gst_element_set_start_time(pipeline.pointer, sent) }
  }

  /// Whether the device plays from its ring buffer.
  var isRunning: Bool { swiftlet_audio_sink_runs(sink.pointer) != 0 }

  /// Whether the device waits for more samples before it starts: it starts with a full buffer.
  var awaitsMore: Bool { swiftlet_is_audio_sink(sink.pointer) != 0 && !isRunning }
}

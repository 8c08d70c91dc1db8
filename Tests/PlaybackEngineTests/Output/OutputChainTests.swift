import CGStreamer
import Glibc
import PlaybackTestKit
import Testing

@testable import PlaybackEngine
@testable import PlaybackModel

extension OnASoundCard {
  @Suite struct OutputChainTests {
    /// The sink frees its ring buffer when the device is closed, even while another thread reads it.
    @Test func anyThreadMayQueryTheDeviceWhileItCloses() async throws {
      let card = try StandInCard()
      let chain = try OutputChain(StandInCard.output, mailbox: Mailbox())
      let (isOver, hasEnded) = (Monitor(false), Monitor(false))
      NamedThread.start("asker") {
        while !isOver.withLock(\.self) { for _ in 0..<1_000 { _ = (chain.clock.delay, chain.clock.awaitsMore) } }
        hasEnded.update { $0 = true }
      }
      let warnings = await LibraryWarnings.during {
        for _ in 0..<5_000 {
          #expect(chain.open())
          chain.close()
        }
        isOver.update { $0 = true }
        #expect(hasEnded.wait(timeout: .seconds(10)) { $0 ? true : nil } == true)
      }
      #expect(warnings.isEmpty)
      #expect(!card.isOpen)
    }

    /// Volume and balance may change between the feeder's decision and the first sample. A format other than the
    /// planned one would reopen the device later, when there is no time left for that.
    @Test(arguments: [
      (1.0, 0, "S32LE 48 2", "S32_LE 48000 2"), (0.5, 0, "S16LE 48 2", "S16_LE 48000 2"),
      (1.0, -15, "S16LE 48 1", "S16_LE 48000 1"),
    ])
    func theDeviceGetsThePlannedFormat(volume: Double, balance: Int, planned: String, form: String) async throws {
      let card = try StandInCard(formats: "S16_LE S32_LE", rates: "48000", channels: "1 2")
      let chain = try OutputChain(StandInCard.output, mailbox: Mailbox())
      defer { chain.close() }
      try chain.probe()
      #expect(chain.open())
      chain.begin(RunID(1))
      let planned = DeviceFormat(planned)
      let caps = try #require(swiftlet_audio_caps("S16LE", 48_000, gint(planned.channels), nil))
      let format = try #require(AudioFormat(caps: caps))
      chain.converter.plan(.init(start: 0, input: format, change: .init(format: planned)))
      chain.converter.setVolume(volume)
      chain.converter.setBalance(balance)
      gst_app_src_set_caps(chain.appSource, caps)
      swiftlet_caps_unref(caps)
      let sound = try #require(swiftlet_silence("S16LE", gsize(48_000 * format.bytesPerFrame)))
      swiftlet_buffer_place(sound, 1_000_000, 1_000_000_000, 1)
      gst_app_src_push_buffer(chain.appSource, sound)
      try await waitFor("sound on the card") { chain.clock.time > 100_000_000 }
      #expect(card.log.filter { $0.hasPrefix("format") } == ["format \(form)"])
    }

    /// Found as a radio station that never began, on a busy machine.
    @Test func aPauseDuringTheStartDoesNotPreventTheResume() async throws {
      let chain = try OutputChain(.bin("fakesink sync=true"), mailbox: Mailbox())
      defer { chain.close() }
      #expect(chain.open())
      try Self.pauseDuringTheStart(chain)
      try await waitFor("half a second of sound") { chain.context.end > 500_000_000 }
    }

    /// Starts the output and pauses it before GStreamer takes it from PAUSED on to PLAYING, then resumes it.
    private static func pauseDuringTheStart(_ chain: OutputChain) throws {
      let source = UnsafeMutableRawPointer(chain.appSource).assumingMemoryBound(to: GstElement.self)
      let parent = try #require(
        gst_object_get_parent(UnsafeMutableRawPointer(source).assumingMemoryBound(to: GstObject.self)))
      defer { gst_object_unref(parent) }
      let pipeline = UnsafeMutableRawPointer(parent).assumingMemoryBound(to: GstElement.self)
      // Holds up the thread that would take the pipeline on, as a busy machine does.
      g_rec_mutex_lock(&pipeline.pointee.state_lock)
      defer { g_rec_mutex_unlock(&pipeline.pointee.state_lock) }

      chain.begin(RunID(1))
      let caps = try #require(swiftlet_audio_caps("S16LE", 48_000, 2, nil))
      let format = try #require(AudioFormat(caps: caps))
      chain.converter.plan(.init(start: 0, input: format, change: .init(format: format.deviceFormat)))
      gst_app_src_set_caps(chain.appSource, caps)
      swiftlet_caps_unref(caps)
      // The second buffer exceeds the queue's limit only after it has been accepted.
      for part in 0..<2 as Range<UInt> {
        let sound = try #require(swiftlet_silence("S16LE", gsize(14_400 * format.bytesPerFrame)))
        swiftlet_buffer_place(sound, 1_000_000 + part * 300_000_000, 300_000_000, part == 0 ? 1 : 0)
        gst_app_src_push_buffer(chain.appSource, sound)
      }
      var state = GST_STATE_NULL
      let end = ContinuousClock.now + .seconds(30)
      while state != GST_STATE_PAUSED, ContinuousClock.now < end {
        usleep(1_000)
        gst_element_get_state(pipeline, &state, nil, 0)
      }
      #expect(state == GST_STATE_PAUSED)
      chain.hold()
      chain.resume()
    }

    /// Found when a machine stalled while a sound server played: its clock jumped by centuries, and the arithmetic
    /// overflowed and crashed the program.
    @Test func aJumpOfTheClockIsIgnored() async throws {
      let card = try StandInCard()
      let chain = try OutputChain(StandInCard.output, mailbox: Mailbox())
      defer { chain.close() }
      try chain.probe()
      #expect(chain.open())
      chain.begin(RunID(1))
      let caps = try #require(
        gst_caps_from_string(
          "audio/x-raw,format=S16LE,layout=interleaved,rate=48000,channels=2,channel-mask=(bitmask)3"))
      let format = try #require(AudioFormat(caps: caps))
      chain.converter.plan(.init(start: 0, input: format, change: .init(format: format.deviceFormat)))
      gst_app_src_set_caps(chain.appSource, caps)
      swiftlet_caps_unref(caps)
      let sound = try #require(swiftlet_silence("S16LE", 48_000 * 4))
      swiftlet_buffer_place(sound, 1_000_000, 1_000_000_000, 1)
      gst_app_src_push_buffer(chain.appSource, sound)
      try await waitFor("sound on the card") { chain.clock.time > 100_000_000 }
      #expect(!chain.clock.isBroken)

      let element = UnsafeMutableRawPointer(chain.appSource).assumingMemoryBound(to: GstElement.self)
      let clock = try #require(gst_element_get_clock(element))
      defer { gst_object_unref(clock) }
      for years in [1, 290, 560] as [UInt64] {
        let jump = years * 365 * 86_400 * 1_000_000_000
        gst_clock_set_calibration(clock, 0, GstClockTime(jump), 1, 1)
        #expect(chain.clock.isBroken, "\(years) years")
        #expect(0...1_001_000_000 ~= chain.clock.time, "\(years) years")
        #expect(0...1_001_000_000 ~= chain.clock.heard, "\(years) years")
      }
      withExtendedLifetime(card) {}
    }
  }
}

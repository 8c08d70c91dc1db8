import Testing

@testable import Renderer

@Suite struct StatusReportTests {
  private static let playing = StatusReport(
    name: "Küche \"1\"", version: "1.2", uptime: 200_000.5, state: "playing", source: "upnp", standby: false,
    volume: 40, muted: true,
    track: StatusReport.Track(
      uri: "http://a/1.flac", title: "Title", artist: "Artist", album: nil, position: 61.5, duration: 3605,
      codec: "FLAC", sampleRate: 44100, bitDepth: 16, channels: 1, bitRate: 901_000),
    skipped: "“B” from nas: There is no such file.", failedTracks: 3, output: "alsa:hw:0",
    outputFormat: StatusReport.OutputFormat(sampleRate: 48000, bitDepth: 32, channels: 2), bitPerfect: false,
    reasons: ["replay_gain", "resampled"], buffer: 9.5, xruns: 2, lostPackets: 7,
    alarms: [
      .init(
        id: 1, name: "Work", time: "06:45", days: ["mon", "tue"], enabled: true, next: "2026-01-05T06:45:00+01:00"),
      .init(id: 3, name: "", time: "09:00", days: [], enabled: false, next: nil),
    ], alarm: "snoozed", sleep: .init(end: "30", rest: 125),
    interfaces: [
      StatusReport.Interface(
        name: "eth0", address: "192.0.2.1", page: "http://192.0.2.1:1/", urls: ["http://192.0.2.1:1/d.xml"])
    ],
    troubles: [
      StatusReport.LoggedProblem(time: "2026-01-02T03:04:05+0000", text: "http://nas/b.flac: There is no such file.")
    ])

  private static let silent = StatusReport(
    name: "Bath", version: "1.2", uptime: 59, state: "stopped", source: "radio", standby: true, volume: 100,
    muted: false, error: "The audio device is missing or was unplugged.", buffer: 0, xruns: 0, interfaces: [],
    troubles: [])

  @Test(arguments: [playing, silent])
  func jsonRoundTrip(report: StatusReport) {
    #expect(StatusReport(json: Array(report.json.utf8)) == report)
  }

  @Test(arguments: ["", "{}", "[]", "{\"name\": \"x\"}", "not JSON"])
  func refusesOtherJSON(json: String) {
    #expect(StatusReport(json: Array(json.utf8)) == nil)
  }

  @Test func textReport() {
    #expect(
      Self.playing.text == """
        Speaker   Küche "1", Swiftlet 1.2, up for 2 d 7:33:20
        State     playing, from upnp
        Track     Title – Artist
                  http://a/1.flac
        Position  1:01 of 1:00:05
        Stream    FLAC, 44100 Hz, 16 bits, 1 channel, 901 kbit/s
        Skipped   “B” from nas: There is no such file.
        Volume    40, muted
        Output    alsa:hw:0, 2 xruns
                  48000 Hz, 32 bits, 2 channels, not bit-perfect: ReplayGain, resampled
        Songcast  7 packets lost
        Sleep     after 30 min, in 2:05
        Alarms    1: 06:45 mon,tue Work, next 2026-01-05T06:45:00+01:00
                  3: 09:00 once, off
        Alarm     snoozed
        Network   eth0 192.0.2.1
        Page      http://192.0.2.1:1/
                  http://192.0.2.1:1/d.xml
        Trouble   2026-01-02T03:04:05+0000 http://nas/b.flac: There is no such file.

        """)
    #expect(
      Self.silent.text == """
        Speaker   Bath, Swiftlet 1.2, up for 0:59
        State     standby
        Error     The audio device is missing or was unplugged.
        Volume    100
        Output    none, waiting for an audio device
        Network   none

        """)
  }

  @Test func prometheusMetrics() {
    let lines = Metrics.text(
      Self.playing, process: ProcessFigures(residentBytes: 1 << 25, cpuSeconds: 1.25, openFiles: 7)
    ).split(separator: "\n")
    let samples = lines.filter { !$0.hasPrefix("#") }
    #expect(samples.first == #"swiftlet_info{name="Küche \"1\"",version="1.2"} 1"#)
    for sample in [
      "swiftlet_uptime_seconds 200000.5", "swiftlet_playing 1", "swiftlet_failed 0", "swiftlet_failed_tracks_total 3",
      "swiftlet_buffering 0", "swiftlet_volume 40",
      "swiftlet_muted 1", "swiftlet_bit_perfect 0", "swiftlet_buffer_seconds 9.5",
      "process_resident_memory_bytes 33554432", "process_cpu_seconds_total 1.25", "process_open_fds 7",
    ] {
      #expect(samples.contains(sample[...]))
    }
    #expect(!Metrics.text(Self.silent, process: ProcessFigures()).contains("swiftlet_bit_perfect"))
    // Each metric has HELP and TYPE.
    #expect(lines.count == samples.count * 3)
  }

  @Test func processFiguresArePlausible() {
    let figures = ProcessFigures.current()
    #expect(figures.residentBytes > 1 << 20)
    #expect(figures.openFiles >= 3)
    #expect(figures.cpuSeconds > 0)
  }

  @Test(arguments: [
    ([:], nil), (["XDG_RUNTIME_DIR": "/run/user/7"], "/run/user/7/swiftlet/status"),
    (["XDG_RUNTIME_DIR": "relative"], nil),
    (["RUNTIME_DIRECTORY": "/run/a:/run/b", "XDG_RUNTIME_DIR": "/run/user/7"], "/run/a/status"),
  ])
  func choosesTheSocketPath(environment: [String: String], place: String?) {
    #expect(StatusSocket.places(environment).first == place ?? "/run/swiftlet/status")
  }
}

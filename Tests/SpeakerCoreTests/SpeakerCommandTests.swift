import PlaybackModel
import Testing

@testable import SpeakerCore

@Suite struct SpeakerCommandTests {
  @Test(arguments: [
    ("play", SpeakerCommand.play), ("toggle", .toggle), ("seek 90", .seek(to: .seconds(90))),
    ("seek +10", .skip(by: .seconds(10))), ("seek -2.5", .skip(by: .milliseconds(-2500))),
    ("volume 40", .setVolume(40)), ("volume +2", .changeVolume(by: 2)), ("volume -2", .changeVolume(by: -2)),
    ("mute", .mute(nil)), ("mute on", .mute(true)), ("source upnp", .source(.upnpAV)), ("preset 3", .preset(3)),
    ("pin 1", .pin(1)), ("standby", .standby(nil)), ("standby off", .standby(false)), ("repeat on", .repeat(true)),
    ("shuffle off", .shuffle(false)), ("play radio", .transport(.play, of: .radio)), ("balance -3", .balance(-3)),
    ("equalizer", .equalizer(.switch(nil))), ("equalizer on", .equalizer(.switch(true))),
    ("equalizer off", .equalizer(.switch(false))), ("equalizer Late night", .equalizer(.select("Late night"))),
    ("sleep 30", .sleep(.minutes(30))), ("sleep track", .sleep(.track)), ("sleep queue", .sleep(.queue)),
    ("sleep off", .sleep(nil)), ("alarm 3 off", .alarm(.enable(3, false))), ("snooze", .alarm(.snooze(minutes: nil))),
    ("snooze 5", .alarm(.snooze(minutes: 5))),
    ("dismiss", .alarm(.dismiss)),
  ])
  func aCommandIsReadAndWritten(text: String, command: SpeakerCommand) {
    #expect(SpeakerCommand(text) == command)
    #expect(command.description == text)
  }

  @Test(arguments: [
    "", "Play", "play now?", "volume", "volume 101", "volume +101", "volume x", "seek", "seek nan", "seek 1e300",
    "mute maybe", "source Tape", "preset 0", "preset -1", "preset 101", "pin 0", "pin 7", "next next", "repeat",
    "play Tape", "balance 16", "open http://host/a", "volume 40 50", "mute on on", "sleep", "sleep 0", "alarm 3",
    "alarm x on", "alarm 3 maybe", "sleep 1441",
    "snooze 61", "dismiss 1",
  ])
  func anythingElseIsRefused(text: String) {
    #expect(SpeakerCommand(text) == nil)
  }
}

import SpeakerCore
import Testing

@testable import Companion

@Suite struct MQTTCommandTests {
  private static func command(
    _ topic: String, _ payload: [UInt8], isRetained: Bool = false
  ) -> MQTTCommand {
    MQTTCommand(IncomingMessage(topic: topic, payload: payload, isRetained: isRetained), prefix: "home/kitchen")
  }

  @Test(arguments: [
    ("command", "toggle", SpeakerCommand.toggle), ("command", " volume +2\n", .changeVolume(by: 2)),
    ("command", "source radio", .source(.radio)), ("set/volume", "40", .setVolume(40)),
    ("set/volume", "40.0", .setVolume(40)), ("set/volume", "39.6", .setVolume(40)),
    ("set/volume", "-3", .changeVolume(by: -3)), ("set/volume", "+3", .changeVolume(by: 3)),
    ("set/mute", "ON", .mute(true)), ("set/mute", "off", .mute(false)), ("set/mute", "toggle", .mute(nil)),
    ("set/standby", "1", .standby(true)), ("set/standby", "False", .standby(false)),
    ("set/source", "UPnP", .source(.upnpAV)), ("set/repeat", "on", .repeat(true)),
    ("set/shuffle", "0", .shuffle(false)), ("set/position", "90.5", .seek(to: .milliseconds(90_500))),
    ("set/position", "-10", .skip(by: .seconds(-10))), ("set/preset", "3", .preset(3)), ("set/pin", "1", .pin(1)),
    ("set/state", "paused", .pause), ("set/state", "playing", .play), ("set/state", "stop", .stop),
    ("set/equalizer", "off", .equalizer(.switch(false))), ("set/equalizer", "toggle", .equalizer(.switch(nil))),
    ("set/equalizer", "Late night", .equalizer(.select("Late night"))),
    ("command", "equalizer Late night", .equalizer(.select("Late night"))),
  ])
  func performs(topic: String, payload: String, command: SpeakerCommand) {
    #expect(Self.command("home/kitchen/" + topic, Array(payload.utf8)) == .perform(command))
  }

  @Test(arguments: [
    ("command", "dance", "“dance” is not a command."), ("command", "", "“” is not a command."),
    ("set/volume", "101", "“101” is not a volume: 0 to 100, or steps such as +2."),
    ("set/volume", "nan", "“nan” is not a volume: 0 to 100, or steps such as +2."),
    ("set/mute", "maybe", "“maybe” is not on or off, or toggle."),
    ("set/repeat", "toggle", "“toggle” is not on or off."),
    (
      "set/source", "cd?",
      "“cd?” is not a source: playlist, radio, upnp, receiver or the name of a program."
    ),
    ("set/position", "inf", "“inf” is not a position in seconds, or a step such as +10."),
    ("set/preset", "0", "“0” is not the number of a preset."),
    ("set/equalizer", "", "“” is not on, off, toggle or the name of a preset."),
    ("set/announce", " ", "“” is not an address, “chime” or a JSON object."),
    ("set/announce", "Dinner is ready", "“Dinner is ready” is not an address, “chime” or a JSON object."),
    ("set/announce", "{}x", "The payload is neither an address nor a JSON object of an announcement."),
    ("set/announce", #"{"uri": ""}"#, "“uri” is empty."),
    ("command", "announce ", "“announce” is not a command."),
    ("set/colour", "red", "There is no such topic."), ("other", "1", "There is no such topic."),
    ("command", "stop\0", "The payload is not text."), ("command", "next\u{7}", "The payload is not text."),
  ])
  func rejects(topic: String, payload: String, message: String) {
    let problem = MQTTCommand.Problem(topic: topic, message: message)
    #expect(Self.command("home/kitchen/" + topic, Array(payload.utf8)) == .reject(problem))
  }

  @Test func rejectsWhatIsNotUTF8() {
    let problem = MQTTCommand.Problem(topic: "command", message: "The payload is not text.")
    #expect(Self.command("home/kitchen/command", [0x73, 0xFF, 0xFE]) == .reject(problem))
  }

  @Test func rejectsLongPayloads() {
    let long = [UInt8](repeating: UInt8(ascii: " "), count: 2044) + Array("stop".utf8)
    #expect(Self.command("home/kitchen/command", long) == .perform(.stop))
    let problem = MQTTCommand.Problem(topic: "command", message: "The payload is longer than 2048 bytes.")
    #expect(Self.command("home/kitchen/command", long + [0x20]) == .reject(problem))
  }

  @Test func ignoresRetainedCommands() {
    let answer = Self.command("home/kitchen/command", Array("play".utf8), isRetained: true)
    let message = "The speaker ignores retained commands: publish without retain."
    #expect(answer == .reject(MQTTCommand.Problem(topic: "command", message: message)))
  }

  @Test func hearsHomeAssistant() {
    #expect(Self.command("homeassistant/status", Array("online".utf8)) == .homeAssistantStarted)
    #expect(Self.command("homeassistant/status", Array("offline".utf8)) == .ignore)
  }

  @Test func ignoresTopicsOfOthers() {
    #expect(Self.command("home/kitchen2/command", Array("play".utf8)) == .ignore)
  }
}

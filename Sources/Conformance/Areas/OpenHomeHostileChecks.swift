import ControlPoint
import UPnP

/// Input for OpenHome services that no control point sends.
enum OpenHomeHostileChecks {
  static let all: [Check] = [
    Check(
      "oh/hostile/volume-numbers", .hostile, .practice, "SetVolume refuses what is no volume, and changes nothing.",
      source: "the data type ui4 in UDA 1.0 §2.3",
      needs: [.action("Volume", "SetVolume"), .action("Volume", "SetMute")], changes: [.volume, .mute], mode: .hostile,
      steps: "Mutes the device and sets the volumes -1, 4294967296, 1.5, 5x and an empty one. Volume stays the same."
    ) { context async throws(Finding) in
      guard !(await context.isBusy()) else { throw .skip("the device is playing") }
      try await context.write(.mute, "1")
      let before = try await context.read(.volume)
      for text in ["-1", "4294967296", "1.5", "5x", ""] {
        let answer = try await context.answer("Volume", "SetVolume", [("Value", text)])
        let after = try await context.read(.volume)
        if after != before { try await context.write(.volume, before) }
        try context.expect(answer.faultCode != nil, "an error for the volume \"\(text)\"", got: answer.summary)
        try context.expect(after == before, "the volume \(before) after \"\(text)\"", got: after)
      }
    },
    Check(
      "oh/hostile/pin-ids", .hostile, .practice, "ReadList of Pins survives ids that are no JSON array of numbers.",
      source: "RFC 8259; openhome/ohPipeline: OpenHome/Av/Pins/ProviderPins.cpp parses them",
      needs: [.action("Pins", "ReadList"), .action("Pins", "GetIdArray")], mode: .hostile,
      steps:
        "Calls ReadList with broken and deeply nested JSON, texts, negative numbers and 5000 ids. Each is answered, and GetIdArray afterwards."
    ) { context async throws(Finding) in
      let lists = [
        "", "[1,", "{}", "[\"1\"]", "[-1]", "[99999999999999999999]", String(repeating: "[", count: 2000),
        "[" + String(repeating: "1,", count: 4999) + "1]",
      ]
      for list in lists {
        let answer = try await context.answer("Pins", "ReadList", [("Ids", list)])
        if case .other(let text) = answer.content {
          throw .failure(expected: "a list or an error for the ids \"\(list.prefix(20))\"", got: text)
        }
        _ = try await context.pinIDs()
      }
    },
    Check(
      "oh/hostile/pin-texts", .hostile, .practice, "A pin with long texts is refused, or stored completely.",
      source: "openhome/ohPipeline: OpenHome/Av/Pins/Pins.cpp, whose buffers are limited",
      needs: [.action("Pins", "SetDevice"), .action("Pins", "ReadList"), .action("Pins", "Clear")], changes: [.pins],
      mode: .hostile, steps: "Sets an empty device pin with a title of 60 kB, and reads it if that succeeds."
    ) { context async throws(Finding) in
      let index = try await context.emptyDevicePin()
      let title = String(repeating: "Long title. ", count: 5000)
      let answer = try await context.answer(
        "Pins", "SetDevice", PinsChecks.arguments(index, replacing: "Title", with: title))
      guard answer.faultCode == nil else { return }
      let ids = try await context.pinIDs()
      let found = try await context.pins([ids[index]]).first?["title"]?.string ?? ""
      try context.expect(
        found == title, "a title of \(title.utf8.count) bytes", got: "one of \(found.utf8.count) bytes")
    },
  ]
}

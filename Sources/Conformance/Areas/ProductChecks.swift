import ControlPoint
import UPnP

/// OpenHome's Product: identity, attributes and standby.
enum ProductChecks {
  static let service = "Product"
  static let wiki = OpenHomeWiki.product
  static let player = "openhome/ohPipeline: OpenHome/Av/Product.cpp"
  /// Services that a control point uses only if Attributes names them.
  private static let attributes: Set = ["Credentials", "Info", "Pins", "Sender", "Time", "Transport", "Volume"]

  static let all: [Check] = identity + standby

  // MARK: Identity

  private static let identity: [Check] = [
    Check(
      "oh/product/names", .openHome, .practice, "Manufacturer, model, product and room have names.",
      source: "Kazoo and Home Assistant (home-assistant/core: components/openhome/media_player.py) show the room",
      needs: [.action(service, "Manufacturer"), .action(service, "Model"), .action(service, "Product")],
      steps: "Calls Manufacturer, Model and Product. None of the names and the room is empty."
    ) { context async throws(Finding) in
      var empty: [String] = []
      for (action, output) in [
        ("Manufacturer", "Name"), ("Model", "Name"), ("Product", "Name"), ("Product", "Room"),
      ] where try await context.result(output, of: action, service).isEmpty {
        empty.append("no \(output) of \(action)")
      }
      try context.expectNone(empty, "names")
    },
    Check(
      "oh/product/name-lengths", .openHome, .practice, "The room has at most 40 bytes, and the name at most 20.",
      source: "openhome/ohPipeline: OpenHome/Av/Product.h, whose buffers have these sizes",
      needs: [.action(service, "Product")], steps: "Calls Product and counts the bytes of Room and Name."
    ) { context async throws(Finding) in
      let product = try await context.call(service, "Product")
      for (name, limit) in [("Room", 40), ("Name", 20)] {
        let length = product[name]?.utf8.count ?? 0
        try context.expect(length <= limit, "at most \(limit) bytes in \(name)", got: "\(length)")
      }
    },
    Check(
      "oh/product/friendly-name", .openHome, .practice, "The friendlyName contains the room or the product's name.",
      source: "openhome/ohPipeline: OpenHome/Av/Product.h joins both; medoc92/upmpdcli#30",
      needs: [.action(service, "Product")],
      steps: "Calls Product. Passes if the friendlyName of the description contains Room or Name."
    ) { context async throws(Finding) in
      let product = try await context.call(service, "Product")
      let title = context.target.description.root.friendlyName
      let names = ["Room", "Name"].compactMap { product[$0] }.filter { !$0.isEmpty }
      try context.expect(
        names.contains { title.contains($0) },
        "\(names.map { "\"\($0)\"" }.joined(separator: " or ")) in the friendlyName", got: "\"\(title)\"")
    },
    Check(
      "oh/product/urls", .openHome, .practice, "The URLs of manufacturer, model and product on the device load.",
      source: "UDA 1.0 §2.1 of presentationURL; Kazoo shows the images",
      needs: [.action(service, "Manufacturer"), .action(service, "Model"), .action(service, "Product")],
      steps: "Reads Url and ImageUri of Manufacturer, Model and Product. Those on the device's host answer with 200."
    ) { context async throws(Finding) in
      var problems: [String] = []
      var seen: Set<String> = []
      for action in ["Manufacturer", "Model", "Product"] {
        let results = try await context.call(service, action)
        for name in ["Url", "ImageUri", "ImageHiresUri"] {
          guard let text = results[name], !text.isEmpty, seen.insert(text).inserted else { continue }
          guard let url = HTTPURL(text) else {
            // Other schemes, such as https, are not loaded.
            if !text.contains("://") { problems.append("\"\(text.prefix(60))\" as \(name) of \(action)") }
            continue
          }
          guard url.host == context.target.host else { continue }
          let status = try await context.get(url).status
          if status != 200 { problems.append("status \(status) for \(text.prefix(80))") }
        }
      }
      try context.expectNone(problems, "absolute URLs that load")
    },
    Check(
      "oh/product/attributes", .openHome, .must, "Attributes names only services that the device has.", source: wiki,
      needs: [.action(service, "Attributes")],
      steps:
        "Reads Attributes. For each of Credentials, Info, Pins, Sender, Time, Transport and Volume in it, the device has the service."
    ) { context async throws(Finding) in
      let words = try await words(context)
      try context.expectNone(
        words.filter { attributes.contains($0) && context.target.service($0) == nil }.sorted(),
        "services for the attributes")
    },
    Check(
      "oh/product/attributes-complete", .openHome, .practice, "Attributes names the services that the device has.",
      source: "the behaviour of openhome/ohPipeline: OpenHome/Av/MediaPlayer.cpp; control points ask for no others",
      needs: [.action(service, "Attributes")],
      steps:
        "Reads Attributes. It contains each of Credentials, Info, Pins, Sender, Time, Transport and Volume that the device has."
    ) { context async throws(Finding) in
      let words = try await words(context)
      try context.expectNone(
        attributes.filter { !words.contains($0) && context.target.service($0) != nil }.sorted().map { "no \($0)" },
        "the device's services in Attributes")
    },
  ]

  private static func words(_ context: CheckContext) async throws(Finding) -> Set<String> {
    Set(try await context.result(of: "Attributes", service).split(separator: " ").map(String.init))
  }

  // MARK: Standby

  private static let setStandby = Prerequisite.action(service, "SetStandby")

  private static let standby: [Check] = [
    Check(
      "oh/product/standby", .openHome, .practice, "Standby returns what SetStandby has set.",
      source: "home-assistant/core: components/openhome/media_player.py switches by it", needs: [setStandby],
      changes: [.source, .standby], steps: "Sets standby, leaves it, and reads Standby after each."
    ) { context async throws(Finding) in
      for value in ["1", "0"] {
        try await context.write(.standby, value)
        try await context.expectSoon(value, of: "Standby", service, "after SetStandby")
      }
    },
    Check(
      "oh/product/standby-event", .openHome, .practice, "A change of Standby is evented.",
      source: "UDA 1.0 §4.2: the SCPD events Standby", needs: [setStandby, .eventsOf(service)],
      changes: [.source, .standby], steps: "Subscribes to Product, and sets Standby to the other value."
    ) { context async throws(Finding) in
      let isStandby = try await context.boolean(of: "Standby", service)
      try await context.expectEvent(service, "Standby", "after SetStandby") {
        CheckContext.boolean($0) == !isStandby
      } after: { () async throws(Finding) in
        try await context.write(.standby, isStandby ? "0" : "1")
      }
    },
    Check(
      "oh/product/source-leaves-standby", .openHome, .practice, "The selection of a source ends standby.",
      source: player, needs: [setStandby, .action(service, "SetSourceIndex")], changes: [.source, .standby],
      steps: "Sets standby and selects the current source. Passes if Standby becomes false."
    ) { context async throws(Finding) in
      let index = try await context.read(.source)
      try await context.write(.standby, "1")
      try await context.expectSoon("1", of: "Standby", service, "after SetStandby")
      try await context.write(.source, index)
      try await context.expectSoon("0", of: "Standby", service, "after SetSourceIndex")
    },
  ]
}

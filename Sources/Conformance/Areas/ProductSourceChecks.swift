import ControlPoint
import UPnP

/// OpenHome's Product: the sources and their selection.
enum ProductSourceChecks {
  private static let service = ProductChecks.service
  private static let wiki = ProductChecks.wiki
  private static let homeAssistant = "home-assistant/core: components/openhome/media_player.py"
  private static let sourceXML = Prerequisite.action(service, "SourceXml")

  static let all: [Check] = list + selection

  // MARK: The list

  private static func list(
    _ id: String, _ level: Level, _ requirement: String, source: String, needs: [Prerequisite] = [], steps: String,
    _ examine: @escaping @Sendable (CheckContext, [ProductSource]) async throws(Finding) -> Void
  ) -> Check {
    Check(
      "oh/product/\(id)", .openHome, level, requirement, source: source, needs: [sourceXML] + needs, steps: steps
    ) { context async throws(Finding) in
      try await examine(context, try await context.sources())
    }
  }

  private static let list: [Check] = [
    list(
      "source-xml", .must, "SourceXml is a <SourceList> of <Source>, each with Name, Type and Visible.", source: wiki,
      steps: "Reads SourceXml. It is well-formed XML of this form, and has at least one source."
    ) { context, sources throws(Finding) in
      try context.expect(!sources.isEmpty, "sources in SourceXml", got: "none")
      try context.expectNone(
        sources.enumerated().flatMap { index, source in
          source.missing.map { "source \(index) has no \($0)" }
        }, "Name, Type and Visible of each source")
    },
    list(
      "source-visible", .practice, "Visible is true or false.",
      source:
        "openhome/ohPipeline: OpenHome/Av/Product.cpp; bazwilliams/openhomedevice had to learn that AURALiC says 1",
      steps: "Reads SourceXml. Each Visible is the word true or false, and at least one is true."
    ) { context, sources throws(Finding) in
      try context.expectNone(
        sources.compactMap(\.visible).filter { !["true", "false"].contains($0) }.map { "\"\($0)\"" },
        "true or false")
      try context.expect(sources.contains { $0.isVisible == true }, "a visible source", got: "none")
    },
    list(
      "source-names", .practice, "The names of the visible sources differ, and so do the system names of all sources.",
      source: "\(homeAssistant) selects by name",
      steps: "Reads SourceXml. No name of a visible source and no system name occurs twice."
    ) { context, sources throws(Finding) in
      for names in [sources.filter { $0.isVisible == true }.compactMap(\.name), sources.compactMap(\.systemName)] {
        let twice = Set(names.filter { name in names.count { $0 == name } > 1 })
        try context.expectNone(twice.sorted().map { "\"\($0)\" twice" }, "different names")
      }
    },
    list(
      "source-types", .practice,
      "There is a source of the type Playlist, Radio and Receiver if and only if the device has the service.",
      source: "\(homeAssistant) chooses the service by the type of the source",
      steps: "Reads SourceXml. The types Playlist, Radio and Receiver occur just as the services do."
    ) { context, sources throws(Finding) in
      let problems = ["Playlist", "Radio", "Receiver"].compactMap { type -> String? in
        let hasSource = sources.contains { $0.type == type }
        let hasService = context.target.service(type) != nil
        return hasSource == hasService ? nil : hasSource ? "no service \(type)" : "no source of the type \(type)"
      }
      try context.expectNone(problems, "a source for each service, and the reverse")
    },
    list(
      "source-count", .must, "SourceCount is the number of sources in SourceXml.", source: wiki,
      needs: [.action(service, "SourceCount")], steps: "Compares SourceCount with the sources in SourceXml."
    ) { context, sources async throws(Finding) in
      let count = try await context.integer(of: "SourceCount", service)
      try context.expect(count == sources.count, "\(sources.count) sources", got: "\(count)")
    },
    list(
      "source-index", .must, "SourceIndex is less than the number of sources.", source: wiki,
      needs: [.action(service, "SourceIndex")], steps: "Compares SourceIndex with the sources in SourceXml."
    ) { context, sources async throws(Finding) in
      let index = try await context.integer(of: "SourceIndex", service)
      try context.expect(
        sources.indices.contains(index), "an index from 0 to \(sources.count - 1)", got: "\(index)")
    },
    list(
      "source-details", .practice, "Source returns what SourceXml says.",
      source: "bazwilliams/openhomedevice: device.py reads the list with SourceXml and the current source with Source",
      needs: [.action(service, "Source")], steps: "Calls Source for each index and compares it with SourceXml."
    ) { context, sources async throws(Finding) in
      var problems: [String] = []
      for (index, source) in sources.enumerated() {
        let details = try await context.call(service, "Source", [("Index", "\(index)")])
        if details["Name"] != source.name { problems.append("the name \"\(details["Name"] ?? "")\" at \(index)") }
        if details["Type"] != source.type { problems.append("the type \"\(details["Type"] ?? "")\" at \(index)") }
        if details["Visible"].flatMap(CheckContext.boolean) != source.isVisible {
          problems.append("Visible \(details["Visible"] ?? "") at \(index)")
        }
        if let name = source.systemName, details["SystemName"] != name {
          problems.append("the system name \"\(details["SystemName"] ?? "")\" at \(index)")
        }
      }
      try context.expectNone(problems, "what SourceXml says")
    },
    list(
      "source-out-of-range", .practice, "Source refuses an index beyond the last source with 801.",
      source: "openhome/ohPipeline: OpenHome/Av/ProviderProduct.cpp", needs: [.action(service, "Source")],
      steps: "Calls Source with the number of sources as the index. Passes with 801, or 402, 600 or 601 of UDA."
    ) { context, sources async throws(Finding) in
      let answer = try await context.answer(service, "Source", [("Index", "\(sources.count)")])
      try context.expectFault(refusals, answer, to: "the index \(sources.count)")
    },
    list(
      "change-count", .practice, "SourceXmlChangeCount changes only with SourceXml.", source: wiki,
      needs: [.action(service, "SourceXmlChangeCount")],
      steps: "Reads SourceXmlChangeCount and SourceXml twice. If SourceXml is the same, so is the count."
    ) { context, sources async throws(Finding) in
      let first = try await context.integer(of: "SourceXmlChangeCount", service)
      let second = try await context.integer(of: "SourceXmlChangeCount", service)
      guard try await context.sources() == sources else { throw .inconclusive("the sources change") }
      try context.expect(first == second, "the count \(first) again", got: "\(second)")
    },
  ]

  // MARK: Selection

  /// OpenHome's own error for an unknown source, and those of UDA for a bad value.
  private static let refusals: Set = [402, 600, 601, 801]

  /// Selects each visible source.
  private static func select(
    _ id: String, _ level: Level, by action: String, source: String,
    _ key: @escaping @Sendable (Int, ProductSource) -> String?
  ) -> Check {
    Check(
      "oh/product/\(id)", .openHome, level, "\(action) selects any visible source.", source: source,
      needs: [sourceXML, .action(service, action)], changes: [.source, .standby],
      steps: "Calls \(action) for each visible source, and waits until SourceIndex is its index."
    ) { context async throws(Finding) in
      for (index, source) in try await context.sources().enumerated() where source.isVisible == true {
        guard let value = key(index, source) else { continue }
        try await context.call(service, action, [("Value", value)])
        try await context.expectSoon("\(index)", of: "SourceIndex", service, "after \(action) with \"\(value)\"")
      }
    }
  }

  /// Tries to select a source that does not exist.
  private static func refuse(
    _ id: String, by action: String, _ key: @escaping @Sendable ([ProductSource]) -> String
  ) -> Check {
    Check(
      "oh/product/\(id)", .openHome, .practice, "\(action) refuses an unknown source with 801, and changes nothing.",
      source: "openhome/ohPipeline: OpenHome/Av/ProviderProduct.cpp", needs: [sourceXML, .action(service, action)],
      changes: [.source, .standby],
      steps:
        "Calls \(action) for a source that does not exist. Passes with 801, or 402, 600 or 601 of UDA, if SourceIndex stays the same."
    ) { context async throws(Finding) in
      let before = try await context.read(.source)
      let value = key(try await context.sources())
      let answer = try await context.answer(service, action, [("Value", value)])
      try context.expectFault(refusals, answer, to: "the source \"\(value)\"")
      let after = try await context.read(.source)
      try context.expect(after == before, "the source \(before) as before", got: after)
    }
  }

  private static let unknownName = "No such source"

  private static let selection: [Check] = [
    select("select-by-index", .must, by: "SetSourceIndex", source: wiki) { index, _ in "\(index)" },
    select("select-by-name", .must, by: "SetSourceIndexByName", source: wiki) { _, source in source.name },
    select(
      "select-by-system-name", .practice, by: "SetSourceBySystemName",
      source: "openhome/ohPipeline: OpenHome/Av/ProviderProduct.cpp"
    ) { _, source in source.systemName },
    refuse("unknown-index", by: "SetSourceIndex") { "\($0.count)" },
    refuse("unknown-name", by: "SetSourceIndexByName") { _ in unknownName },
    refuse("unknown-system-name", by: "SetSourceBySystemName") { _ in unknownName },
    Check(
      "oh/product/source-event", .openHome, .practice, "A change of SourceIndex is evented.",
      source: "UDA 1.0 §4.2: the SCPD events SourceIndex",
      needs: [sourceXML, .action(service, "SetSourceIndex"), .eventsOf(service)], changes: [.source, .standby],
      steps: "Subscribes to Product, and selects another visible source."
    ) { context async throws(Finding) in
      let current = try await context.read(.source)
      let others = try await context.sources().enumerated().filter { $1.isVisible == true && "\($0)" != current }
      guard let other = others.first?.offset else { throw .skip("the device has no other visible source") }
      try await context.expectEvent(service, "SourceIndex", "\(other) after SetSourceIndex") {
        $0 == "\(other)"
      } after: { () async throws(Finding) in
        try await context.write(.source, "\(other)")
      }
    },
  ]
}

/// A `<Source>` of SourceXml. Elements that are missing are nil.
struct ProductSource: Sendable, Equatable {
  var name: String?
  var type: String?
  /// As it is written.
  var visible: String?
  /// Since Product:2.
  var systemName: String?

  var isVisible: Bool? { visible.flatMap(CheckContext.boolean) }

  /// The required elements that it does not have, or that are empty.
  var missing: [String] {
    [("Name", name), ("Type", type), ("Visible", visible)].compactMap { $1?.isEmpty == false ? nil : $0 }
  }
}

extension CheckContext {
  /// The sources of SourceXml.
  func sources() async throws(Finding) -> [ProductSource] {
    let text = try await result(of: "SourceXml", ProductChecks.service)
    guard let reading = try? XMLDocument.read(Array(text.utf8)), reading.repairs.isEmpty,
      reading.root.name == "SourceList"
    else { throw .failure(expected: "a <SourceList> in SourceXml", got: "\"\(text.prefix(80))\"") }
    return reading.root.all("Source").map {
      ProductSource(
        name: $0.text("Name"), type: $0.text("Type"), visible: $0.text("Visible"), systemName: $0.text("SystemName"))
    }
  }
}

import ControlPoint
import UPnP

/// ContentDirectory: Browse, its numbers and its errors.
enum ContentDirectoryChecks {
  static let all: [Check] = objects + pages + errors + updates

  private static let service = CheckContext.directory
  private static let browse = "ContentDirectory:1 §2.7.4.2"
  private static let faults = "the table of error codes in ContentDirectory:1 §2.7.4"

  // MARK: Objects

  private static let objects: [Check] = [
    .directory(
      "2.7.4/root", .must, "The object with the id 0 is the root container, whose parent is -1.", source: browse,
      steps: "Browses the metadata of 0. Passes with one container with the id 0 and the parentID -1."
    ) { context async throws(Finding) in
      let answer = try await context.browse(.init(flag: "BrowseMetadata"))
      let root = answer.objects.first
      let got = "\(root?.name ?? "nothing") \"\(answer.ids.first ?? "")\" in \"\(root?.attributes["parentID"] ?? "")\""
      try context.expect(
        answer.objects.count == 1 && root?.name == "container" && answer.ids == ["0"]
          && root?.attributes["parentID"] == "-1", "container \"0\" in \"-1\"", got: got)
    },
    .directory(
      "2.7.4/metadata", .must,
      "BrowseMetadata returns the object itself, with the NumberReturned and TotalMatches 1.", source: browse,
      steps: "Browses the metadata of up to five objects. Passes if each answer has this object and both numbers are 1."
    ) { context async throws(Finding) in
      let ids = try await context.sample().objects.compactMap { $0.attributes["id"] }
      var problems: [String] = []
      for id in ids.prefix(3) + ids.suffix(2) {
        let answer = try await context.browse(.init(id: id, flag: "BrowseMetadata"))
        let numbers = [answer.returned, answer.total].map { $0.map(String.init) ?? "none" }
        if answer.ids != [id] || numbers != ["1", "1"] {
          problems.append("\(answer.ids.map { "\"\($0)\"" }) with \(numbers.joined(separator: " and ")) for \"\(id)\"")
        }
      }
      try context.expectNone(problems, "one object")
    },
    .directory(
      "2.7.4/parent", .practice, "The parentID of a child is the id of its container.",
      source: "ContentDirectory:1, appendix B, @parentID", steps: "Browses up to 24 containers."
    ) { context async throws(Finding) in
      let problems = try await context.sample().containers.flatMap { container in
        container.answer.objects.filter { $0.attributes["parentID"] != container.id }.map {
          "\"\($0.attributes["parentID"] ?? "")\" in \"\(container.id)\""
        }
      }
      try context.expectNone(problems, "the id of the container")
    },
    .directory(
      "2.7.4/child-count", .practice, "The childCount of a container is the TotalMatches of its children.",
      source: "ContentDirectory:1, appendix B, @childCount",
      steps: "Browses up to 24 containers. Judges those with a childCount."
    ) { context async throws(Finding) in
      let problems = try await context.sample().containers.compactMap { container -> String? in
        let answer = container.answer
        // TotalMatches may be 0 if it is not known.
        guard let count = container.childCount, let total = answer.total, total > 0 || answer.objects.isEmpty else {
          return nil
        }
        return count == "\(total)" ? nil : "\(count) with the TotalMatches \(total)"
      }
      try context.expectNone(problems, "equal numbers")
    },
  ]

  // MARK: Pages

  private static let pages: [Check] = [
    .directory(
      "2.7.4/numbers", .must, "NumberReturned is the number of objects in the answer, and TotalMatches is not less.",
      source: browse, steps: "Browses up to 24 containers. TotalMatches may be 0 if it is not known."
    ) { context async throws(Finding) in
      let problems = try await context.sample().containers.flatMap(\.answer.numberProblems)
      try context.expectNone(problems, "numbers that fit the objects")
    },
    .directory(
      "2.7.4/requested-count", .must, "Browse returns no more than RequestedCount objects.", source: browse,
      steps: "Browses a container with two children or more, with the RequestedCount 1."
    ) { context async throws(Finding) in
      let container = try await context.sample().container(withAtLeast: 2)
      let answer = try await context.browse(.init(id: container.id, count: 1))
      try context.expect(answer.objects.count == 1, "one object", got: "\(answer.objects.count)")
      try context.expect(
        answer.total == 0 || answer.total == container.answer.total,
        "the TotalMatches \(container.answer.objects.count)", got: answer.total.map(String.init) ?? "none")
    },
    .directory(
      "2.7.4/all", .must, "The RequestedCount 0 asks for all children.", source: browse,
      steps: "Browses a container with two children or more, with the RequestedCount 0."
    ) { context async throws(Finding) in
      let sizes = 2...DirectorySample.pageSize
      guard
        let container = try await context.sample().containers.first(where: { container in
          container.answer.total.map { sizes.contains($0) } ?? false
        })
      else { throw .skip("no container with two children was found") }
      let total = container.answer.total ?? 0
      let answer = try await context.browse(.init(id: container.id))
      try context.expect(answer.objects.count == total, "\(total) objects", got: "\(answer.objects.count)")
    },
    .directory(
      "2.7.4/paging", .practice, "Pages have all children of a container, each once and in the same order.",
      source: "\(browse); BubbleUPnP and Kodi read containers in pages",
      steps: "Reads a container with two children or more in up to four pages, and compares them with one request."
    ) { context async throws(Finding) in
      let container = try await context.sample().container(withAtLeast: 2)
      let expected = container.answer.ids
      let size = (expected.count + 3) / 4
      var ids: [String] = []
      for start in stride(from: 0, to: expected.count, by: size) {
        ids += try await context.browse(.init(id: container.id, start: start, count: size)).ids
      }
      let (missing, extra) = (Set(expected).subtracting(ids).count, ids.count - Set(ids).count)
      try context.expect(
        ids == expected, "the same \(expected.count) objects",
        got: "\(ids.count), of which \(missing) are missing and \(extra) repeated")
    },
    .directory(
      "2.7.4/beyond", .practice, "A page after the last child is empty.",
      source: "BubbleUPnP and Kodi read pages until one is empty", steps: "Browses the root from index 100000 on."
    ) { context async throws(Finding) in
      let answer = try await context.answer(service, "Browse", CheckContext.Browse(start: 100_000, count: 10).arguments)
      // A refusal ends the pages, too.
      guard let outputs = answer.outputs else {
        return try context.expectFault([402, 600, 601], answer, to: "index 100000")
      }
      let page = DirectoryAnswer(outputs)
      try context.expect(page.objects.isEmpty, "no object", got: "\(page.objects.count)")
    },
  ]

  // MARK: Errors

  private static func refused(
    _ id: String, _ level: Level, _ requirement: String, source: String, codes: Set<Int>, _ what: String,
    _ browse: CheckContext.Browse
  ) -> Check {
    let list = codes.sorted().map(String.init).joined(separator: ", ")
    return .directory(
      "2.7.4/\(id)", level, requirement, source: source,
      steps: "Browses with \(what). Passes with one of the errors \(list)."
    ) { context async throws(Finding) in
      let answer = try await context.answer(service, "Browse", browse.arguments)
      try context.expectFault(codes, answer, to: what)
    }
  }

  private static let errors: [Check] = [
    refused(
      "unknown-object", .must, "An ObjectID that does not exist is refused with 701.", source: faults, codes: [701],
      "an unknown ObjectID", .init(id: "swiftlet-no-such-object", count: 1)),
    refused(
      "unknown-object-metadata", .must, "BrowseMetadata of an ObjectID that does not exist is refused with 701.",
      source: faults, codes: [701], "an unknown ObjectID and BrowseMetadata",
      .init(id: "swiftlet-no-such-object", flag: "BrowseMetadata", count: 1)),
    refused(
      "unknown-flag", .practice, "A BrowseFlag that does not exist is refused.",
      source: "the table of error codes in UDA 1.0 §3.2.2",
      codes: [402, 600, 601], "an unknown BrowseFlag", .init(flag: "BrowseNothing", count: 1)),
    refused(
      "unknown-sort", .must, "A SortCriteria with an unknown property is refused with 709.", source: faults,
      codes: [709], "an unknown property in SortCriteria", .init(count: 1, sort: "+swiftlet:none")),
    .directory(
      "2.7.4/sorted", .practice, "Ascending order by title is ascending, and descending order its opposite.",
      source: "ContentDirectory:1 §2.5, A_ARG_TYPE_SortCriteria",
      steps:
        "Sorts a container of items by +dc:title and -dc:title, if SortCapabilities has dc:title and the titles differ."
    ) { context async throws(Finding) in
      try await context.require("dc:title", of: .sort)
      let container = try await context.sample().container(withAtLeast: 2) { $0.name == "item" }
      let titles = container.answer.objects.compactMap { $0.text("title")?.lowercased() }
      guard Set(titles).count == titles.count else { throw .skip("the titles do not differ") }
      let up = try await context.browse(.init(id: container.id, sort: "+dc:title"))
      let down = try await context.browse(.init(id: container.id, sort: "-dc:title"))
      try context.expect(up.ids == down.ids.reversed(), "opposite orders", got: "other orders")
      let ends = [up.objects.first, up.objects.last].map { $0?.text("title")?.lowercased() ?? "" }
      // The order of other letters depends on the language.
      guard ends.allSatisfy({ $0.utf8.first.map { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) } ?? false })
      else { return }
      try context.expect(
        ends[0] <= ends[1], "\"\(ends[1])\" before \"\(ends[0])\" in ascending order", got: "the reverse")
    },
  ]

  // MARK: Updates

  private static let updates: [Check] = [
    .directory(
      "2.7.4/update-id", .must, "The UpdateID of the root is the SystemUpdateID.", source: browse,
      steps: "Calls GetSystemUpdateID and browses the children of 0, again if the number has risen."
    ) { context async throws(Finding) in
      var (browsed, read) = ("", "")
      for _ in 0..<3 {
        browsed = try await context.browse(.init(count: 1)).updateID
        read = try await context.result("Id", of: "GetSystemUpdateID", service)
        if browsed == read { return }
        await context.clock.sleep(real: context.times.rest)
      }
      throw .failure(expected: "the UpdateID \(read)", got: "\"\(browsed)\"")
    },
    Check(
      "cds/2.7.3/event", .contentDirectory, .must, "GetSystemUpdateID returns the evented SystemUpdateID.",
      source: "ContentDirectory:1 §2.5, SystemUpdateID, which is evented", needs: [.service(service)],
      steps: "Subscribes, reads the first event and calls GetSystemUpdateID. A later event may have the new value."
    ) { context async throws(Finding) in
      let directory = try context.service(service)
      try await context.withSubscription(to: directory) { subscription throws(Finding) in
        let event = try await context.initialEvent(subscription)
        let evented = try context.variables(event).first { $0.name == "SystemUpdateID" }?.value
        let read = try await context.result("Id", of: "GetSystemUpdateID", service)
        if evented == read { return }
        let values = await subscription.wait(context.times.settle) { events -> [String]? in
          let values = events.flatMap { (try? EventReader.read($0.body).variables) ?? [] }
            .filter { $0.name == "SystemUpdateID" }.map(\.value)
          return values.contains(read) ? values : nil
        }
        try context.expect(
          values != nil, "the evented value \(read)", got: evented.map { "\"\($0)\"" } ?? "no such event")
      }
    },
  ]
}

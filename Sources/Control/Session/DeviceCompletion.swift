import ArgumentParser
import ControlPoint
import Logging
import Synchronization
import UPnP

extension CompletionKind {
  /// The names of the devices on the network.
  static let devices = CompletionKind.custom { words, _, _ in
    await DeviceCompletion.candidates(for: .rootDevice, words: words)
  }

  /// The names of the media servers on the network.
  static let servers = CompletionKind.custom { words, _, _ in
    let type = URN(domain: "schemas-upnp-org", kind: .device, name: "MediaServer", version: 1)
    return await DeviceCompletion.candidates(for: .type(type), words: words)
  }
}

extension CompletionKind {
  /// The sources of the device that the command line names.
  static let sources = CompletionKind.custom { words, _, _ in await DeviceCompletion.sources(words: words) }

  /// The objects of the media server that the command line names, below the container that the path begins with.
  static let paths = CompletionKind.custom { words, index, _ in
    await DeviceCompletion.paths(words: words, path: words.indices.contains(index) ? words[index] : "")
  }
}

/// Device names for a shell that completes an argument. Every error leads to fewer names, never to a message.
enum DeviceCompletion {
  /// Devices answer a search within one second (MX). The rest is for reading their descriptions.
  private static let limit = Duration.milliseconds(1300)
  /// Nobody chooses from a longer list.
  private static let maximumDevices = 256
  private static let maximumLength = 200

  /// The names that are read in time.
  private final class Names: Sendable {
    let found = Mutex<Set<String>>([])
  }

  /// - Parameter words: the command line so far.
  /// - Returns: the names, quoted for the shell that asks.
  static func candidates(for target: SearchTarget, words: [String]) async -> [String] {
    guard let options = options(in: words) else { return [] }
    let logger = Logger(label: "swiftlet-control") { _ in SwiftLogNoOpLogHandler() }
    let controlPoint = UPnPControlPoint(settings: options.settings, logger: logger)
    guard (try? await controlPoint.start()) != nil else { return [] }
    let names = await names(target, controlPoint)
    await controlPoint.stop()
    return names.sorted().map { quoted($0, for: CompletionShell.requesting) }
  }

  /// The names of the visible sources of the device after the word `source`.
  static func sources(words: [String]) async -> [String] {
    await names(ofDeviceAfter: "source", in: words) { text, devices, controlPoint in
      let speakers = SpeakerPairing.speakers(among: devices.map(\.description))
      guard let devices = try? DeviceSelector.select(text, among: speakers).candidate,
        let speaker = try? await controlPoint.speaker(of: devices), let sources = try? await speaker.sources()
      else { return [] }
      return sources.filter(\.isVisible).map(\.name)
    }
  }

  /// The paths below the last container in a path, of the server after the word `browse`.
  static func paths(words: [String], path: String) async -> [String] {
    await names(ofDeviceAfter: "browse", in: words) { text, devices, controlPoint in
      let servers = devices.filter { $0.service(named: "ContentDirectory") != nil }
      guard let device = try? DeviceSelector.select(text, among: servers).candidate,
        let server = try? await MediaServer(device.root, controlPoint)
      else { return [] }
      let path = ShellWord.unquoted(path)
      let place = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "/"
      var paths: [String] = []
      do {
        let container = try await server.resolve(MediaPath(place))
        for try await object in server.browse(container?.id ?? MediaServer.root).objects {
          paths.append(place + object.title + (object.isContainer ? "/" : ""))
          if paths.count == maximumDevices { break }
        }
      } catch {}
      return paths
    }
  }

  /// Names that a device offers.
  /// - Parameters:
  ///   - command: the word before the device.
  ///   - body: called with the device's name, all devices and the control point.
  private static func names(
    ofDeviceAfter command: String, in words: [String],
    _ body: (String, [FoundDevice], UPnPControlPoint) async -> [String]
  ) async -> [String] {
    guard let options = options(in: words), let place = words.firstIndex(of: command), place + 1 < words.count else {
      return []
    }
    let text = DeviceNames.read().device(ShellWord.unquoted(words[place + 1]))
    let logger = Logger(label: "swiftlet-control") { _ in SwiftLogNoOpLogHandler() }
    let controlPoint = UPnPControlPoint(settings: options.settings, logger: logger)
    guard (try? await controlPoint.start()) != nil else { return [] }
    let query = DeviceQuery(text)
    if let host = query.host { await controlPoint.search(at: host) }
    let findings = await DeviceSearch(controlPoint: controlPoint, wait: limit).run { query.patience(after: $0) }
    let names = await body(text, findings.devices, controlPoint)
    await controlPoint.stop()
    return names.filter(isUsable).map { quoted($0, for: CompletionShell.requesting) }
  }

  private static func names(_ target: SearchTarget, _ controlPoint: UPnPControlPoint) async -> Set<String> {
    let names = Names()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await Task.sleep(for: limit) }
      group.addTask {
        await withDiscardingTaskGroup { reads in
          var count = 0
          for await change in await controlPoint.devices(target) {
            guard case .appeared(let device) = change, count < maximumDevices else { continue }
            count += 1
            reads.addTask {
              guard let description = try? await controlPoint.description(at: device.location) else { return }
              let name = description.root.friendlyName
              if isUsable(name) { names.found.withLock { _ = $0.insert(name) } }
            }
          }
        }
      }
      await group.next()
      group.cancelAll()
    }
    return names.found.withLock { $0 }
  }

  /// A shell separates candidates by lines, and descriptions by tabs.
  private static func isUsable(_ name: String) -> Bool {
    !name.isEmpty && name.unicodeScalars.count <= maximumLength
      && !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  /// The network options that are already on the command line.
  static func options(in words: [String]) -> NetworkOptions? {
    let names = ["--interface", "--allow"]
    var found = words.filter { word in names.contains { word.hasPrefix("\($0)=") } }
    for (word, next) in zip(words, words.dropFirst()) where names.contains(word) { found += [word, next] }
    return (try? NetworkOptions.parse(found)) ?? (try? NetworkOptions.parse([]))
  }

  /// Quotes a name for the completion scripts of the argument parser.
  static func quoted(_ name: String, for shell: CompletionShell?) -> String {
    if shell == .bash {
      // `compgen -W` expands every line like a word, command substitution included.
      return "'\(name.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#))'"
    }
    guard shell == .zsh else { return name }
    // `_describe` treats text after a colon as a description.
    return name.reduce(into: "") { quoted, character in
      if character == "\\" || character == ":" { quoted.append("\\") }
      quoted.append(character)
    }
  }
}

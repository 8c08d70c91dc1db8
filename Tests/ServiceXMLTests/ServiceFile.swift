import Foundation
import Testing

@testable import ServiceXML

/// A description in the project's `service-xml` folder.
struct ServiceFile: Sendable, CustomTestStringConvertible {
  /// `hosted` or `complete`.
  var set: String
  var domain: String
  var name: String

  var path: String { "\(set)/\(domain)/\(name)" }
  var testDescription: String { path }

  static let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  static let folder = project.appending(path: "service-xml")

  static let hosted = all(in: "hosted", ending: ".xml")
  static let complete = all(in: "complete", ending: ".xml")

  static func all(in set: String, ending: String) -> [ServiceFile] {
    let paths = FileManager.default.enumerator(atPath: folder.appending(path: set).path)?.allObjects ?? []
    return paths.compactMap { $0 as? String }.filter { $0.hasSuffix(ending) }.sorted().map { path in
      let parts = path.dropLast(ending.count).split(separator: "/").map(String.init)
      return ServiceFile(set: set, domain: parts[0], name: parts[1])
    }
  }

  var scpd: String {
    get throws { try Self.text("service-xml/\(path).xml") }
  }

  func read() throws -> Service {
    let rules = (try? Self.text("service-xml/\(path).rules")) ?? ""
    return try ServiceReader.read(scpd: scpd, rules: rules, fileName: name, domain: domain)
  }

  /// - Parameter path: from the project's folder.
  static func text(_ path: String) throws -> String {
    try String(contentsOf: project.appending(path: path), encoding: .utf8)
  }
}

import Foundation
import ServiceXML

/// `service-xml-tool FOLDER OUTPUT`: writes a Swift file for each `FOLDER/DOMAIN/NAMEVERSION.xml`.

/// - Returns: whether every service could be made; what was wrong with the others is printed.
func generate(from folder: URL, to output: URL) throws -> Bool {
  let files = FileManager.default
  var domains: [String: String] = [:]
  var isWhole = true
  for domain in try files.contentsOfDirectory(atPath: folder.path).sorted() {
    let domainFolder = folder.appending(path: domain)
    guard let names = try? files.contentsOfDirectory(atPath: domainFolder.path) else { continue }
    let services = Set(names.filter { $0.hasSuffix(".xml") }.map { String($0.dropLast(4)) })
    let rules = Set(names.filter { $0.hasSuffix(".rules") }.map { String($0.dropLast(6)) })
    for name in services.union(rules).sorted() {
      let path = domainFolder.appending(path: name)
      do {
        guard services.contains(name) else { throw ServiceXMLError("rules for no service", in: .rules) }
        if let other = domains.updateValue(domain, forKey: name) {
          throw ServiceXMLError("the name stands in \(other) too, and Swift has room for one")
        }
        let service = try ServiceReader.read(
          scpd: String(contentsOf: path.appendingPathExtension("xml"), encoding: .utf8),
          rules: rules.contains(name) ? String(contentsOf: path.appendingPathExtension("rules"), encoding: .utf8) : "",
          fileName: name, domain: domain)
        try write(Emitter.emit(service), to: output.appending(path: name + ".swift"))
      } catch let error as ServiceXMLError {
        print(error.report(at: path.path))
        isWhole = false
      } catch {
        print(ServiceXMLError("\(error)").report(at: path.path))
        isWhole = false
      }
    }
  }
  return isWhole
}

/// Leaves a file alone whose text is the same: the build system goes by the time of the last change.
func write(_ text: String, to file: URL) throws {
  if let old = try? String(contentsOf: file, encoding: .utf8), old == text { return }
  try text.write(to: file, atomically: true, encoding: .utf8)
}

guard CommandLine.arguments.count == 3 else {
  print("usage: service-xml-tool FOLDER OUTPUT")
  exit(64)
}
do {
  let isWhole = try generate(
    from: URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true),
    to: URL(fileURLWithPath: CommandLine.arguments[2], isDirectory: true))
  exit(isWhole ? 0 : 1)
} catch {
  print("error: \(error)")
  exit(1)
}

import Foundation
import ServiceXML

/// `service-xml-tool FOLDER OUTPUT`: writes a Swift file for each `FOLDER/DOMAIN/NAMEVERSION.xml`.

func generate(from folder: URL, to output: URL) throws {
  let files = FileManager.default
  var seen: [String: String] = [:]
  for domain in try files.contentsOfDirectory(atPath: folder.path).sorted() {
    let domainFolder = folder.appending(path: domain)
    guard let names = try? files.contentsOfDirectory(atPath: domainFolder.path) else { continue }
    for name in names.sorted() where name.hasSuffix(".xml") {
      let base = String(name.dropLast(4))
      let path = "\(domain)/\(name)"
      do {
        if let other = seen.updateValue(domain, forKey: base) {
          throw ServiceXMLError("stands in \(other) too")
        }
        let rulesPath = domainFolder.appending(path: base + ".rules").path
        let service = try ServiceReader.read(
          scpd: String(contentsOf: domainFolder.appending(path: name), encoding: .utf8),
          rules: files.fileExists(atPath: rulesPath) ? String(contentsOfFile: rulesPath, encoding: .utf8) : "",
          fileName: base, domain: domain)
        try write(Emitter.emit(service), to: output.appending(path: base + ".swift"))
      } catch {
        throw ServiceXMLError("\(path): \(error)")
      }
    }
  }
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
  try generate(
    from: URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true),
    to: URL(fileURLWithPath: CommandLine.arguments[2], isDirectory: true))
} catch {
  // The form that build systems show as an error.
  print("error: service-xml/\(error)")
  exit(1)
}

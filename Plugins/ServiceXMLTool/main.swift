import Foundation
import ServiceXML

/// `service-xml-tool SELECTION FOLDER OUTPUT MODULE`: writes one Swift file for MODULE with the services that SELECTION
/// names, from their SCPDs in FOLDER.

/// - Returns: nil if a service has an error; all errors are printed.
func generate(_ selection: Selection, from folder: URL, for module: String) -> String? {
  var texts: [String] = []
  for entry in selection.entries {
    let file = folder.appending(path: entry.path)
    let scpd = file.appendingPathExtension("xml")
    do {
      guard FileManager.default.fileExists(atPath: scpd.path) else { throw ServiceXMLError("no such file") }
      let service = try ServiceReader.read(
        scpd: try String(contentsOf: scpd, encoding: .utf8),
        rules: try rules(file.appendingPathExtension("rules")),
        fileName: entry.fileName, domain: entry.domain)
      switch entry.kind {
      case .provider: texts.append(try Emitter.emit(service))
      case .client: texts.append(try ClientEmitter.emit(service, for: module))
      }
    } catch let error as ServiceXMLError {
      print(error.report(at: file.path))
    } catch {
      print(ServiceXMLError("\(error)").report(at: file.path))
    }
  }
  return texts.count == selection.entries.count ? texts.joined(separator: "\n") : nil
}

/// The rules of a service; none if it has no file.
func rules(_ file: URL) throws -> String {
  guard FileManager.default.fileExists(atPath: file.path) else { return "" }
  return try String(contentsOf: file, encoding: .utf8)
}

/// Leaves a file with the same text alone: the build system compares modification times.
func write(_ text: String, to file: URL) throws {
  if let old = try? String(contentsOf: file, encoding: .utf8), old == text { return }
  try text.write(to: file, atomically: true, encoding: .utf8)
}

guard CommandLine.arguments.count == 5 else {
  print("usage: service-xml-tool SELECTION FOLDER OUTPUT MODULE")
  exit(64)
}
let selectionFile = URL(fileURLWithPath: CommandLine.arguments[1])
do {
  let selection = try Selection(reading: String(contentsOf: selectionFile, encoding: .utf8))
  let folder = URL(fileURLWithPath: CommandLine.arguments[2], isDirectory: true)
  guard let text = generate(selection, from: folder, for: CommandLine.arguments[4]) else { exit(1) }
  try write(text, to: URL(fileURLWithPath: CommandLine.arguments[3]))
} catch let error as ServiceXMLError {
  print(error.report(at: selectionFile.deletingPathExtension().path))
  exit(1)
} catch {
  print("error: \(error)")
  exit(1)
}

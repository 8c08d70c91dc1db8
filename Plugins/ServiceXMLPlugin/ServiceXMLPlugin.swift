import Foundation
import PackagePlugin

/// Turns the SCPDs that a target's `service-xml.txt` names into Swift. They are in the target's own `service-xml`
/// folder if it has one, otherwise in the package's.
@main
struct ServiceXMLPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    guard let module = target as? SourceModuleTarget else {
      throw PluginError(message: "\(target.name) is not a source module")
    }
    let selection = module.directoryURL.appending(path: "service-xml.txt")
    guard FileManager.default.fileExists(atPath: path(selection)) else {
      throw PluginError(message: "\(path(selection)) is missing: it names the services of \(target.name)")
    }
    let own = module.directoryURL.appending(path: "service-xml")
    let folder =
      FileManager.default.fileExists(atPath: path(own))
      ? own : context.package.directoryURL.appending(path: "service-xml")
    // A single output of a fixed name: SwiftPM does not run this plugin again when only the text of the selection
    // changes.
    let output = context.pluginWorkDirectoryURL.appending(path: "GeneratedServices.swift")
    return [
      .buildCommand(
        displayName: "Generating the services of \(target.name)",
        executable: try context.tool(named: "service-xml-tool").url,
        arguments: [selection, folder, output].map(path) + [module.moduleName],
        inputFiles: [selection] + descriptions(in: folder),
        outputFiles: [output])
    ]
  }

  private func path(_ url: URL) -> String { url.path(percentEncoded: false) }

  private func descriptions(in folder: URL) -> [URL] {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return (files?.compactMap { $0 as? URL } ?? []).filter { ["xml", "rules"].contains($0.pathExtension) }
      .sorted { $0.path() < $1.path() }
  }
}

struct PluginError: Error, CustomStringConvertible {
  var message: String
  var description: String { message }
}

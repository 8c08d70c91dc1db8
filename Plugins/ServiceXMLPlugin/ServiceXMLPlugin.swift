import Foundation
import PackagePlugin

/// Turns the SCPDs of a `service-xml` folder into Swift: the target's own folder where it has one, else the package's.
@main
struct ServiceXMLPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    let folder = try serviceXMLFolder(context: context, target: target)
    let inputs = try files(in: folder)
    let outputFolder = context.pluginWorkDirectoryURL
    let outputs = inputs.filter { $0.pathExtension == "xml" }.map {
      outputFolder.appending(path: $0.deletingPathExtension().lastPathComponent + ".swift")
    }
    // One command with the folder and its files as inputs: with a command per file a new XML goes
    // unnoticed and a deleted one breaks the build.
    return [
      .buildCommand(
        displayName: "Generating services from \(folder.lastPathComponent)",
        executable: try context.tool(named: "service-xml-tool").url,
        arguments: [folder.path(percentEncoded: false), outputFolder.path(percentEncoded: false)],
        inputFiles: [folder] + inputs,
        outputFiles: outputs)
    ]
  }

  private func serviceXMLFolder(context: PluginContext, target: Target) throws -> URL {
    guard let module = target as? SourceModuleTarget else {
      throw PluginError(message: "\(target.name) is not a source module")
    }
    let own = module.directoryURL.appending(path: "service-xml")
    if FileManager.default.fileExists(atPath: own.path(percentEncoded: false)) { return own }
    return context.package.directoryURL.appending(path: "service-xml")
  }

  private func files(in folder: URL) throws -> [URL] {
    let domains = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return try domains.filter { $0.hasDirectoryPath }.flatMap {
      try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
    }.sorted { $0.path() < $1.path() }
  }
}

struct PluginError: Error, CustomStringConvertible {
  var message: String
  var description: String { message }
}

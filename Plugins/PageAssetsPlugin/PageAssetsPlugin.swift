import Foundation
import PackagePlugin

/// Turns the files of the package's `web` folder into one Swift file, so that the program needs no other files.
@main
struct PageAssetsPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    let folder = context.package.directoryURL.appending(path: "web")
    let output = context.pluginWorkDirectoryURL.appending(path: "GeneratedAssets.swift")
    return [
      .buildCommand(
        displayName: "Embedding the page", executable: try context.tool(named: "page-assets-tool").url,
        arguments: [folder, output].map { $0.path(percentEncoded: false) }, inputFiles: files(in: folder),
        outputFiles: [output])
    ]
  }

  private func files(in folder: URL) -> [URL] {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return (files?.compactMap { $0 as? URL } ?? []).filter { !$0.pathExtension.isEmpty }
      .sorted { $0.path() < $1.path() }
  }
}

import LocalLibrary

extension ConfigurationKind<[String]> {
  /// The folders of the music library.
  static var folders: Self {
    let paths = list(of: ConfigurationKind<String>.folder) { $0 == "," }
    return Self(
      paths.name, isList: true,
      read: { node throws(ValueProblem) in
        let folders = try paths.read(node)
        guard folders.count <= LibrarySettings.maximumFolders else {
          throw ValueProblem(
            "There are \(folders.count) folders; the library can have \(LibrarySettings.maximumFolders).")
        }
        return folders
      }, write: paths.write)
  }
}

extension ConfigurationKind<String> {
  /// A folder other than the root of the file system, whose music would be that of every disk and of the system.
  fileprivate static var folder: Self {
    Self(
      "the path of a folder that begins with /",
      reading: { value in
        switch value {
        case .text(let path), .plain(let path):
          let names = path.split(separator: "/")
          return path.hasPrefix("/") && !names.isEmpty && !names.contains("..") ? path : nil
        default: return nil
        }
      }, write: { $0.tomlText })
  }
}

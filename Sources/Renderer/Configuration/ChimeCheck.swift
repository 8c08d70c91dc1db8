import Glibc

extension ConfigurationReading {
  /// The file of the chime, if it cannot be opened. The speaker runs with the built-in chime.
  var chimeProblems: [ConfigurationProblem] {
    let key = ConfigurationKeys.shared.announcementChime
    guard let path = configuration[key] else { return [] }
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      return [problem(with: key.name, "“\(path)” is a folder.")]
    }
    guard access(path, R_OK) != 0 else { return [] }
    let reason = String(cString: strerror(errno)).lowercased()
    return [problem(with: key.name, "“\(path)” cannot be read: \(reason). The built-in chime is heard instead.")]
  }
}

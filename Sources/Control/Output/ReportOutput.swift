import ArgumentParser
import Conformance
import FoundationEssentials
import Glibc

/// A requested report: `html=page.html`, `page.html`, or `json` for standard output.
struct ReportOutput: ExpressibleByArgument {
  var format: ReportFormat
  /// Nil for standard output.
  var file: String?

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
    if parts.count == 2, let format = ReportFormat(rawValue: parts[0]) {
      self.format = format
      file = parts[1] == "-" ? nil : parts[1]
    } else if let format = ReportFormat(rawValue: argument) {
      self.format = format
    } else if let format = ReportFormat(file: argument) {
      self.format = format
      file = argument
    } else {
      return nil
    }
  }
}

/// A file that is opened before a run, so that a wrong path does not cost a run.
struct ReportFile {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  let format: ReportFormat
  private let path: String
  private let descriptor: Int32
  private let isNew: Bool

  init(_ path: String, _ format: ReportFormat) throws(Failure) {
    self.path = path
    self.format = format
    isNew = access(path, F_OK) != 0
    descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    if descriptor < 0 { throw Failure(description: "\(path) cannot be written: \(Self.reason).") }
  }

  private static var reason: String { String(cString: strerror(errno)) }

  /// Replaces the content, and closes the file.
  func write(_ text: String) throws(Failure) {
    defer { close(descriptor) }
    // Pipes and devices have no length.
    _ = ftruncate(descriptor, 0)
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Failure(description: "\(path) cannot be written: \(Self.reason).") }
      rest = rest.dropFirst(count)
    }
  }

  /// Closes the file without a report, and removes it if it did not exist before.
  func discard() {
    close(descriptor)
    if isNew { unlink(path) }
  }
}

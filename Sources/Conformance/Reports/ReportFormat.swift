/// The formats in which a run can be reported.
public enum ReportFormat: String, Sendable, CaseIterable {
  case text, json, junit, html

  /// The format of a file, by its extension.
  public init?(file: String) {
    guard let dot = file.lastIndex(of: ".") else { return nil }
    switch file[file.index(after: dot)...].lowercased() {
    case "txt": self = .text
    case "json": self = .json
    case "xml": self = .junit
    case "html", "htm": self = .html
    default: return nil
    }
  }

  /// - Parameter json: encodes a value as JSON.
  public func render(
    _ run: CheckRun, json: (JSONReport) throws -> String
  ) rethrows -> String {
    switch self {
    case .text: TextReport.text(run)
    case .json: try json(JSONReport(run))
    case .junit: JUnitReport.text(run)
    case .html: HTMLReport.text(run)
    }
  }
}

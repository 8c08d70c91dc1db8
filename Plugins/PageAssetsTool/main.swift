import Foundation

/// `page-assets-tool FOLDER OUTPUT`: writes a Swift file with all files of FOLDER, text without comments and indentation, and pictures
/// in base64.

/// The formats that are binary. All other files are text in UTF-8.
let binary: Set = ["png", "jpg", "ico", "woff2"]

/// A raw literal whose delimiter does not occur in the text. A StaticString compiles fast; an array of bytes does not.
func literal(_ text: String) -> String {
  var marks = "#"
  while text.contains("\"\"\"" + marks) || text.contains("\\" + marks) { marks += "#" }
  return "\(marks)\"\"\"\n\(text)\n\"\"\"\(marks)"
}

/// Removes comments that have lines or blocks of their own, indentation and empty lines, a seventh of what a browser would load.
/// No template literal in `web` has several lines.
func condensed(_ text: String) throws -> String {
  text.replacing(try Regex(#"(?m)^[ \t]*(//.*|/\*(?s:.*?)\*/[ \t]*)\n"#), with: "")
    .replacing(try Regex(#"(?m)^[ \t]+|^\n"#), with: "")
    .replacing(try Regex(#"\{ /\*[^*\n]*\*/ \}"#), with: "{}")
}

func entry(_ name: String, in folder: URL) throws -> String {
  let file = folder.appending(path: name)
  guard binary.contains(file.pathExtension) else {
    return "    Asset(\"\(name)\", text: \(literal(try condensed(String(contentsOf: file, encoding: .utf8))))),"
  }
  return "    Asset(\"\(name)\", base64: \"\(try Data(contentsOf: file).base64EncodedString())\"),"
}

guard CommandLine.arguments.count == 3 else {
  print("usage: page-assets-tool FOLDER OUTPUT")
  exit(64)
}
let folder = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
let output = URL(fileURLWithPath: CommandLine.arguments[2])
do {
  let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    .filter { !URL(fileURLWithPath: $0).pathExtension.isEmpty }.sorted()
  let entries = try names.map { try entry($0, in: folder) }
  // FNV-1a, which is stable between runs.
  let version = entries.joined().utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  let text = """
    // Made from the files in web; edit those instead.
    extension Asset {
      /// Changes with any of the files.
      static let version = "\(String(version, radix: 36))"

      /// The files of the page.
      static let all: [Asset] = [
    \(entries.joined(separator: "\n"))
      ]
    }

    """
  // A file with the same text is left alone: the build system compares modification times.
  if (try? String(contentsOf: output, encoding: .utf8)) != text {
    try text.write(to: output, atomically: true, encoding: .utf8)
  }
} catch {
  print("error: \(error.localizedDescription)")
  exit(1)
}

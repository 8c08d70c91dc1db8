/// How a known renderer does on a check, for `check explain`.
public struct PeerResult: Sendable, Hashable {
  public enum Verdict: String, Sendable, CaseIterable {
    case pass, fail, skip, inconclusive
  }

  /// The id of the check.
  public var check: String
  /// Name and version, such as `gmediarender 0.1`.
  public var peer: String
  public var verdict: Verdict
  /// What the peer did instead, or why it was not judged; empty for a pass.
  public var note: String

  /// Reads a text of lines. `peer NAME` begins the results of a peer; `VERDICT ID NOTE` is one of them. Empty lines, lines that
  /// begin with `#`, and malformed lines are ignored.
  public static func read(_ text: String) -> [PeerResult] {
    var peer = ""
    var results: [PeerResult] = []
    for line in text.split(whereSeparator: \.isNewline) {
      let words = line.split(separator: " ", maxSplits: 2)
      guard words.count > 1 else { continue }
      if words[0] == "peer" {
        peer = String(line.dropFirst("peer ".count))
      } else if let verdict = Verdict(rawValue: String(words[0])), !peer.isEmpty {
        results.append(
          PeerResult(
            check: String(words[1]), peer: peer, verdict: verdict, note: words.count > 2 ? String(words[2]) : ""))
      }
    }
    return results
  }
}

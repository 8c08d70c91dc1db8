/// The result of a check with a known renderer, for `check explain`.
public struct PeerResult: Sendable, Hashable {
  public enum Verdict: String, Sendable, CaseIterable {
    case pass, fail, skip, inconclusive
  }

  /// The id of the check.
  public var check: String
  /// Name and version, such as `gmediarender 0.1`.
  public var peer: String
  public var verdict: Verdict
  /// The peer's behavior, or why it was not judged; empty for a pass.
  public var note: String

  /// The results of known renderers, which `make matrix` writes to peers.txt.
  public static let all = read(String(decoding: PackageResources.peers_txt, as: UTF8.self))

  /// Reads lines of text. `peer NAME` begins the results of a peer, `pass ID ID …` lists the checks that it passes, and
  /// `fail ID NOTE`, `skip ID NOTE` and `inconclusive ID NOTE` are one result each. Other lines are ignored.
  public static func read(_ text: String) -> [PeerResult] {
    var peer = ""
    var results: [PeerResult] = []
    for line in text.split(whereSeparator: \.isNewline) {
      let words = line.split(separator: " ", maxSplits: 1)
      guard words.count == 2 else { continue }
      if words[0] == "peer" {
        peer = String(words[1])
      } else if let verdict = Verdict(rawValue: String(words[0])), !peer.isEmpty {
        let lists =
          verdict == .pass
          ? words[1].split(separator: " ").map { [$0] } : [words[1].split(separator: " ", maxSplits: 1)]
        for list in lists {
          results.append(
            PeerResult(
              check: String(list[0]), peer: peer, verdict: verdict, note: list.count > 1 ? String(list[1]) : ""))
        }
      }
    }
    return results
  }
}

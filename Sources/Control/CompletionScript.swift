import ArgumentParser

/// The completion scripts of the argument parser, with the devices after `check`.
///
/// The parser's scripts offer only the subcommands of a command that has some, and nothing of its default subcommand.
enum CompletionScript {
  static func text(for shell: CompletionShell) -> String {
    let script = SwiftletControl.completionScript(for: shell)
    let (start, edits) = changes[shell.rawValue] ?? ("", [])
    guard let function = script.firstRange(of: start) else { return script }
    var rest = script[function.lowerBound...]
    var result = String(script[..<function.lowerBound])
    for edit in edits {
      guard let place = rest.firstRange(of: edit.place) else { return script }
      result += rest[..<place.upperBound] + edit.addition
      rest = rest[place.upperBound...]
    }
    return result + rest
  }

  private struct Edit {
    /// Text of the script, after which the addition belongs.
    var place: String
    var addition: String
  }

  private static let devices = "---completion check run -- positional@0"

  /// By shell: the beginning of the part that completes `check`, and the changes after it, in order.
  private static let changes: [String: (start: String, edits: [Edit])] = [
    "bash": (
      "_swiftlet-control_check() {",
      [
        Edit(
          place: #"-W 'run list explain diff' -- "${cur}"))"# + "\n",
          addition: #"""
                    # The first word is a device: complete as after `check run`.
                    unparsed_words=("${subcommand}" "${unparsed_words[@]}")
                    _swiftlet-control_check_run

            """#)
      ]
    ),
    "zsh": (
      "_swiftlet-control_check() {",
      [
        Edit(
          place: "_describe -V subcommand subcommands && ret=0\n",
          addition: #"""
                    __swiftlet-control_custom_complete \#(devices) "${current_word_index}" \
                        "$(__swiftlet-control_cursor_index_in_current_word)" && ret=0

            """#),
        Edit(
          place:
            "run|list|explain|diff)\n            \"_swiftlet-control_check_${words[1]}\" && ret=0\n            ;;\n",
          addition: #"""
                    *)
                        words=(run "${words[@]}")
                        CURRENT=$((CURRENT + 1))
                        _swiftlet-control_check_run && ret=0
                        ;;

            """#),
      ]
    ),
    "fish": (
      "        case 'check'\n",
      [
        Edit(
          place: "switch $unparsed_tokens[1]\n",
          addition: """
                        case '' run list explain diff
                        case '*'
                            set -p unparsed_tokens run
                        end
                        switch $unparsed_tokens[1]

            """),
        Edit(
          place: "-fa 'diff' -d 'Compare two JSON reports.'\n",
          addition: """
            complete -c 'swiftlet-control' -n '__swiftlet-control_should_offer_completions_for_positional \
            "swiftlet-control check" -eq 1' -fka '(__swiftlet-control_custom_completion \(devices) \
            (count (__swiftlet-control_tokens -pc)) (__swiftlet-control_tokens -tC))'

            """),
      ]
    ),
  ]
}

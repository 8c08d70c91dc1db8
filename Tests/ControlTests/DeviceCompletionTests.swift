import ArgumentParser
import FoundationEssentials
import Testing

@testable import swiftlet_control

@Suite struct DeviceCompletionTests {
  @Test(arguments: [
    (CompletionShell.bash, "Living room", "'Living room'"), (.bash, "Tom's $(x) `y`", #"'Tom'\''s $(x) `y`'"#),
    (.zsh, "TV: Den", #"TV\: Den"#), (.zsh, #"a\b"#, #"a\\b"#), (.fish, "TV: Tom's", "TV: Tom's"),
  ])
  func quotesForTheShell(shell: CompletionShell, name: String, expected: String) {
    #expect(DeviceCompletion.quoted(name, for: shell) == expected)
  }

  @Test(arguments: [
    (["swiftlet-control", "call", "--interface", "eth0", "K"], ["eth0"]),
    (["swiftlet-control", "call", "--interface=eth1", "--json", ""], ["eth1"]),
    (["swiftlet-control", "call", "--interface"], []), (["swiftlet-control", "--allow", "nonsense", ""], []),
  ])
  func usesTheNetworkOptionsOfTheCommandLine(words: [String], interfaces: [String]) {
    #expect(DeviceCompletion.options(in: words)?.interfaces == interfaces)
  }

  /// Every argument that names a device or a server offers names.
  @Test func completesEveryDevice() throws {
    let dump = try JSONDecoder().decode(Dump.self, from: Data(SwiftletControl._dumpHelp().utf8))
    for command in dump.command.subcommands ?? [] where command.shouldDisplay {
      for argument in command.arguments ?? [] where ["device", "server"].contains(argument.valueName) {
        #expect(argument.completionKind?.customAsync != nil, "\(command.commandName) \(argument.valueName ?? "")")
      }
    }
  }

  private struct Dump: Decodable {
    struct Command: Decodable {
      var commandName: String
      var shouldDisplay: Bool
      var arguments: [Argument]?
      var subcommands: [Command]?
    }
    struct Argument: Decodable {
      struct Kind: Decodable { var customAsync: [String: String]? }
      var valueName: String?
      var completionKind: Kind?
    }
    var command: Command
  }

  @Test(arguments: [
    ("Kitchen", "Kitchen"), (#"Living\ room"#, "Living room"), ("'Living room'", "Living room"), ("\"Tom's", "Tom's"),
    (#"'Tom'\''s'"#, "Tom's"), ("'/Music/Kind of", "/Music/Kind of"), (#"a\\b"#, #"a\b"#), (#"'a\b'"#, #"a\b"#),
    ("", ""),
  ])
  func wordsAreReadAsTheShellDoes(word: String, text: String) { #expect(ShellWord.unquoted(word) == text) }
}

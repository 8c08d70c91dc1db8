import Testing

@testable import SpeakerCore

@Suite struct CommandRightsTests {
  /// One line for each sender and situation: which kinds of commands are allowed.
  @Test(arguments: [
    // isPageReadOnly, isLocked, lockCoversCompanions, sender, allowed kinds
    (false, false, false, CommandOrigin.pageOwner, "append quieter companion lock control"),
    (false, true, false, .pageOwner, "append quieter companion lock control"),
    (false, true, false, .pageGuest, "append quieter companion lock"),
    (true, false, false, .pageOwner, ""),
    (true, true, false, .pageGuest, ""),
    (true, true, false, .mqtt, "append quieter companion lock control"),
    (false, true, false, .mqtt, "append quieter companion lock control"),
    (false, true, true, .mqtt, "append quieter companion lock"),
    (false, true, true, .mpris, "append quieter companion lock"),
    (false, true, true, .buttons, "append quieter companion lock"),
    (false, true, true, .presence, "append quieter companion lock control"),
    (false, false, true, .buttons, "append quieter companion lock control"),
  ])
  func rightsDependOnTheSender(
    isPageReadOnly: Bool, isLocked: Bool, covers: Bool, origin: CommandOrigin, allowed: String
  ) {
    var rights = CommandRights()
    (rights.isPageReadOnly, rights.isLocked, rights.lockCoversCompanions) = (isPageReadOnly, isLocked, covers)
    let kinds = CommandKind.allCases.filter { kind in
      do throws(CommandError) {
        try rights.check(kind, from: origin)
        return true
      } catch {
        #expect(error == (isPageReadOnly && [.pageOwner, .pageGuest].contains(origin) ? .readOnly : .locked))
        return false
      }
    }
    #expect(kinds.map { "\($0)" }.joined(separator: " ") == allowed)
  }
}

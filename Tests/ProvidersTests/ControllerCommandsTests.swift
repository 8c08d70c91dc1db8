import Testing
import UPnP

@testable import Providers
@testable import SpeakerCore

@Suite struct ControllerCommandsTests {
  /// A controller must not be told that a command succeeded which it may not send.
  @Test(arguments: [CommandError.locked, .readOnly, .tooManyCommands])
  func aRefusedCommandFails(error: CommandError) {
    #expect(ControllerCommands.refusal(error) == ActionFault(501, error.description))
  }

  @Test(arguments: [CommandError.player(.noContents), .noNeighbour, .fixedVolume, .playlist(.full)])
  func otherErrorsAreForTheService(error: CommandError) {
    #expect(ControllerCommands.refusal(error) == nil)
  }
}

import SpeakerCore
import UPnP

/// Sends the commands of controllers to the core, and translates its errors into the faults of a service.
struct ControllerCommands {
  let control: SpeakerControl
  let origin: CommandOrigin

  /// - Parameter fault: the service's fault for an error. Nil if the action succeeds without effect then, because its
  ///   specification has no fault for that.
  @discardableResult
  func perform(
    _ command: SpeakerCommand, fault: (CommandError) -> ActionFault? = { _ in nil }
  ) throws(ActionFault) -> CommandResult {
    do throws(CommandError) {
      return try control.perform(command, from: origin)
    } catch {
      if let fault = Self.refusal(error) ?? fault(error) { throw fault }
      return CommandResult()
    }
  }

  /// Performs a command that is answered later.
  func perform(
    _ command: SpeakerCommand, fault: @escaping (CommandError) -> ActionFault,
    _ reply: @escaping (Result<Void, ActionFault>) -> Void
  ) {
    control.perform(command, from: origin) { result in
      reply(result.map { _ in }.mapError { Self.refusal($0) ?? fault($0) })
    }
  }

  /// The fault of every service for a command that its sender may not send.
  static func refusal(_ error: CommandError) -> ActionFault? {
    error.isRefusal ? ActionFault(ActionFault.actionFailed.code, error.description) : nil
  }
}

import UPnP

@testable import DeviceStack

/// Implements service-xml/example-com/AllTypes2.xml: echoes its arguments and stores levels.
final class AllTypesProvider: AllTypes2.Provider {
  private var levels: [AllTypes2.Channel: UInt16] = [:]
  private(set) var repeats = 0

  /// The hosted service, without events.
  func service() -> HostedService {
    HostedService(
      AllTypes2.self, store: nil,
      begin: { action, arguments, reply throws(ActionFault) in
        try AllTypes2.begin(action, arguments, on: self, reply)
      },
      invoke: { action, arguments throws(ActionFault) in try AllTypes2.invoke(action, arguments, on: self) })
  }

  func echo(_ input: AllTypes2.EchoInput) -> AllTypes2.EchoOutput {
    AllTypes2.EchoOutput(
      outByte: input.inByte, outWord: input.inWord, outLong: input.inLong, outSignedByte: input.inSignedByte,
      outSignedWord: input.inSignedWord, outSignedLong: input.inSignedLong, outText: input.inText,
      outFlag: input.inFlag, outData: input.inData, outMode: input.inMode)
  }

  func setLevel(_ input: AllTypes2.SetLevelInput) { levels[input.channel] = input.desiredLevel }

  func getLevel(_ input: AllTypes2.GetLevelInput) -> AllTypes2.GetLevelOutput {
    AllTypes2.GetLevelOutput(currentLevel: levels[input.channel] ?? 0)
  }

  func `repeat`() { repeats += 1 }

  /// Calls of Ask that have no answer yet.
  private(set) var asking: [(AllTypes2.AskInput, (Result<AllTypes2.AskOutput, ActionFault>) -> Void)] = []

  func ask(
    _ input: AllTypes2.AskInput, _ reply: @escaping (Result<AllTypes2.AskOutput, ActionFault>) -> Void
  ) throws(ActionFault) {
    if input.question.isEmpty { throw ActionFault(798, "No question") }
    asking.append((input, reply))
  }

  /// Replies before the method returns.
  func wait(_ reply: @escaping (Result<Void, ActionFault>) -> Void) { reply(.success(())) }

  func fail() throws(ActionFault) { throw ActionFault(799, "Not <today> & not \"tomorrow\"") }
}

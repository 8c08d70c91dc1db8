import Companion
import NIOCore
import Synchronization

/// The parts of the companions that the page uses. The renderer provides them.
package struct PageCompanions: Sendable {
  let board: CompanionBoard
  let phones: PhoneStorage?
  let pairing: PairingDesk?

  /// - Parameters:
  ///   - phones: nil without the companion page.
  ///   - pairing: nil if no companion uses Bluetooth.
  package init(board: CompanionBoard, phones: PhoneStorage?, pairing: PairingDesk?) {
    self.board = board
    self.phones = phones
    self.pairing = pairing
  }

  /// The section `companion` of the state.
  var section: StateSection {
    StateSection(
      name: "companion", encode: { [board] in JSON.encode(board.report.forEverybody) },
      comparedText: { [board] in JSON.encode(board.report.forEverybody.withoutPosition) })
  }

  /// Calls the body on the event loop after every change that a page must know at once.
  func observe(on eventLoop: any EventLoop, _ body: @escaping () -> Void) {
    let body = NIOLoopBound(body, eventLoop: eventLoop)
    // Most changes are steps of the position, which need not wake the event loop.
    let last = Mutex(board.report.withoutPosition)
    board.observe { [board] in
      let report = board.report.withoutPosition
      let isNew = last.withLock { last in
        defer { last = report }
        return last != report
      }
      if isNew { eventLoop.execute { body.value() } }
    }
  }
}

extension CompanionReport {
  /// The report for everybody at home. Devices and numbers of a pairing are left out, because they concern only the
  /// owner.
  fileprivate var forEverybody: CompanionReport {
    var report = self
    report.pairing = pairing.map { PairingReport(state: $0.state) }
    return report
  }

  /// The report without the position, which a page computes itself.
  fileprivate var withoutPosition: CompanionReport {
    var report = self
    report.beacon?.minor = 0
    return report
  }
}

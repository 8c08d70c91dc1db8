/// Decides step by step which bytes of a body are sent, when, and how the response ends.
///
/// A pure value: the connection performs the step that `next(at:)` returns and calls it again.
struct BodyScript {
  enum Step: Equatable {
    /// Sends a range of the content.
    case send(Range<Int>)
    /// Sends an ICY metadata block.
    case insert([UInt8])
    /// Waits until a time, measured from the start of the body.
    case wait(until: Duration)
    case stall(Duration)
    /// Waits until the client closes the connection.
    case hold
    /// Closes or resets the connection.
    case breakOff(reset: Bool)
    /// The body is complete.
    case end
  }

  /// Maximum number of bytes per step.
  static let piece = 65_536

  private let range: Range<Int>
  private let endless: Bool
  private let rate: Int?
  private var stall: Manners.Stall?
  private let earlyClose: Manners.EarlyClose?
  /// Number of bytes of this response before the stall and before the early close.
  private let untilStall: Int
  private let untilClose: Int
  private let icy: ICY?

  private var sent = 0
  private var stalled = Duration.zero
  private var untilBlock: Int
  private var nextTitle = 0

  /// - Parameters:
  ///   - range: the part of the content to send.
  ///   - icy: whether the client asked for in-band titles.
  init(range: Range<Int>, manners: Manners, icy: Bool) {
    self.range = range
    endless = manners.endless && !range.isEmpty
    rate = manners.rate.map { max(1, $0) }
    stall = manners.stall
    earlyClose = manners.earlyClose
    untilStall = max(0, (stall?.after ?? 0) - (stall?.isPlace == true ? range.lowerBound : 0))
    untilClose = max(0, (earlyClose?.after ?? 0) - (earlyClose?.isPlace == true ? range.lowerBound : 0))
    self.icy = icy ? manners.icy : nil
    untilBlock = manners.icy?.interval ?? 0
  }

  /// - Parameter now: the time since the start of the body.
  mutating func next(at now: Duration) -> Step {
    if let stall, sent >= untilStall {
      self.stall = nil
      stalled = stall.duration ?? .zero
      return stall.duration.map { .stall($0) } ?? .hold
    }
    if let earlyClose, sent >= untilClose { return .breakOff(reset: earlyClose.reset) }
    if let icy, untilBlock == 0 {
      untilBlock = icy.interval
      return .insert(ICY.block(title: dueTitle(icy)))
    }
    if !endless, sent == range.count { return .end }

    var count = Self.piece
    if let rate {
      // Twenty pieces per second.
      count = min(count, max(1, rate / 20))
      let due = stalled + Duration.seconds(Double(sent) / Double(rate))
      if due > now { return .wait(until: due) }
    }
    let start = sent % max(1, range.count)
    count = min(count, range.count - start)
    if stall != nil { count = min(count, untilStall - sent) }
    if earlyClose != nil { count = min(count, untilClose - sent) }
    if icy != nil {
      count = min(count, untilBlock)
      untilBlock -= count
    }
    sent += count
    return .send(range.lowerBound + start..<range.lowerBound + start + count)
  }

  private mutating func dueTitle(_ icy: ICY) -> String? {
    var due: String?
    while nextTitle < icy.titles.count, icy.titles[nextTitle].offset <= sent {
      due = icy.titles[nextTitle].text
      nextTitle += 1
    }
    return due
  }
}

/// What happens on the wire after the head, decided step by step: which bytes, when, and how it ends.
///
/// A pure machine: `next(at:)` is asked again each time a step has been done.
struct BodyScript {
  /// One step.
  enum Step: Equatable {
    /// Send these bytes of the content.
    case send(Range<Int>)
    /// Send these bytes, which are not part of the content.
    case insert([UInt8])
    /// Do nothing until that time after the start of the body.
    case wait(until: Duration)
    /// Do nothing for so long.
    case stall(Duration)
    /// Do nothing until the client closes.
    case hold
    /// Break the connection off.
    case breakOff(reset: Bool)
    /// The body is complete.
    case end
  }

  /// The largest piece sent at once.
  static let piece = 65_536

  private let range: Range<Int>
  private let endless: Bool
  private let rate: Int?
  private var stall: Manners.Stall?
  private let earlyClose: Manners.EarlyClose?
  /// After how many bytes of this response they happen.
  private let untilStall: Int
  private let untilClose: Int
  private let icy: ICY?

  private var sent = 0
  private var stalled = Duration.zero
  private var untilBlock: Int
  private var nextTitle = 0

  /// The bytes `range` of the content, sent with `manners`, of which titles only if `icy`.
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

  /// The next step, `now` after the start of the body.
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
      // Twenty pieces a second, each sent when its time has come.
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

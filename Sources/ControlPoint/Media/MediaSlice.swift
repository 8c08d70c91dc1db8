import UPnP

/// The answer to one Browse or Search, for a reader that decides by itself which part to ask for.
///
/// Unlike `MediaPages`, which reads a container from its first object to its last, it allows scrolling.
public struct MediaSlice: Sendable, Hashable {
  /// The objects, at most as many as requested.
  public var objects: [MediaObject]
  /// The total number of objects according to the server; nil if it does not report one.
  public var total: Int?
  /// Changes with the content of the container; nil if the server does not report it.
  public var updateID: UInt32?

  /// Nothing.
  public static let empty = MediaSlice(objects: [], total: 0)

  private init(objects: [MediaObject], total: Int?) {
    self.objects = objects
    self.total = total
  }

  /// The part to ask for.
  struct Range: Hashable {
    var start: UInt32
    /// Not 0, which asks for everything (ContentDirectory:1 §2.7.4.2).
    var count: UInt32

    init(start: Int, count: Int) {
      self.start = UInt32(clamping: start)
      self.count = max(1, UInt32(clamping: count))
    }
  }

  /// - Throws: if the answer has no Result.
  init(_ outputs: ActionOutputs, _ range: Range) throws(ControlPointError) {
    guard let result = outputs["Result"] else { throw .malformed("The answer to \(outputs.action) has no Result.") }
    func number(_ name: String) -> UInt32? {
      guard case .value(let value) = UInt32.read(outputs[name] ?? "") else { return nil }
      return value
    }
    let all = MediaObjects(didlLite: result).objects
    updateID = number("UpdateID")
    // 0 means unknown (§2.7.4.2). Some servers count only this answer.
    let counted = number("TotalMatches").map { Int($0) } ?? 0
    if all.count > Int(range.count) {
      // The server ignores RequestedCount, and probably StartingIndex.
      let start = min(Int(range.start), all.count)
      objects = Array((counted == all.count ? all[start...] : all[...]).prefix(Int(range.count)))
    } else {
      objects = all
    }
    total = counted >= Int(range.start) + objects.count && counted > 0 ? counted : nil
    if all.isEmpty, range.start == 0, counted == 0 { total = 0 }
  }
}

import UPnP

/// A part of a container's children, or of the results of a search.
public struct MediaPage: Sendable {
  public var objects: [MediaObject]
  /// Objects that cannot be read and are left out.
  public var unreadable: Int
  /// The total number of objects according to the server; nil if it does not report one.
  public var total: Int?
  /// Whether the content changed since the first page, so objects may be missing or appear twice.
  public var hasChanged: Bool
  public var deviations: [Deviation]
}

/// Reads a container page by page, and holds only one page at a time. Leaving the loop stops reading.
public struct MediaPages: AsyncSequence, Sendable {
  public typealias Element = MediaPage
  public typealias Failure = ControlPointError

  /// Asks for `count` objects from `start` on.
  typealias Request =
    @Sendable (_ start: UInt32, _ count: UInt32) async throws(ControlPointError) -> ActionOutputs

  private let pageSize: UInt32
  private let request: Request

  init(pageSize: UInt32, request: @escaping Request) {
    self.pageSize = pageSize
    self.request = request
  }

  public var objects: MediaObjectSequence { MediaObjectSequence(pages: self) }

  public func makeAsyncIterator() -> Iterator { Iterator(pageSize: pageSize, request: request) }

  public struct Iterator: AsyncIteratorProtocol {
    public typealias Element = MediaPage
    public typealias Failure = ControlPointError

    private var machine: PageMachine
    private var step: PageMachine.Step
    private let request: Request

    fileprivate init(pageSize: UInt32, request: @escaping Request) {
      machine = PageMachine(pageSize: pageSize)
      step = machine.first
      self.request = request
    }

    public mutating func next() async throws(ControlPointError) -> MediaPage? {
      guard case .request(let start, let count) = step else { return nil }
      if Task.isCancelled { throw .cancelled }
      let outputs: ActionOutputs
      do throws(ControlPointError) {
        outputs = try await request(start, count)
      } catch {
        guard case .fault = error else { throw error }
        step = machine.handle(.fault).step
        if step == .end(.fault) { throw error }
        return nil
      }
      return try page(outputs)
    }

    private mutating func page(_ outputs: ActionOutputs) throws(ControlPointError) -> MediaPage? {
      guard let result = outputs["Result"] else { throw .malformed("The answer to \(outputs.action) has no Result.") }
      var document = MediaObjects(didlLite: result)
      let count = document.objects.count + document.unreadable
      func number(_ name: String, missing: UInt32) -> UInt32 {
        if case .value(let value) = UInt32.read(outputs[name] ?? "") { return value }
        document.deviations.append(
          Deviation(
            place: outputs.action, text: "The answer has no valid \(name).", source: "ContentDirectory:1 §2.7.4"))
        return missing
      }
      let (next, isNew) = machine.handle(
        .answer(
          .init(
            count: count, firstID: document.objects.first?.id,
            numberReturned: number("NumberReturned", missing: UInt32(count)),
            totalMatches: number("TotalMatches", missing: 0), updateID: number("UpdateID", missing: 0))))
      step = next
      if let deviation = Self.deviation(next, outputs.action) { document.deviations.append(deviation) }
      return MediaPage(
        objects: isNew ? document.objects : [], unreadable: isNew ? document.unreadable : 0, total: machine.total,
        hasChanged: machine.hasChanged,
        deviations: document.deviations)
    }

    private static func deviation(_ step: PageMachine.Step, _ action: String) -> Deviation? {
      let text: String
      switch step {
      case .end(.short): text = "The server returned fewer objects than TotalMatches."
      case .end(.repeated): text = "The server ignores StartingIndex."
      case .end(.tooMany): text = "Objects after the first \(PageMachine.maximumObjects) are ignored."
      default: return nil
      }
      return Deviation(place: action, text: text, source: "ContentDirectory:1 §2.7.4")
    }
  }
}

/// The objects of all pages, one by one.
public struct MediaObjectSequence: AsyncSequence, Sendable {
  public typealias Element = MediaObject
  public typealias Failure = ControlPointError

  let pages: MediaPages

  public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator()) }

  public struct Iterator: AsyncIteratorProtocol {
    public typealias Element = MediaObject
    public typealias Failure = ControlPointError

    fileprivate var pages: MediaPages.Iterator
    private var page: ArraySlice<MediaObject> = []

    fileprivate init(pages: MediaPages.Iterator) { self.pages = pages }

    public mutating func next() async throws(ControlPointError) -> MediaObject? {
      while page.isEmpty {
        guard let next = try await pages.next() else { return nil }
        page = next.objects[...]
      }
      return page.popFirst()
    }
  }
}

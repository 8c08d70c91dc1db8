/// The last texts of the state's sections, their changes, and the number of the revision. Pure.
struct StateRevisions {
  /// The JSON text of a section, read just now.
  struct Reading {
    enum Effect {
      /// A change if the compared text differs.
      case compared
      /// A change in any case.
      case change
      /// Never a change: the text only replaces an older one.
      case none
    }

    let index: Int
    let text: [UInt8]
    /// The text that decides whether the section has changed; nil for `text`.
    var comparedText: [UInt8]?
    var effect = Effect.compared
  }

  private struct Entry {
    var text: [UInt8]
    var comparedText: [UInt8]
  }

  private let names: [String]
  private var entries: [Entry?]
  /// Higher in every run, so that an id of an earlier run never matches.
  private let bootID: Int
  /// Increases with every change.
  private var revision = 0
  /// Sections that may have changed since they were read.
  private(set) var touched: Set<Int>
  private var changed: Set<Int> = []

  init(names: [String], bootID: Int) {
    self.names = names
    self.bootID = bootID
    entries = Array(repeating: nil, count: names.count)
    touched = Set(names.indices)
  }

  /// The id of the present revision: BOOTID-revision.
  var id: String { "\(bootID)-\(revision)" }

  /// A section may have changed.
  mutating func touch(_ index: Int) { touched.insert(index) }

  /// Stores new texts. Their changes form one revision.
  mutating func update(_ readings: [Reading]) {
    var changed: Set<Int> = []
    for reading in readings {
      touched.remove(reading.index)
      let comparedText = reading.comparedText ?? reading.text
      let isChanged =
        switch reading.effect {
        case .compared: entries[reading.index]?.comparedText != comparedText
        case .change: true
        case .none: false
        }
      if isChanged { changed.insert(reading.index) }
      entries[reading.index] = Entry(text: reading.text, comparedText: comparedText)
    }
    guard !changed.isEmpty else { return }
    revision += 1
    self.changed.formUnion(changed)
  }

  /// `{"id":…}` with the sections that changed since the last call; nil if none did.
  mutating func takeChanges() -> [UInt8]? {
    guard !changed.isEmpty else { return nil }
    defer { changed = [] }
    return document(changed.sorted())
  }

  /// `{"id":…}` with all sections.
  var document: [UInt8] { document(Array(names.indices)) }

  private func document(_ indices: [Int]) -> [UInt8] {
    var text = Array("{\"id\":\"\(id)\"".utf8)
    for index in indices {
      guard let entry = entries[index] else { continue }
      text += Array(",\"\(names[index])\":".utf8)
      text += entry.text
    }
    text.append(UInt8(ascii: "}"))
    return text
  }
}

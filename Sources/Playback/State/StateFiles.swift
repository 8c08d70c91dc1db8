/// What is done to files in the state folder, down to the single step: a power cut may come between any two of them, and
/// a test can make it come.
protocol StateFiles: Sendable {
  /// Opens a file; nil where there is none.
  /// - Throws: where there is one that cannot be opened, which is not the same as none.
  func open(_ name: String) throws(StateError) -> (any StateFile)?
  /// Opens a file that is empty, whatever was in it.
  func create(_ name: String) throws(StateError) -> any StateFile
  /// Gives a file another name; a file that has that name is gone.
  func rename(_ name: String, to other: String) throws(StateError)
  func remove(_ name: String) throws(StateError)
  func exists(_ name: String) -> Bool
  /// Blocks until the disk has the files' names.
  func sync() throws(StateError)
}

/// A file that is open until nobody holds it any more.
protocol StateFile: AnyObject {
  /// Bytes.
  func size() throws(StateError) -> Int
  /// - Returns: fewer bytes than asked for only at the end of the file.
  func read(_ count: Int, at offset: Int) throws(StateError) -> [UInt8]
  /// All of them, or it throws; then some may have been written.
  func write(_ bytes: [UInt8], at offset: Int) throws(StateError)
  func truncate(to size: Int) throws(StateError)
  /// Blocks until the disk has what was written.
  func sync() throws(StateError)
}

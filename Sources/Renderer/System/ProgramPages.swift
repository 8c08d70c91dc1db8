import CLinux

/// The pages of code and constants that the process has mapped from files.
enum ProgramPages {
  /// Unmaps all of them. The kernel maps pages that are still used again from the page cache, sixteen in about a
  /// microsecond. Code that ran only at the start, or only to open a track, stays unmapped.
  ///
  /// Safe on any thread and while other threads run: only segments without write access are unmapped, and the file has
  /// their contents.
  static func unmap() { swiftlet_drop_file_pages() }
}

import CLinux

/// The pages of code and constants that the process has mapped from files.
enum ProgramPages {
  /// Unmaps them all. The process maps those that it still uses again from the page cache, which takes about a microsecond
  /// for sixteen of them. Code that ran only at the start, or only to open a track, then stays unmapped.
  ///
  /// Safe while other threads run: only segments without write access are unmapped, and the kernel has their contents in the
  /// file. Any thread.
  static func unmap() { swiftlet_drop_file_pages() }
}

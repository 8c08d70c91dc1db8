import Glibc
import Testing

@testable import Renderer

@Suite(.timeLimit(.minutes(1)))
struct ProgramPagesTests {
  /// Unmaps most pages of code and constants. The program still works, because the kernel maps them again on access.
  @Test func unmapsWhatIsNotUsed() throws {
    let before = try mappedFilePages()
    ProgramPages.unmap()
    let after = try mappedFilePages()
    #expect(after < before / 2)
    #expect("\(Version.name)/\(Version.number)".hasPrefix("Swiftlet/"))
  }

  /// Resident pages of files: the third number of statm (proc(5)).
  private func mappedFilePages() throws -> Int {
    let file = try #require(fopen("/proc/self/statm", "re"))
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    _ = try #require(fgets(&line, CInt(line.count), file))
    let text = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let numbers = String(decoding: text, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
    return try #require(numbers.count > 2 ? numbers[2] : nil)
  }
}

import Glibc
import MediaFiles
import NIOCore
import UPnP

/// The content of one URL.
enum ServedContent: Hashable {
  /// An audio or picture file.
  case file(path: String, mimeType: String)
  /// The picture in an audio file.
  case embeddedPicture(path: String)

  /// The path of an audio file; nil for a picture.
  var audioPath: String? {
    guard case .file(let path, let mimeType) = self, mimeType.hasPrefix("audio/") else { return nil }
    return path
  }
}

/// Why a content cannot be sent.
enum ContentFailure: Error {
  /// It no longer exists.
  case missing
  case forbidden
  /// A temporary failure, such as too many open files.
  case temporary
}

/// An opened content.
struct OpenContent {
  private enum Body {
    case file(OpenFile)
    case bytes([UInt8])
  }

  let facts: FileResponse.Facts
  private let body: Body

  init(_ content: ServedContent) throws(ContentFailure) {
    switch content {
    case .file(let path, let mimeType):
      let file = try OpenFile(path)
      facts = FileResponse.Facts(
        size: file.size, mimeType: mimeType, entityTag: file.entityTag(), modified: file.modified)
      body = .file(file)
    case .embeddedPicture(let path):
      let file = try OpenFile(path)
      guard let picture = AudioPicture(path: path) else { throw .missing }
      facts = FileResponse.Facts(
        size: picture.bytes.count, mimeType: picture.mimeType, entityTag: file.entityTag(part: "p"),
        modified: file.modified)
      body = .bytes(picture.bytes)
    }
  }

  /// Reads a range within the size.
  /// - Returns: fewer bytes if the file was truncated or cannot be read; empty at its new end.
  func read(_ range: Range<Int>) -> ByteBuffer {
    switch body {
    case .file(let file): file.read(range)
    case .bytes(let bytes): ByteBuffer(bytes: bytes[range])
    }
  }
}

/// An open file, closed on deinit.
private final class OpenFile {
  let size: Int
  /// Seconds since 1970.
  let modified: Int
  private let nanoseconds: Int
  private let number: UInt
  private let descriptor: Int32

  init(_ path: String) throws(ContentFailure) {
    // Does not wait for the writer of a FIFO that has taken the file's place.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      switch errno {
      case ENOENT, ENOTDIR, ELOOP: throw .missing
      case EACCES, EPERM: throw .forbidden
      default: throw .temporary
      }
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .missing
    }
    self.descriptor = descriptor
    size = Int(status.st_size)
    modified = Int(status.st_mtim.tv_sec)
    nanoseconds = Int(status.st_mtim.tv_nsec)
    number = UInt(status.st_ino)
  }

  deinit { close(descriptor) }

  /// - Parameter part: distinguishes contents of one file.
  func entityTag(part: String = "f") -> String {
    "\"\(part)-\(String(number, radix: 36))-\(size)-\(modified).\(nanoseconds)\""
  }

  func read(_ range: Range<Int>) -> ByteBuffer {
    var buffer = ByteBufferAllocator().buffer(capacity: range.count)
    buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: range.count) { bytes in
      max(0, pread(descriptor, bytes.baseAddress, range.count, off_t(range.lowerBound)))
    }
    return buffer
  }
}

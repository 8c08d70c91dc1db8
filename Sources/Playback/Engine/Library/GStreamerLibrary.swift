import CGStreamer
import PlaybackModel

/// Initializes GStreamer.
package enum GStreamerLibrary {
  /// Initializes GStreamer on first access, without Swiftlet's elements and ranks.
  static let isInitialized: Bool = {
    // Must be set before any thread starts.
    swiftlet_limit_heaps()
    return gst_init_check(nil, nil, nil) != 0
  }()

  /// Adds Swiftlet's elements and ranks on first access.
  private static let ready: Bool = {
    guard isInitialized else { return false }
    BlockDemuxerElement.register()
    HTTPSourceElement.register()
    MP3Decoder.prefer()
    SegmentDemuxers.prefer()
    return true
  }()

  /// - Returns: false if the installation is broken.
  @discardableResult
  package static func start() -> Bool { ready }
}

/// The process's heap.
public enum ProcessMemory {
  /// Returns fragmented free memory to the system, on its own thread.
  public static func releaseFreeMemory() { NamedThread.start("memory") { swiftlet_give_memory_back() } }
}

/// Owns one reference to an element.
final class ElementReference: @unchecked Sendable {
  // Safe to share: the pointer never changes, GObject counts references atomically, and every function that is called
  // with it from several threads (state, properties, queries, pull, push) takes the element's own locks.
  let pointer: UnsafeMutablePointer<GstElement>

  /// Takes ownership of a floating or a full reference.
  init(_ pointer: UnsafeMutablePointer<GstElement>) {
    gst_object_ref_sink(pointer)
    self.pointer = pointer
  }

  /// Creates an element from a factory; nil if it is not installed.
  convenience init?(factory: String, name: String? = nil) {
    guard let element = gst_element_factory_make(factory, name) else { return nil }
    self.init(element)
  }

  deinit { gst_object_unref(pointer) }

  /// Adds the element to the bin, which takes its own reference.
  func add(to bin: ElementReference) {
    gst_bin_add(swiftlet_bin(bin.pointer), pointer)
  }

  /// Calls the body with a static pad of the element; nil if it has no pad of that name.
  func withPad<T>(_ name: String, _ body: (UnsafeMutablePointer<GstPad>) -> T) -> T? {
    guard let pad = gst_element_get_static_pad(pointer, name) else { return nil }
    defer { gst_object_unref(pad) }
    return body(pad)
  }
}

extension AudioFormat {
  /// Nil if the caps are not fixed caps of raw audio.
  init?(caps: UnsafePointer<GstCaps>) {
    var info = GstAudioInfo()
    gst_audio_info_init(&info)
    guard gst_audio_info_from_caps(&info, caps) != 0, let format = info.finfo, info.rate > 0, info.bpf > 0 else {
      return nil
    }
    let sides = (0..<info.channels).map { channel -> ChannelSide in
      switch swiftlet_channel_side(&info, channel) {
      case ..<0: .left
      case 0: .middle
      default: .right
      }
    }
    self.init(
      name: String(cString: format.pointee.name), depth: Int(format.pointee.depth), rate: Int(info.rate),
      channels: Int(info.channels), sides: sides, bytesPerFrame: Int(info.bpf))
  }
}

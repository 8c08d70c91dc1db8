import CGStreamer
import Glibc
import Synchronization

/// GStreamer's registry in a cache file of our own that leaves out what a speaker never needs.
///
/// The registry describes every installed element, and GStreamer keeps it in memory: 2.6 MB with the 1541 elements and
/// types of Debian 12. More than half of it are encoders, muxers, effects and elements for video. Removing them later
/// frees little, because GStreamer never frees their texts. So they are removed before GStreamer writes the file.
///
/// Bin descriptions (`OutputDescription.bin`) may name any element. For them, use GStreamer's own file.
public enum SoundRegistry {
  private static let used = Atomic(false)

  /// Whether the registry is without the elements that a speaker never needs.
  static var isUsed: Bool { used.load(ordering: .relaxed) }

  /// Initializes GStreamer with the file, and creates or updates it. Call this before all other functions of the engine,
  /// while no other thread reads the environment.
  ///
  /// Does nothing if the environment chooses another registry or forbids updates (`GST_REGISTRY` and the like).
  /// - Returns: whether the file was written. This process then uses 3 MB more than one that reads the file.
  public static func use(_ file: String) -> Bool {
    let variables = ["GST_REGISTRY", "GST_REGISTRY_1_0", "GST_REGISTRY_DISABLE", "GST_REGISTRY_UPDATE"]
    for variable in variables where getenv(variable) != nil { return false }
    setenv("GST_REGISTRY", file, 1)
    // Commands on events may use GStreamer, too.
    defer { unsetenv("GST_REGISTRY") }
    guard GStreamerLibrary.isInitialized, let registry = gst_registry_get() else { return false }
    used.store(true, ordering: .relaxed)
    let before = identity(of: file)
    reduce(registry)
    return identity(of: file) != before
  }

  /// The plugins with the elements that the engine and GStreamer's decoding bins create by name.
  private static let basicPlugins: Set<String> = ["app", "coreelements", "playback", "staticelements"]

  /// An element of the registry.
  struct Element: Hashable {
    var name: String
    var plugin: String
    /// `GST_ELEMENT_METADATA_KLASS`, such as `Codec/Decoder/Audio`.
    var elementClass: String
    /// With 0, GStreamer never chooses the element by itself.
    var rank: Int
  }

  /// Whether a speaker may need an element.
  static func needs(_ element: Element) -> Bool {
    let words = Set(element.elementClass.split(separator: "/"))
    if words.contains("Demuxer") || words.contains("Demux") { return true }
    if words.contains("Audio"), !words.isDisjoint(with: ["Converter", "Decoder", "Parser", "Sink"]) { return true }
    let isForeign = !words.isDisjoint(with: [
      "Analyzer", "Depayloader", "Editor", "Effect", "Encoder", "Extension", "Formatter", "Image", "Mixer", "Muxer",
      "Overlay", "Payloader", "RTP", "Subtitle", "Testing", "Video", "Visualization",
    ])
    if isForeign || words.isSuperset(of: ["Network", "Sink"]) { return false }
    // Sources are chosen by the scheme of a URI; those for audio are microphones.
    if words.contains("Source") { return !words.contains("Audio") }
    return element.rank > 0 || basicPlugins.contains(element.plugin)
  }

  /// Removes the elements that are not needed, and lets GStreamer write its file.
  private static func reduce(_ registry: UnsafeMutablePointer<GstRegistry>) {
    let surplus = surplusElements(registry)
    let plugins = Dictionary(grouping: surplus, by: \.plugin)
    // GStreamer writes the file only if a plugin has come or gone. So one is removed and found again, and its elements
    // stay. The one with the fewest elements is used.
    guard plugins.count > 1,
      let trigger = plugins.min(by: { ($0.value.count, $0.key) < ($1.value.count, $1.key) })?.key,
      let plugin = gst_registry_find_plugin(registry, trigger)
    else { return }
    defer { gst_object_unref(UnsafeMutableRawPointer(plugin)) }
    for element in surplus {
      guard let feature = gst_registry_lookup_feature(registry, element.name) else { continue }
      gst_registry_remove_feature(registry, feature)
      gst_object_unref(UnsafeMutableRawPointer(feature))
    }
    gst_registry_remove_plugin(registry, plugin)
    gst_update_registry()
  }

  private static func surplusElements(_ registry: UnsafeMutablePointer<GstRegistry>) -> [Element] {
    let features = gst_registry_get_feature_list(registry, gst_element_factory_get_type())
    defer { gst_plugin_feature_list_free(features) }
    var found: [Element] = []
    var entry = features
    while let node = entry {
      entry = node.pointee.next
      guard let data = node.pointee.data else { continue }
      let feature = OpaquePointer(data)
      guard let name = swiftlet_feature_name(feature), let plugin = gst_plugin_feature_get_plugin_name(feature),
        let elementClass = swiftlet_element_class(feature)
      else { continue }
      let element = Element(
        name: String(cString: name), plugin: String(cString: plugin), elementClass: String(cString: elementClass),
        rank: Int(gst_plugin_feature_get_rank(feature)))
      if !needs(element) { found.append(element) }
    }
    return found
  }

  /// Changes with every new version of the file, because GStreamer replaces it; nil if it does not exist.
  private static func identity(of file: String) -> ino_t? {
    var status = stat()
    return stat(file, &status) == 0 ? status.st_ino : nil
  }
}

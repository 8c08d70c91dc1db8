import CGStreamer
import PlaybackFormats
import PlaybackModel

/// Registers the element `swiftletblocks` and the media type of its files with GStreamer. From then on decodebin
/// selects it like any other element.
enum BlockDemuxerElement {
  /// Media type of a stream of blocks of constant size: a file with a header that `BlockLayoutReader` knows, or samples
  /// without a header that caps describe. GStreamer's own type for the latter, `audio/x-unaligned-raw`, leads to a
  /// parser that reads everything before the target of a seek, and decodebin prefers parsers regardless of rank.
  static let streamType = "audio/x-swiftlet-blocks"
  private static let name = "swiftletblocks"
  /// File extensions. GStreamer first tries the typefinders that name the file's extension.
  private static let extensions = "aif,aifc,aiff,au,caf,snd,w64,wav"
  /// Sizes of the head to inspect, in bytes. GStreamer starts typefinding when it has 2048 bytes.
  private static let headSizes = [2048, 512, 128, 40]

  /// Call once, after GStreamer has been initialized.
  static func register() {
    let rank = guint(GST_RANK_PRIMARY.rawValue + 1)
    swiftlet_register_element("SwiftletBlocks", name, rank, onClassInit, onInit)
    guard let caps = gst_caps_from_string(streamType) else { return }
    // The typefinder must not have the element's name: names are unique in the registry, across all kinds of features.
    gst_type_find_register(nil, streamType, rank, onTypeFind, extensions, caps, nil, nil)
    swiftlet_caps_unref(caps)
  }

  fileprivate static func template(
    _ name: String, _ direction: GstPadDirection, _ text: String
  ) -> UnsafeMutablePointer<GstPadTemplate>? {
    guard let caps = gst_caps_from_string(text) else { return nil }
    defer { swiftlet_caps_unref(caps) }
    return gst_pad_template_new(name, direction, GST_PAD_ALWAYS, caps)
  }

  fileprivate static func behaviour(_ element: UnsafeMutablePointer<GstObject>?) -> BlockDemuxer? {
    guard let element else { return nil }
    return UnsafeMutableRawPointer(element).assumingMemoryBound(to: SwiftletElement.self).pointee.behaviour
      .map { Unmanaged<BlockDemuxer>.fromOpaque($0).takeUnretainedValue() }
  }

  fileprivate static func recognizes(_ find: UnsafeMutablePointer<GstTypeFind>) -> Bool {
    // 0 while the stream is still arriving. GStreamer then provides as many bytes as it has.
    let length = Int(clamping: gst_type_find_get_length(find))
    for size in headSizes {
      let count = length > 0 ? min(size, length) : size
      guard let data = gst_type_find_peek(find, 0, guint(count)) else { continue }
      return BlockLayoutReader.recognizes(Array(UnsafeBufferPointer(start: data, count: count)))
    }
    return false
  }
}

private func onClassInit(_ klass: gpointer?, _ data: gpointer?) {
  guard let klass else { return }
  let element = klass.assumingMemoryBound(to: GstElementClass.self)
  gst_element_class_set_metadata(
    element, "Blocks of constant size", "Codec/Demuxer/Audio", "Demuxes files of raw samples and ADPCM",
    "Swiftlet")
  for template in [
    BlockDemuxerElement.template("sink", GST_PAD_SINK, BlockDemuxerElement.streamType),
    BlockDemuxerElement.template(
      "src", GST_PAD_SRC, "audio/x-raw; audio/x-alaw; audio/x-mulaw; audio/x-adpcm"),
  ] {
    gst_element_class_add_pad_template(element, template)
  }
  swiftlet_element_class_set_finalize(klass, onFinalize)
}

private func onInit(_ instance: UnsafeMutablePointer<GTypeInstance>?, _ klass: gpointer?) {
  guard let instance, let klass else { return }
  let raw = UnsafeMutableRawPointer(instance)
  let element = raw.assumingMemoryBound(to: GstElement.self)
  let elementClass = klass.assumingMemoryBound(to: GstElementClass.self)
  func pad(_ name: String) -> UnsafeMutablePointer<GstPad>? {
    gst_element_class_get_pad_template(elementClass, name).flatMap { gst_pad_new_from_template($0, name) }
  }
  guard let sink = pad("sink"), let source = pad("src") else { return }
  gst_pad_set_chain_function_full(sink, onChain, nil, nil)
  gst_pad_set_event_function_full(sink, onSinkEvent, nil, nil)
  gst_pad_set_event_function_full(source, onSourceEvent, nil, nil)
  gst_pad_set_query_function_full(source, onSourceQuery, nil, nil)
  gst_element_add_pad(element, sink)
  gst_element_add_pad(element, source)
  let behaviour = BlockDemuxer(element: element, sinkPad: sink, sourcePad: source)
  raw.assumingMemoryBound(to: SwiftletElement.self).pointee.behaviour = Unmanaged.passRetained(behaviour).toOpaque()
}

private func onFinalize(_ object: UnsafeMutablePointer<GObject>?) {
  guard let object else { return }
  let element = UnsafeMutableRawPointer(object).assumingMemoryBound(to: SwiftletElement.self)
  if let behaviour = element.pointee.behaviour { Unmanaged<BlockDemuxer>.fromOpaque(behaviour).release() }
  element.pointee.behaviour = nil
  swiftlet_element_finalize(object)
}

private func onChain(
  _ pad: UnsafeMutablePointer<GstPad>?, _ parent: UnsafeMutablePointer<GstObject>?,
  _ buffer: UnsafeMutablePointer<GstBuffer>?
) -> GstFlowReturn {
  guard let buffer, let behaviour = BlockDemuxerElement.behaviour(parent) else { return GST_FLOW_ERROR }
  return behaviour.take(buffer)
}

private func onSinkEvent(
  _ pad: UnsafeMutablePointer<GstPad>?, _ parent: UnsafeMutablePointer<GstObject>?,
  _ event: UnsafeMutablePointer<GstEvent>?
) -> gboolean {
  guard let pad, let event, let behaviour = BlockDemuxerElement.behaviour(parent) else { return 0 }
  return behaviour.handle(event, on: pad)
}

private func onSourceEvent(
  _ pad: UnsafeMutablePointer<GstPad>?, _ parent: UnsafeMutablePointer<GstObject>?,
  _ event: UnsafeMutablePointer<GstEvent>?
) -> gboolean {
  guard let event, let behaviour = BlockDemuxerElement.behaviour(parent) else { return 0 }
  if swiftlet_event_type(event) == GST_EVENT_SEEK { return behaviour.seek(event) }
  return gst_pad_event_default(pad, parent, event)
}

private func onSourceQuery(
  _ pad: UnsafeMutablePointer<GstPad>?, _ parent: UnsafeMutablePointer<GstObject>?,
  _ query: UnsafeMutablePointer<GstQuery>?
) -> gboolean {
  guard let query, let behaviour = BlockDemuxerElement.behaviour(parent) else { return 0 }
  return behaviour.answer(query) ?? gst_pad_query_default(pad, parent, query)
}

private func onTypeFind(_ find: UnsafeMutablePointer<GstTypeFind>?, _ data: gpointer?) {
  guard let find, BlockDemuxerElement.recognizes(find), let caps = gst_caps_from_string(BlockDemuxerElement.streamType)
  else { return }
  gst_type_find_suggest(find, guint(GST_TYPE_FIND_MAXIMUM.rawValue), caps)
  swiftlet_caps_unref(caps)
}

extension BlockLayout {
  /// Layout of samples without a header, from their caps; nil for the caps of a file.
  init?(caps: UnsafeMutablePointer<GstCaps>) {
    guard gst_structure_has_field(gst_caps_get_structure(caps, 0), "format") != 0, let raw = gst_caps_copy(caps) else {
      return nil
    }
    defer { swiftlet_caps_unref(raw) }
    gst_structure_set_name(gst_caps_get_structure(raw, 0), "audio/x-raw")
    guard let format = AudioFormat(caps: raw) else { return nil }
    self.init(
      coding: .raw(format.name), rate: format.rate, channels: format.channels, bytesPerBlock: format.bytesPerFrame)
  }

  /// The caps of samples without a header; nil for other codings.
  var headerlessCaps: String? {
    guard case .raw(let format) = coding else { return nil }
    return "\(BlockDemuxerElement.streamType),format=\(format),layout=interleaved,\(rateAndChannels)"
  }

  /// The caps of the blocks on the source pad.
  var caps: String {
    switch coding {
    case .raw(let format): "audio/x-raw,format=\(format),layout=interleaved,\(rateAndChannels)"
    case .aLaw: "audio/x-alaw,\(rateAndChannels)"
    case .muLaw: "audio/x-mulaw,\(rateAndChannels)"
    case .imaADPCM: "audio/x-adpcm,layout=dvi,block_align=\(bytesPerBlock),\(rateAndChannels)"
    case .microsoftADPCM: "audio/x-adpcm,layout=microsoft,block_align=\(bytesPerBlock),\(rateAndChannels)"
    }
  }

  private var rateAndChannels: String {
    let mask =
      channels > 2 ? ",channel-mask=(bitmask)0x\(String(swiftlet_usual_channel_mask(gint(channels)), radix: 16))" : ""
    return "rate=\(rate),channels=\(channels)\(mask)"
  }

  /// The coding's name for the codec tag; nil for raw samples.
  var codecName: String? {
    switch coding {
    case .raw: nil
    case .aLaw: "A-law audio"
    case .muLaw: "Mu-law audio"
    case .imaADPCM: "DVI ADPCM audio"
    case .microsoftADPCM: "Microsoft ADPCM audio"
    }
  }
}

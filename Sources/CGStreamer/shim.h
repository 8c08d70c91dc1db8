// GStreamer for Swift. Macros and variadic functions, which Swift cannot import, are wrapped in static inline functions.
#pragma once
#include <gst/app/gstappsink.h>
#include <gst/app/gstappsrc.h>
#include <gst/audio/audio.h>
#include <gst/base/gstadapter.h>
#include <gst/base/gstbaseparse.h>
#include <gst/base/gstbasesrc.h>
#include <gst/base/gstpushsrc.h>
#include <gst/gst.h>
#include <malloc.h>
#include <string.h>

/// GST_CLOCK_TIME_NONE, which Swift cannot import.
static inline guint64 swiftlet_clock_time_none(void) { return GST_CLOCK_TIME_NONE; }

/// GST_ELEMENT_FACTORY_TYPE_DECODABLE: decoders, demuxers, parsers and depayloaders.
static inline GstElementFactoryListType swiftlet_decodable(void) { return GST_ELEMENT_FACTORY_TYPE_DECODABLE; }

/// Whether a factory in the list has a sink pad for the caps. `gst_element_factory_list_filter` answers the same, but keeps the
/// parsed caps of all factories forever: 0.34 MB with all plugins of Debian 12.
static inline gboolean swiftlet_any_takes(GList *factories, const GstCaps *caps) {
  for (; factories; factories = factories->next) {
    const GList *pads = gst_element_factory_get_static_pad_templates(GST_ELEMENT_FACTORY(factories->data));
    for (; pads; pads = pads->next) {
      const GstStaticPadTemplate *pad = (const GstStaticPadTemplate *)pads->data;
      if (pad->direction != GST_PAD_SINK) continue;
      GstCaps *taken = gst_caps_from_string(pad->static_caps.string);
      if (!taken) continue;
      gboolean fits = gst_caps_can_intersect(taken, caps);
      gst_caps_unref(taken);
      if (fits) return TRUE;
    }
  }
  return FALSE;
}

/// g_uri_resolve_relative for playlists, whose references are often neither escaped nor well-formed. Swift imports GLib's flags
/// differently from one release of GLib to another.
/// - Returns: a string to free with g_free; NULL if the reference is invalid.
static inline char *swiftlet_resolve_reference(const char *base, const char *reference) {
  return g_uri_resolve_relative(base, reference, G_URI_FLAGS_ENCODED | G_URI_FLAGS_PARSE_RELAXED, NULL);
}

/// Limits the number of malloc arenas. By default glibc creates up to eight per processor, and memory that a streaming
/// thread frees stays in its arena. Measured over 120 interrupted tracks: 134 MB resident without this, 75 MB with it.
static inline void swiftlet_limit_heaps(void) {
  mallopt(M_ARENA_MAX, 2);
  mallopt(M_MMAP_THRESHOLD, 64 * 1024);
  mallopt(M_TRIM_THRESHOLD, 128 * 1024);
}

/// Returns fragmented free heap memory to the system. glibc itself trims only the end of a heap, so one small allocation
/// there keeps everything. Measured over half an hour of interrupted tracks of all formats: a heap of 286 MB without this,
/// of which 4 MB were in use.
static inline void swiftlet_give_memory_back(void) { malloc_trim(0); }

// Properties: g_object_set and g_object_get are variadic.

static inline void swiftlet_set_bool(gpointer object, const char *name, gboolean value) {
  g_object_set(object, name, value, NULL);
}
static inline void swiftlet_set_int(gpointer object, const char *name, gint value) {
  g_object_set(object, name, value, NULL);
}
static inline void swiftlet_set_uint(gpointer object, const char *name, guint value) {
  g_object_set(object, name, value, NULL);
}
static inline void swiftlet_set_int64(gpointer object, const char *name, gint64 value) {
  g_object_set(object, name, value, NULL);
}
static inline void swiftlet_set_uint64(gpointer object, const char *name, guint64 value) {
  g_object_set(object, name, value, NULL);
}
static inline void swiftlet_set_string(gpointer object, const char *name, const char *value) {
  g_object_set(object, name, value, NULL);
}
static inline void swiftlet_set_caps(gpointer object, const char *name, const GstCaps *value) {
  g_object_set(object, name, value, NULL);
}
static inline gboolean swiftlet_get_bool(gpointer object, const char *name) {
  gboolean value = FALSE;
  g_object_get(object, name, &value, NULL);
  return value;
}
static inline gint64 swiftlet_get_int64(gpointer object, const char *name) {
  gint64 value = 0;
  g_object_get(object, name, &value, NULL);
  return value;
}
/// The string belongs to the caller (g_free).
static inline gchar *swiftlet_get_string(gpointer object, const char *name) {
  gchar *value = NULL;
  g_object_get(object, name, &value, NULL);
  return value;
}
/// Whether the object's class has a property of that name.
static inline gboolean swiftlet_has_property(gpointer object, const char *name) {
  return g_object_class_find_property(G_OBJECT_GET_CLASS(object), name) != NULL;
}
/// Whether the object has the named type or a type derived from it. FALSE for an unregistered type.
static inline gboolean swiftlet_is_a(gpointer object, const char *type_name) {
  GType type = g_type_from_name(type_name);
  return type != 0 && g_type_is_a(G_OBJECT_TYPE(object), type);
}
/// Whether an element of the type contains the element.
static inline gboolean swiftlet_is_inside(gpointer element, const char *type_name) {
  GstObject *parent = gst_object_get_parent(GST_OBJECT(element));
  while (parent && !swiftlet_is_a(parent, type_name)) {
    GstObject *next = gst_object_get_parent(parent);
    gst_object_unref(parent);
    parent = next;
  }
  if (parent) gst_object_unref(parent);
  return parent != NULL;
}
/// The name of the object's type.
static inline const gchar *swiftlet_type_name(gpointer object) { return G_OBJECT_TYPE_NAME(object); }

// Casts, which are macros.

static inline GstBin *swiftlet_bin(gpointer object) { return GST_BIN(object); }
static inline GstObject *swiftlet_object(gpointer object) { return GST_OBJECT(object); }
static inline GstAppSrc *swiftlet_app_src(gpointer object) { return GST_APP_SRC(object); }
static inline GstAppSink *swiftlet_app_sink(gpointer object) { return GST_APP_SINK(object); }
static inline GstAudioBaseSink *swiftlet_audio_base_sink(gpointer object) { return GST_AUDIO_BASE_SINK(object); }

/// Adds a seek point to a parser: the byte offset for a time in nanoseconds. Thread-safe.
static inline void swiftlet_parser_add_index(GstElement *parser, guint64 offset, GstClockTime time) {
  gst_base_parse_add_index_entry(GST_BASE_PARSE(parser), offset, time, TRUE, TRUE);
}

// Signals: one typed function per signal, so that Swift passes no untyped callbacks.

static inline void swiftlet_on_pad_added(GstElement *element, void (*callback)(GstElement *, GstPad *, gpointer),
                                         gpointer data) {
  g_signal_connect_data(element, "pad-added", G_CALLBACK(callback), data, NULL, (GConnectFlags)0);
}
static inline void swiftlet_on_element_added(GstElement *bin,
                                             void (*callback)(GstBin *, GstBin *, GstElement *, gpointer),
                                             gpointer data) {
  g_signal_connect_data(bin, "deep-element-added", G_CALLBACK(callback), data, NULL, (GConnectFlags)0);
}

/// Stops an element permanently: its bin does not restart it.
static inline void swiftlet_stop(GstElement *element) {
  gst_element_set_locked_state(element, TRUE);
  gst_element_set_state(element, GST_STATE_NULL);
}

/// Sets a pipeline to PLAYING. If it is PAUSED and still waits for PAUSED, completes that first (`InterruptedStart`).
static inline void swiftlet_play(GstElement *pipeline) {
  GST_STATE_LOCK(pipeline);
  GST_OBJECT_LOCK(pipeline);
  gboolean is_stuck = GST_STATE(pipeline) == GST_STATE_PAUSED && GST_STATE_PENDING(pipeline) == GST_STATE_PAUSED;
  GST_OBJECT_UNLOCK(pipeline);
  if (is_stuck) gst_element_continue_state(pipeline, GST_STATE_CHANGE_SUCCESS);
  gst_element_set_state(pipeline, GST_STATE_PLAYING);
  GST_STATE_UNLOCK(pipeline);
}

/// Links a source pad to the element's sink pad.
static inline void swiftlet_link(GstPad *pad, GstElement *element) {
  GstPad *sink = gst_element_get_static_pad(element, "sink");
  gst_pad_link(pad, sink);
  gst_object_unref(sink);
}

// Messages, events and buffers.

static inline GstMessageType swiftlet_message_type(GstMessage *message) { return GST_MESSAGE_TYPE(message); }
static inline gpointer swiftlet_message_source(GstMessage *message) { return GST_MESSAGE_SRC(message); }
static inline void swiftlet_message_unref(GstMessage *message) { gst_message_unref(message); }
static inline GstEventType swiftlet_event_type(GstEvent *event) { return GST_EVENT_TYPE(event); }
static inline guint64 swiftlet_buffer_pts(GstBuffer *buffer) { return GST_BUFFER_PTS(buffer); }
/// The byte offset of the buffer in its file; 0 if unknown.
static inline gssize swiftlet_buffer_offset(GstBuffer *buffer) {
  return GST_BUFFER_OFFSET_IS_VALID(buffer) ? (gssize)(GST_BUFFER_OFFSET(buffer) & G_MAXINT64) : 0;
}
/// Whether a parser has marked samples of the buffer for clipping.
static inline gboolean swiftlet_buffer_is_clipped(GstBuffer *buffer) {
  return gst_buffer_get_audio_clipping_meta(buffer) != NULL;
}
static inline guint64 swiftlet_buffer_duration(GstBuffer *buffer) { return GST_BUFFER_DURATION(buffer); }
/// Sets the timestamps of the buffer on the output timeline, and tags it with its track. The tag is stored in the offset,
/// which has no meaning on a timeline of several tracks.
static inline void swiftlet_buffer_place(GstBuffer *buffer, guint64 pts, guint64 duration, guint64 track) {
  GST_BUFFER_PTS(buffer) = pts;
  GST_BUFFER_DTS(buffer) = GST_CLOCK_TIME_NONE;
  GST_BUFFER_DURATION(buffer) = duration;
  GST_BUFFER_OFFSET(buffer) = track;
  GST_BUFFER_OFFSET_END(buffer) = GST_BUFFER_OFFSET_NONE;
  GST_BUFFER_FLAG_UNSET(buffer, GST_BUFFER_FLAG_DISCONT | GST_BUFFER_FLAG_RESYNC);
}
static inline void swiftlet_buffer_mark_discontinuity(GstBuffer *buffer) {
  GST_BUFFER_FLAG_SET(buffer, GST_BUFFER_FLAG_DISCONT);
}
static inline GstBuffer *swiftlet_buffer_make_writable(GstBuffer *buffer) { return gst_buffer_make_writable(buffer); }
static inline guint64 swiftlet_buffer_track(GstBuffer *buffer) { return GST_BUFFER_OFFSET(buffer); }
static inline void swiftlet_buffer_unref(GstBuffer *buffer) { gst_buffer_unref(buffer); }
static inline GstBuffer *swiftlet_buffer_ref(GstBuffer *buffer) { return gst_buffer_ref(buffer); }
static inline void swiftlet_sample_unref(GstSample *sample) { gst_sample_unref(sample); }
static inline void swiftlet_caps_ref(GstCaps *caps) { gst_caps_ref(caps); }
static inline void swiftlet_caps_unref(GstCaps *caps) { gst_caps_unref(caps); }

// Error domains, which are macros.

static inline gboolean swiftlet_is_resource_error(const GError *error) { return error->domain == GST_RESOURCE_ERROR; }
static inline gboolean swiftlet_is_stream_error(const GError *error) { return error->domain == GST_STREAM_ERROR; }
static inline gboolean swiftlet_is_core_error(const GError *error) { return error->domain == GST_CORE_ERROR; }

// Audio.

/// Caps of interleaved samples. The channel positions are those of `like` if it has the same channel count, otherwise
/// GStreamer's defaults.
static inline GstCaps *swiftlet_audio_caps(const char *format, gint rate, gint channels, GstCaps *like) {
  GstCaps *caps = gst_caps_new_simple("audio/x-raw", "format", G_TYPE_STRING, format, "layout", G_TYPE_STRING,
                                      "interleaved", "rate", G_TYPE_INT, rate, "channels", G_TYPE_INT, channels, NULL);
  gint other = 0;
  guint64 mask = 0;
  if (like && gst_caps_get_size(like) > 0) {
    GstStructure *structure = gst_caps_get_structure(like, 0);
    gst_structure_get_int(structure, "channels", &other);
    if (other == channels) gst_structure_get(structure, "channel-mask", GST_TYPE_BITMASK, &mask, NULL);
  }
  if (other != channels && channels > 2) mask = gst_audio_channel_get_fallback_mask(channels);
  if (mask) gst_caps_set_simple(caps, "channel-mask", GST_TYPE_BITMASK, mask, NULL);
  return caps;
}
/// A buffer of silence.
static inline GstBuffer *swiftlet_silence(const char *format, gsize size) {
  GstBuffer *buffer = gst_buffer_new_allocate(NULL, size, NULL);
  GstMapInfo map;
  if (buffer && gst_buffer_map(buffer, &map, GST_MAP_WRITE)) {
    gst_audio_format_info_fill_silence(gst_audio_format_get_info(gst_audio_format_from_string(format)), map.data,
                                       (int)map.size);
    gst_buffer_unmap(buffer, &map);
  }
  return buffer;
}
/// The side of a channel: -1 left, 1 right, 0 centre or unknown.
static inline int swiftlet_channel_side(const GstAudioInfo *info, int channel) {
  if (channel < 0 || channel >= GST_AUDIO_INFO_CHANNELS(info) || channel >= 64) return 0;
  switch (info->position[channel]) {
    case GST_AUDIO_CHANNEL_POSITION_FRONT_LEFT:
    case GST_AUDIO_CHANNEL_POSITION_REAR_LEFT:
    case GST_AUDIO_CHANNEL_POSITION_FRONT_LEFT_OF_CENTER:
    case GST_AUDIO_CHANNEL_POSITION_SIDE_LEFT:
    case GST_AUDIO_CHANNEL_POSITION_TOP_FRONT_LEFT:
    case GST_AUDIO_CHANNEL_POSITION_TOP_REAR_LEFT:
    case GST_AUDIO_CHANNEL_POSITION_TOP_SIDE_LEFT:
    case GST_AUDIO_CHANNEL_POSITION_BOTTOM_FRONT_LEFT:
    case GST_AUDIO_CHANNEL_POSITION_WIDE_LEFT:
    case GST_AUDIO_CHANNEL_POSITION_SURROUND_LEFT:
      return -1;
    case GST_AUDIO_CHANNEL_POSITION_FRONT_RIGHT:
    case GST_AUDIO_CHANNEL_POSITION_REAR_RIGHT:
    case GST_AUDIO_CHANNEL_POSITION_FRONT_RIGHT_OF_CENTER:
    case GST_AUDIO_CHANNEL_POSITION_SIDE_RIGHT:
    case GST_AUDIO_CHANNEL_POSITION_TOP_FRONT_RIGHT:
    case GST_AUDIO_CHANNEL_POSITION_TOP_REAR_RIGHT:
    case GST_AUDIO_CHANNEL_POSITION_TOP_SIDE_RIGHT:
    case GST_AUDIO_CHANNEL_POSITION_BOTTOM_FRONT_RIGHT:
    case GST_AUDIO_CHANNEL_POSITION_WIDE_RIGHT:
    case GST_AUDIO_CHANNEL_POSITION_SURROUND_RIGHT:
      return 1;
    default:
      return 0;
  }
}
/// FLAC's default channel mask for a channel count (RFC 9639 section 9.1.3), which other formats share; 0 for other
/// counts.
static inline guint64 swiftlet_usual_channel_mask(gint channels) {
  // Masks in GStreamer's numbering, in which LFE2 precedes the side channels.
  static const guint64 masks[] = {0, 0x4, 0x3, 0x7, 0x33, 0x37, 0x3F, 0xD0F, 0xC3F};
  return channels > 0 && channels <= 8 ? masks[channels] : 0;
}
/// A new reference to the ring buffer of an audio sink, which the sink frees when it closes the device. NULL for other
/// elements, and while the device is closed.
static inline GstAudioRingBuffer *swiftlet_audio_sink_ring_buffer(GstElement *sink) {
  if (!GST_IS_AUDIO_BASE_SINK(sink)) return NULL;
  GST_OBJECT_LOCK(sink);
  GstAudioRingBuffer *buffer = GST_AUDIO_BASE_SINK(sink)->ringbuffer;
  if (buffer) gst_object_ref(buffer);
  GST_OBJECT_UNLOCK(sink);
  return buffer;
}
/// Starts the ring buffer of an audio sink that still waits for data. Ignores other elements.
static inline void swiftlet_audio_sink_start(GstElement *sink) {
  GstAudioRingBuffer *buffer = swiftlet_audio_sink_ring_buffer(sink);
  if (!buffer) return;
  if (gst_audio_ring_buffer_is_acquired(buffer)) gst_audio_ring_buffer_start(buffer);
  gst_object_unref(buffer);
}
/// Whether the ring buffer of an audio sink is running. FALSE for other elements.
static inline gboolean swiftlet_audio_sink_runs(GstElement *sink) {
  GstAudioRingBuffer *buffer = swiftlet_audio_sink_ring_buffer(sink);
  if (!buffer) return FALSE;
  gboolean runs = g_atomic_int_get(&buffer->state) == GST_AUDIO_RING_BUFFER_STATE_STARTED;
  gst_object_unref(buffer);
  return runs;
}
/// Whether the element is an audio sink with a ring buffer.
static inline gboolean swiftlet_is_audio_sink(GstElement *sink) { return GST_IS_AUDIO_BASE_SINK(sink); }

// Probes: the accessors of GStreamer warn if the probe was called with another kind of data, so these check first.

static inline GstBuffer *swiftlet_probe_buffer(GstPadProbeInfo *info) {
  return GST_PAD_PROBE_INFO_TYPE(info) & GST_PAD_PROBE_TYPE_BUFFER ? gst_pad_probe_info_get_buffer(info) : NULL;
}
/// Makes the probe's buffer writable, and returns it.
static inline GstBuffer *swiftlet_probe_writable_buffer(GstPadProbeInfo *info) {
  GstBuffer *buffer = swiftlet_probe_buffer(info);
  if (!buffer) return NULL;
  buffer = gst_buffer_make_writable(buffer);
  GST_PAD_PROBE_INFO_DATA(info) = buffer;
  return buffer;
}
static inline gboolean swiftlet_probe_has_serialized_query(GstPadProbeInfo *info) {
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY(info);
  return query && GST_QUERY_IS_SERIALIZED(query);
}
static inline GstEvent *swiftlet_probe_event(GstPadProbeInfo *info) {
  return GST_PAD_PROBE_INFO_TYPE(info) & (GST_PAD_PROBE_TYPE_EVENT_BOTH | GST_PAD_PROBE_TYPE_EVENT_FLUSH)
             ? gst_pad_probe_info_get_event(info)
             : NULL;
}
/// Answers a CAPS query of a source pad: only 32-bit floating point, if its template has that.
/// - Returns: whether the query was answered.
static inline gboolean swiftlet_probe_offer_float(GstPad *pad, GstPadProbeInfo *info) {
  GstQuery *query = gst_pad_probe_info_get_query(info);
  if (!query || GST_QUERY_TYPE(query) != GST_QUERY_CAPS) return FALSE;
  GstCaps *all = gst_pad_get_pad_template_caps(pad), *filter = NULL;
  GstCaps *wanted = gst_caps_new_simple("audio/x-raw", "format", G_TYPE_STRING, GST_AUDIO_NE(F32), NULL);
  GstCaps *caps = gst_caps_intersect(all, wanted);
  gboolean exists = !gst_caps_is_empty(caps);
  gst_query_parse_caps(query, &filter);
  if (filter) {
    GstCaps *filtered = gst_caps_intersect_full(filter, caps, GST_CAPS_INTERSECT_FIRST);
    gst_caps_unref(caps);
    caps = filtered;
  }
  if (exists) gst_query_set_caps_result(query, caps);
  gst_caps_unref(caps);
  gst_caps_unref(wanted);
  gst_caps_unref(all);
  return exists;
}
/// Replaces the caps of a CAPS event. Takes ownership of `caps`.
static inline void swiftlet_probe_set_caps(GstPadProbeInfo *info, GstCaps *caps) {
  GstEvent *event = swiftlet_probe_event(info);
  GstEvent *changed = gst_event_new_caps(caps);
  gst_event_set_seqnum(changed, gst_event_get_seqnum(event));
  gst_caps_unref(caps);
  gst_event_unref(event);
  GST_PAD_PROBE_INFO_DATA(info) = changed;
}
/// Sets default channel positions in a CAPS event with more than two channels and no positions, which elements that mix
/// channels would refuse.
static inline void swiftlet_probe_set_positions(GstPadProbeInfo *info) {
  GstCaps *caps = NULL;
  gint channels = 0;
  guint64 mask = 0;
  gst_event_parse_caps(swiftlet_probe_event(info), &caps);
  GstStructure *structure = gst_caps_get_structure(caps, 0);
  if (!gst_structure_get_int(structure, "channels", &channels) || channels <= 2) return;
  if (gst_structure_get(structure, "channel-mask", GST_TYPE_BITMASK, &mask, NULL) && mask != 0) return;
  caps = gst_caps_copy(caps);
  mask = swiftlet_usual_channel_mask(channels);
  gst_caps_set_simple(caps, "channel-mask", GST_TYPE_BITMASK, mask, NULL);
  swiftlet_probe_set_caps(info, caps);
}
/// Makes the pad's element refuse a CAPS event with 64 or more channels, and posts the error that decodebin posts for a
/// missing decoder. Mixing 64 or more channels aborts the program (GStreamer 1.22).
static inline void swiftlet_probe_limit_channels(GstPad *pad, GstPadProbeInfo *info) {
  GstCaps *caps = NULL;
  gint channels = 0;
  gst_event_parse_caps(swiftlet_probe_event(info), &caps);
  if (!gst_structure_get_int(gst_caps_get_structure(caps, 0), "channels", &channels) || channels < 64) return;
  swiftlet_probe_set_caps(info, gst_caps_new_empty_simple("audio/x-refused"));
  GstElement *element = gst_pad_get_parent_element(pad);
  if (!element) return;
  GST_ELEMENT_ERROR(element, STREAM, CODEC_NOT_FOUND, (NULL),
                    ("Missing decoder: sound of %d channels (audio/x-raw)", channels));
  gst_object_unref(element);
}
/// Whether the caps of a CAPS event have this media type.
static inline gboolean swiftlet_event_has_media_type(GstEvent *event, const char *media_type) {
  GstCaps *caps = NULL;
  gst_event_parse_caps(event, &caps);
  return caps && gst_caps_get_size(caps) > 0 && gst_structure_has_name(gst_caps_get_structure(caps, 0), media_type);
}

/// The value of a field with bytes, such as `codec_data`; NULL if there is none. Not retained.
static inline GstBuffer *swiftlet_structure_buffer(const GstStructure *structure, const char *field) {
  const GValue *value = gst_structure_get_value(structure, field);
  return value && GST_VALUE_HOLDS_BUFFER(value) ? gst_value_get_buffer(value) : NULL;
}

// Custom elements.

/// An element that is implemented by a Swift object.
typedef struct {
  GstElement element;
  gpointer behaviour;
} SwiftletElement;

/// Registers an element type.
static inline gboolean swiftlet_register_element(const char *type_name, const char *name, guint rank,
                                                 GClassInitFunc class_init, GInstanceInitFunc init) {
  GTypeInfo info = {.class_size = sizeof(GstElementClass),
                    .class_init = class_init,
                    .instance_size = sizeof(SwiftletElement),
                    .instance_init = init};
  return gst_element_register(NULL, name, rank, g_type_register_static(GST_TYPE_ELEMENT, type_name, &info, (GTypeFlags)0));
}
static inline void swiftlet_element_class_set_finalize(gpointer klass, void (*finalize)(GObject *)) {
  G_OBJECT_CLASS(klass)->finalize = finalize;
}
/// Calls the superclass. Call it at the end of an element's finalize.
static inline void swiftlet_element_finalize(GObject *object) {
  G_OBJECT_CLASS(g_type_class_peek(GST_TYPE_ELEMENT))->finalize(object);
}
static inline GstQueryType swiftlet_query_type(GstQuery *query) { return GST_QUERY_TYPE(query); }
static inline void swiftlet_event_unref(GstEvent *event) { gst_event_unref(event); }
/// A TAG event with a codec and its constant bit rate.
static inline GstEvent *swiftlet_codec_event(const char *codec, guint bit_rate) {
  return gst_event_new_tag(
      gst_tag_list_new(GST_TAG_AUDIO_CODEC, codec, GST_TAG_BITRATE, bit_rate, NULL));
}
/// Posts the error for a damaged file header.
static inline void swiftlet_post_damage(GstElement *element) {
  GST_ELEMENT_ERROR(element, STREAM, DEMUX, (NULL), ("Damaged header"));
}
/// Posts the error for a stream without sound.
static inline void swiftlet_post_no_sound(GstElement *element) {
  GST_ELEMENT_ERROR(element, STREAM, WRONG_TYPE, (NULL), ("No sound before the end of the stream"));
}
/// Removes the next bytes from an adapter; returns them in a new buffer that is aligned for samples of any size.
static inline GstBuffer *swiftlet_adapter_take(GstAdapter *adapter, gsize size, guint64 pts, guint64 duration) {
  GstBuffer *buffer = gst_buffer_new_allocate(NULL, size, NULL);
  GstMapInfo map;
  if (buffer && gst_buffer_map(buffer, &map, GST_MAP_WRITE)) {
    gst_adapter_copy(adapter, map.data, 0, size);
    gst_buffer_unmap(buffer, &map);
    GST_BUFFER_PTS(buffer) = pts;
    GST_BUFFER_DURATION(buffer) = duration;
  }
  gst_adapter_flush(adapter, size);
  return buffer;
}

// A source element for URIs that is implemented by a Swift object.

typedef struct {
  GstPushSrc source;
  gpointer behaviour;
} SwiftletSource;

static inline GstURIType swiftlet_uri_source_type(void) { return GST_URI_SRC; }
/// The schemes of a source of HTTP.
static inline const gchar *const *swiftlet_http_schemes(void) {
  static const gchar *const schemes[] = {"http", "https", NULL};
  return schemes;
}
static inline void swiftlet_set_uri_error(GError **error) {
  g_set_error_literal(error, GST_URI_ERROR, GST_URI_ERROR_BAD_URI, "Not an HTTP address");
}
/// Registers a source that is a GstURIHandler.
static inline gboolean swiftlet_register_source(const char *type_name, const char *name, guint rank,
                                                GClassInitFunc class_init, GInstanceInitFunc init,
                                                GInterfaceInitFunc handler_init) {
  GTypeInfo info = {.class_size = sizeof(GstPushSrcClass),
                    .class_init = class_init,
                    .instance_size = sizeof(SwiftletSource),
                    .instance_init = init};
  GInterfaceInfo handler = {.interface_init = handler_init};
  GType type = g_type_register_static(GST_TYPE_PUSH_SRC, type_name, &info, (GTypeFlags)0);
  g_type_add_interface_static(type, GST_TYPE_URI_HANDLER, &handler);
  return gst_element_register(NULL, name, rank, type);
}
/// Calls the superclass. Call it at the end of a source's finalize.
static inline void swiftlet_source_finalize(GObject *object) {
  G_OBJECT_CLASS(g_type_class_peek(GST_TYPE_PUSH_SRC))->finalize(object);
}
/// Answers a query like the superclass. A scheduling query tells that the network limits the bandwidth.
static inline gboolean swiftlet_source_query(GstBaseSrc *source, GstQuery *query) {
  gboolean answered = GST_BASE_SRC_CLASS(g_type_class_peek(GST_TYPE_PUSH_SRC))->query(source, query);
  if (!answered || GST_QUERY_TYPE(query) != GST_QUERY_SCHEDULING) return answered;
  GstSchedulingFlags flags;
  gint smallest, largest, align;
  gst_query_parse_scheduling(query, &flags, &smallest, &largest, &align);
  gst_query_set_scheduling(query, (GstSchedulingFlags)(flags | GST_SCHEDULING_FLAG_BANDWIDTH_LIMITED), smallest, largest,
                           align);
  return TRUE;
}
static inline GstBaseSrc *swiftlet_base_src(gpointer object) { return GST_BASE_SRC(object); }
/// Sets the size of the source's file in bytes; -1 if it is unknown. Call it on the streaming thread.
static inline void swiftlet_source_set_size(GstBaseSrc *source, gint64 size) {
  GST_OBJECT_LOCK(source);
  gboolean changed = source->segment.duration != (guint64)size;
  source->segment.duration = size;
  GST_OBJECT_UNLOCK(source);
  if (changed) gst_element_post_message(GST_ELEMENT(source), gst_message_new_duration_changed(GST_OBJECT(source)));
}
/// Pushes a TAG event with a title downstream.
static inline void swiftlet_source_push_title(GstBaseSrc *source, const char *title) {
  gst_pad_push_event(GST_BASE_SRC_PAD(source), gst_event_new_tag(gst_tag_list_new(GST_TAG_TITLE, title, NULL)));
}
/// Sets the byte offset of the buffer in its file.
static inline void swiftlet_buffer_set_offset(GstBuffer *buffer, guint64 offset) {
  GST_BUFFER_OFFSET(buffer) = offset;
}
/// Waits until the source's thread neither pushes nor waits for data, and keeps it from doing so.
static inline void swiftlet_source_lock_stream(GstBaseSrc *source) { GST_PAD_STREAM_LOCK(GST_BASE_SRC_PAD(source)); }
static inline void swiftlet_source_unlock_stream(GstBaseSrc *source) { GST_PAD_STREAM_UNLOCK(GST_BASE_SRC_PAD(source)); }
/// Posts an error of a source. Its cause is kept by the source.
static inline void swiftlet_post_read_error(gpointer source, const char *cause) {
  GST_ELEMENT_ERROR(GST_ELEMENT(source), RESOURCE, READ, (NULL), ("%s", cause));
}

/// Shrinks the bounds of a SEGMENT event by 10 ns, less than a sample. The bounds are rounded down to nanoseconds, and
/// decoders round down again to samples, so one sample too many would remain.
static inline void swiftlet_probe_round_segment(GstPadProbeInfo *info) {
  GstEvent *event = swiftlet_probe_event(info);
  GstSegment segment;
  gst_event_copy_segment(event, &segment);
  if (segment.format != GST_FORMAT_TIME || segment.rate != 1.0) return;
  if (segment.start > 0) {
    segment.start += 10;
    segment.time += 10;
  }
  if (GST_CLOCK_TIME_IS_VALID(segment.stop) && segment.stop > segment.start + 10) segment.stop -= 10;
  GstEvent *rounded = gst_event_new_segment(&segment);
  gst_event_set_seqnum(rounded, gst_event_get_seqnum(event));
  gst_event_unref(event);
  GST_PAD_PROBE_INFO_DATA(info) = rounded;
}
/// The duration of the sound in the ring buffer of an audio sink, in nanoseconds. 0 for other elements, and while the device
/// is closed.
static inline gint64 swiftlet_audio_sink_delay(GstElement *sink) {
  GstAudioRingBuffer *buffer = swiftlet_audio_sink_ring_buffer(sink);
  if (!buffer) return 0;
  gint64 delay = 0;
  if (gst_audio_ring_buffer_is_acquired(buffer) && buffer->spec.info.rate > 0)
    delay = (gint64)gst_util_uint64_scale_int(gst_audio_ring_buffer_delay(buffer), GST_SECOND, buffer->spec.info.rate);
  gst_object_unref(buffer);
  return delay;
}

/// Whether the target of a ghost pad belongs to a decoder.
static inline gboolean swiftlet_is_decoded(GstPad *pad) {
  GstPad *target = GST_PAD(gst_object_ref(pad));
  while (target && GST_IS_GHOST_PAD(target)) {
    GstPad *inner = gst_ghost_pad_get_target(GST_GHOST_PAD(target));
    gst_object_unref(target);
    target = inner;
  }
  if (!target) return FALSE;
  GstElement *element = gst_pad_get_parent_element(target);
  gst_object_unref(target);
  if (!element) return FALSE;
  const gchar *klass = gst_element_class_get_metadata(GST_ELEMENT_GET_CLASS(element), GST_ELEMENT_METADATA_KLASS);
  gboolean decoded = klass && g_strrstr(klass, "Decoder") != NULL;
  gst_object_unref(element);
  return decoded;
}

/// Input frames after an output frame that the resampler needs: half of its filter.
#define SWIFTLET_RESAMPLER_DELAY 128

/// A resampler of interleaved doubles at its best quality, whose rates may be changed without options: the filter is
/// interpolated for every frame, and remains that of an output rate above the input rate. GStreamer multiplies the output rate
/// by the 32 filters in 32 bits.
static inline GstAudioResampler *swiftlet_resampler_new(gint channels, gint in_rate, gint out_rate) {
  GstStructure *options = gst_structure_new_empty("GstAudioResampler.options");
  gst_audio_resampler_options_set_quality(GST_AUDIO_RESAMPLER_METHOD_KAISER, 10, in_rate, out_rate, options);
  gst_structure_set(options, GST_AUDIO_RESAMPLER_OPT_FILTER_MODE, GST_TYPE_AUDIO_RESAMPLER_FILTER_MODE,
                    GST_AUDIO_RESAMPLER_FILTER_MODE_INTERPOLATED, GST_AUDIO_RESAMPLER_OPT_FILTER_INTERPOLATION,
                    GST_TYPE_AUDIO_RESAMPLER_FILTER_INTERPOLATION, GST_AUDIO_RESAMPLER_FILTER_INTERPOLATION_CUBIC,
                    GST_AUDIO_RESAMPLER_OPT_FILTER_OVERSAMPLE, G_TYPE_INT, 32, GST_AUDIO_RESAMPLER_OPT_MAX_PHASE_ERROR,
                    G_TYPE_DOUBLE, 0.0, NULL);
  GstAudioResampler *resampler = gst_audio_resampler_new(
      GST_AUDIO_RESAMPLER_METHOD_KAISER, GST_AUDIO_RESAMPLER_FLAG_VARIABLE_RATE, GST_AUDIO_FORMAT_F64, channels, in_rate,
      out_rate, options);
  gst_structure_free(options);
  return resampler;
}

static inline void swiftlet_resample(GstAudioResampler *resampler, const double *in, gsize in_frames, double *out,
                                     gsize out_frames) {
  gpointer inputs[] = {(gpointer)in}, outputs[] = {out};
  gst_audio_resampler_resample(resampler, inputs, in_frames, outputs, out_frames);
}

/// A resampler of interleaved doubles from one rate to another, at a high quality.
static inline GstAudioResampler *swiftlet_fixed_resampler_new(gint channels, gint in_rate, gint out_rate) {
  GstStructure *options = gst_structure_new_empty("GstAudioResampler.options");
  gst_audio_resampler_options_set_quality(GST_AUDIO_RESAMPLER_METHOD_KAISER, 8, in_rate, out_rate, options);
  GstAudioResampler *resampler = gst_audio_resampler_new(
      GST_AUDIO_RESAMPLER_METHOD_KAISER, GST_AUDIO_RESAMPLER_FLAG_NONE, GST_AUDIO_FORMAT_F64, channels, in_rate, out_rate,
      options);
  gst_structure_free(options);
  return resampler;
}

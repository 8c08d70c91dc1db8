// GStreamer for Swift: what the importer cannot see (macros, variadics) as static inline functions.
#pragma once
#include <gst/gst.h>
#include <gst/audio/audio.h>

/// GST_CLOCK_TIME_NONE, which is imported as a macro that does not compile.
static inline guint64 swiftlet_clock_time_none(void) { return GST_CLOCK_TIME_NONE; }

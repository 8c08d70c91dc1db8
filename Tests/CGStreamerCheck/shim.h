// GStreamer's clock for tests.
#pragma once
#include <gst/check/gsttestclock.h>

/// GST_TEST_CLOCK_CAST, which Swift cannot import.
static inline GstTestClock *swiftlet_test_clock(GstClock *clock) { return GST_TEST_CLOCK_CAST(clock); }

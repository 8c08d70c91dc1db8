// zlib for Swift. `deflateInit2` is a macro, which Swift cannot import.
#pragma once
#include <zlib.h>

/// Prepares a stream that writes the gzip format (RFC 1952) with the best compression.
static inline int swiftlet_zlib_start_gzip(z_stream *stream) {
  return deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
}

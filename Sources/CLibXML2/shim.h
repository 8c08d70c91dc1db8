// libxml2 for Swift.
#pragma once
#include <libxml/xmlversion.h>
// Excludes the ICU headers: Foundation has ICU headers too, and Swift cannot import both. They are not needed here.
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/xmlreader.h>
#include <libxml/xmlerror.h>

static inline void swiftlet_ignore_error(void *context, const char *format, ...) {
  (void)context;
  (void)format;
}

/// Silences errors that libxml2 prints in spite of the parser options, such as invalid bytes in the declared encoding.
/// Applies to the calling thread.
static inline void swiftlet_silence_libxml2(void) { xmlSetGenericErrorFunc(NULL, swiftlet_ignore_error); }

// libxml2's pull reader for Swift, and what the importer cannot see of it as static inline functions.
#pragma once
#include <libxml/xmlversion.h>
// Keeps ICU's headers out: Foundation brings ICU headers of its own, and Swift cannot import both. They only describe the
// insides of converters, which nobody here looks into.
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/xmlreader.h>
#include <libxml/xmlerror.h>

static inline void swiftlet_ignore_error(void *context, const char *format, ...) {
  (void)context;
  (void)format;
}

/// Some complaints, such as of bytes that are not of the encoding declared, go to standard error whatever the options of
/// the parser say. For the calling thread.
static inline void swiftlet_silence_libxml2(void) { xmlSetGenericErrorFunc(NULL, swiftlet_ignore_error); }

// libxml2's pull reader for Swift.
#pragma once
#include <libxml/xmlversion.h>
// Keeps ICU's headers out: Foundation brings ICU headers of its own, and Swift cannot import both. They only describe the
// insides of converters, which nobody here looks into.
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/xmlreader.h>
#include <libxml/xmlerror.h>

// libxml2's pull reader for Swift.
#pragma once
#include <libxml/parser.h>
#include <libxml/xmlreader.h>
#include <libxml/xmlerror.h>

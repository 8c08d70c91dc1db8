// SQLite for Swift. Macros, which Swift cannot import, are wrapped in static inline functions.
#pragma once
#include <sqlite3.h>

/// Binds a copy of the text, which may contain zero bytes.
static inline int swiftlet_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int length) {
  return sqlite3_bind_text(statement, index, length > 0 ? text : "", length, SQLITE_TRANSIENT);
}

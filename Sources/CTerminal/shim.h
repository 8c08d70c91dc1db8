// The width of characters on a terminal, which Swift's Glibc module lacks.
#pragma once

#include <wchar.h>

// Declared here because the header declares it only with _XOPEN_SOURCE.
int wcwidth(wchar_t character);

// libcrypt (libxcrypt), which glibc's distributions install with the C library.
#pragma once

#include <crypt.h>

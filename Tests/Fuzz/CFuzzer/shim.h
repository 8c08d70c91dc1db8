#pragma once
#include <stddef.h>
#include <stdint.h>

/// libFuzzer's loop, for programs that have a main of their own (its FuzzerInterface.h has no such header for users).
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*one_input)(const uint8_t *data, size_t size));

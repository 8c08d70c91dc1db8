#pragma once
#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer's loop in a program with its own main. Declared here, because no installed header declares it.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*one_input)(const uint8_t *data, size_t size));

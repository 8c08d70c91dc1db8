// sd-bus of libsystemd for Swift. Its variadic functions are invisible to Swift and not needed: messages are built with
// sd_bus_message_append_basic() and sd_bus_message_open_container().
#pragma once
#include <systemd/sd-bus.h>

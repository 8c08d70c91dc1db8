// libmosquitto, opened at run time: with its OpenSSL it is too large for a speaker without MQTT. The program does not link it.
#pragma once

#include <dlfcn.h>
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <stdlib.h>

/// The functions of the library that Swiftlet uses, without their prefix.
#define SWIFTLET_MOSQUITTO_FUNCTIONS(f) \
  f(lib_init) f(new) f(destroy) f(int_option) f(username_pw_set) f(will_set) f(tls_set) \
  f(connect_bind_v5) f(disconnect_v5) f(publish) f(subscribe_v5) \
  f(socket) f(want_write) f(loop_read) f(loop_write) f(loop_misc) f(ssl_get) \
  f(property_add_int32) f(property_free_all) f(strerror) f(reason_string) f(connack_string) \
  f(log_callback_set) f(connect_callback_set) f(disconnect_callback_set) f(message_callback_set) \
  f(publish_v5_callback_set) f(subscribe_callback_set)

typedef struct {
#define SWIFTLET_MEMBER(name) __typeof__(&mosquitto_##name) _Nonnull name;
  SWIFTLET_MOSQUITTO_FUNCTIONS(SWIFTLET_MEMBER)
#undef SWIFTLET_MEMBER
  /// OpenSSL's SSL_pending: the number of bytes that OpenSSL has read from the socket but the library has not read yet.
  int (*_Nullable ssl_pending)(const void *_Nullable);
  /// OpenSSL's SSL_get_verify_result: why the peer's certificate is refused (X509_V_ERR_…).
  long (*_Nullable ssl_verify_result)(const void *_Nullable);
} swiftlet_mosquitto;

/// Loads the library until the process ends. Not thread-safe.
/// Returns null on failure, with the reason.
static inline const swiftlet_mosquitto *_Nullable swiftlet_mosquitto_open(
    const char *_Nonnull name, const char *_Nullable *_Nonnull problem) {
  *problem = 0;
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    *problem = dlerror();
    return 0;
  }
  swiftlet_mosquitto *functions = calloc(1, sizeof *functions);
  if (!functions) return 0;
#define SWIFTLET_FIND(name) \
  void *name##_address = dlsym(library, "mosquitto_" #name); \
  if (!name##_address) { \
    *problem = "mosquitto_" #name " is missing"; \
    free(functions); \
    return 0; \
  } \
  functions->name = (__typeof__(&mosquitto_##name))name##_address;
  SWIFTLET_MOSQUITTO_FUNCTIONS(SWIFTLET_FIND)
#undef SWIFTLET_FIND
  // Without OpenSSL's exit handler, which would free memory that a connecting thread still uses.
  int (*initialize)(uint64_t, const void *) = (int (*)(uint64_t, const void *))dlsym(library, "OPENSSL_init_crypto");
  if (initialize) initialize(0x00080000 /* OPENSSL_INIT_NO_ATEXIT */, 0);
  functions->ssl_pending = (int (*)(const void *))dlsym(library, "SSL_pending");
  functions->ssl_verify_result = (long (*)(const void *))dlsym(library, "SSL_get_verify_result");
  functions->lib_init();
  return functions;
}

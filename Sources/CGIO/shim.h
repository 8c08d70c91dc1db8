// TLS and hashes through GIO and GLib, for Swift. GLib's TLS backend (glib-networking, GnuTLS) is loaded when the first connection is opened.
#pragma once
#include <gio/gio.h>

/// Why a connection failed.
enum swiftlet_tls_failure {
  SWIFTLET_TLS_FAILED,
  SWIFTLET_TLS_TIMEOUT,
  SWIFTLET_TLS_UNTRUSTED,
  SWIFTLET_TLS_UNAVAILABLE,
  SWIFTLET_TLS_UNKNOWN_HOST,
  SWIFTLET_TLS_REFUSED,
  SWIFTLET_TLS_UNREACHABLE,
};

static inline enum swiftlet_tls_failure swiftlet_tls_reason(const GError *error) {
  if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT) || g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return SWIFTLET_TLS_TIMEOUT;
  if (g_error_matches(error, G_TLS_ERROR, G_TLS_ERROR_BAD_CERTIFICATE)) return SWIFTLET_TLS_UNTRUSTED;
  if (g_error_matches(error, G_TLS_ERROR, G_TLS_ERROR_UNAVAILABLE)) return SWIFTLET_TLS_UNAVAILABLE;
  if (error->domain == G_RESOLVER_ERROR) return SWIFTLET_TLS_UNKNOWN_HOST;
  if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED)) return SWIFTLET_TLS_REFUSED;
  if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_HOST_UNREACHABLE) ||
      g_error_matches(error, G_IO_ERROR, G_IO_ERROR_NETWORK_UNREACHABLE))
    return SWIFTLET_TLS_UNREACHABLE;
  return SWIFTLET_TLS_FAILED;
}

struct swiftlet_tls_check {
  gboolean accepts;
  guint problems;
};
static inline gboolean swiftlet_tls_judge(
  GTlsConnection *connection, GTlsCertificate *certificate, GTlsCertificateFlags problems, gpointer data) {
  struct swiftlet_tls_check *check = (struct swiftlet_tls_check *)data;
  check->problems = problems;
  return check->accepts;
}

static inline void swiftlet_tls_connected(GObject *source, GAsyncResult *result, gpointer data) {
  (void)source;
  *(GAsyncResult **)data = (GAsyncResult *)g_object_ref(result);
}

/// Connects without TLS. Only GIO's asynchronous function tries the next address of a name while one does not answer (RFC 8305).
static inline GSocketConnection *swiftlet_tls_connect(
  GSocketClient *client, GSocketConnectable *target, GCancellable *cancellable, GError **error) {
  GMainContext *context = g_main_context_new();
  g_main_context_push_thread_default(context);
  GAsyncResult *result = NULL;
  g_socket_client_connect_async(client, target, cancellable, swiftlet_tls_connected, &result);
  while (!result) g_main_context_iteration(context, TRUE);
  GSocketConnection *connection = g_socket_client_connect_finish(client, result, error);
  // Ends the attempts for the other addresses.
  while (g_main_context_iteration(context, FALSE)) {
  }
  g_object_unref(result);
  g_main_context_pop_thread_default(context);
  g_main_context_unref(context);
  return connection;
}

/// Connects and shakes hands. Blocks. Tries all addresses of a name.
/// - host: a name or an address
/// - name: the host that the certificate must name
/// - proxy: the URI of an HTTP proxy that the connection passes through; NULL for none
/// - accepts: whether to accept an untrusted certificate
/// - seconds: the timeout of each operation, including those on the connection
/// - problems: the GTlsCertificateFlags of an untrusted certificate
/// - Returns: a connection to release with g_object_unref; NULL with a reason on failure.
static inline GIOStream *swiftlet_tls_open(
  const char *host, guint16 port, const char *name, const char *proxy, gboolean accepts, guint seconds,
  GCancellable *cancellable, enum swiftlet_tls_failure *reason, guint *problems) {
  GError *error = NULL;
  GIOStream *secure = NULL;
  GSocketClient *client = g_socket_client_new();
  g_socket_client_set_timeout(client, seconds);
  if (proxy) {
    GProxyResolver *resolver = g_simple_proxy_resolver_new(proxy, NULL);
    g_socket_client_set_proxy_resolver(client, resolver);
    g_object_unref(resolver);
  } else {
    g_socket_client_set_enable_proxy(client, FALSE);
  }
  GSocketConnectable *target = g_network_address_new(host, port);
  GSocketConnection *plain = swiftlet_tls_connect(client, target, cancellable, &error);
  if (plain) {
    GSocketConnectable *identity = g_network_address_new(name, port);
    secure = g_tls_client_connection_new(G_IO_STREAM(plain), identity, &error);
    g_object_unref(identity);
    g_object_unref(plain);
  }
  struct swiftlet_tls_check check = {accepts, 0};
  gulong handler = secure ? g_signal_connect(secure, "accept-certificate", G_CALLBACK(swiftlet_tls_judge), &check) : 0;
  if (secure && !g_tls_connection_handshake(G_TLS_CONNECTION(secure), cancellable, &error)) {
    g_object_unref(secure);
    secure = NULL;
  }
  if (secure) g_signal_handler_disconnect(secure, handler);
  *problems = check.problems;
  // Many servers close without close_notify. HTTP does not need it, because it sends lengths.
  if (secure) g_tls_connection_set_require_close_notify(G_TLS_CONNECTION(secure), FALSE);
  *reason = error ? swiftlet_tls_reason(error) : SWIFTLET_TLS_FAILED;
  g_clear_error(&error);
  g_object_unref(target);
  g_object_unref(client);
  return secure;
}

/// - Returns: the number of bytes; 0 at the end, negative on failure.
static inline gssize swiftlet_tls_read(GIOStream *stream, void *bytes, gsize count, GCancellable *cancellable) {
  return g_input_stream_read(g_io_stream_get_input_stream(stream), bytes, count, cancellable, NULL);
}

/// Writes all bytes.
static inline gboolean swiftlet_tls_write(
  GIOStream *stream, const void *bytes, gsize count, GCancellable *cancellable) {
  return g_output_stream_write_all(g_io_stream_get_output_stream(stream), bytes, count, NULL, cancellable, NULL);
}

/// SHA-256 (FIPS 180-4) in hexadecimal.
/// - Returns: a string to free with g_free; NULL if there is no memory.
static inline char *swiftlet_sha256(const unsigned char *bytes, gsize count) {
  return g_compute_checksum_for_data(G_CHECKSUM_SHA256, bytes, count);
}

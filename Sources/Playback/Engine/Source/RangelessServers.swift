import CGStreamer

/// Addresses whose servers ignored a range request. They are read from the beginning.
///
/// Workaround: souphttpsrc assumes range support whenever a length is sent without `Accept-Ranges: none`, although a
/// server need not announce that it has none (RFC 9110 §14.3). If the server answers a range request with the whole
/// file, souphttpsrc fails with GST_RESOURCE_ERROR_SEEK. The track is then reopened with `refuseSeeking`.
/// - Affected: GStreamer 1.22 with libsoup 3.2.
/// - Upstream: gst_soup_http_src_got_headers in ext/soup/gstsouphttpsrc.c, which has a FIXME on it.
/// - Test: RangelessServerTests.
/// - GStreamer 1.26: needed. The assumption is still in the main branch (commit 074f8364), except for Python's server.
struct RangelessAddresses {
  /// Maximum number of addresses. Forgetting the oldest one costs one extra request.
  static let limit = 64
  private var addresses: [String] = []

  func contains(_ address: String) -> Bool { addresses.contains(address) }

  /// - Returns: false if the address was known already.
  mutating func insert(_ address: String) -> Bool {
    guard !contains(address) else { return false }
    if addresses.count == Self.limit { addresses.removeFirst() }
    addresses.append(address)
    return true
  }

  /// Makes a source pad report that its element cannot seek.
  static func refuseSeeking(on pad: UnsafeMutablePointer<GstPad>) {
    gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_QUERY_UPSTREAM, onSeekingQuery, nil, nil)
  }
}

private func onSeekingQuery(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: gpointer?
) -> GstPadProbeReturn {
  guard let info, swiftlet_probe_refuse_seeking(info) != 0 else { return GST_PAD_PROBE_OK }
  return GST_PAD_PROBE_HANDLED
}

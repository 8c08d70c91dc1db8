import Glibc

/// Literal IP addresses.
enum IPLiteral {
  static func isAddress(_ text: String) -> Bool { isIPv4(text) || isIPv6(text) }

  /// Four decimal numbers; none of the shorter, octal or hexadecimal forms that `inet_aton` takes.
  static func isIPv4(_ text: String) -> Bool {
    var address = in_addr()
    return inet_pton(AF_INET, text, &address) == 1
  }

  /// With or without a zone (`fe80::1%eth0`).
  static func isIPv6(_ text: String) -> Bool {
    var address = in6_addr()
    return inet_pton(AF_INET6, String(text.prefix { $0 != "%" }), &address) == 1
  }
}

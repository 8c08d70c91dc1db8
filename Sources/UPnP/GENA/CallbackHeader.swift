/// The CALLBACK header of SUBSCRIBE: one or several URLs, each between `<` and `>`, in order of preference (UDA 1.1 §4.1.2).
package enum CallbackHeader {
  /// More are not kept: no controller has more interfaces that it listens on.
  static let maximumCount = 4

  /// The URLs that can be called and that `allowed` lets pass; the others are struck from the list, as is what stands
  /// between them.
  package static func parse(_ value: String, allowed: (IPAddress) -> Bool) -> [CallbackURL] {
    var urls: [CallbackURL] = []
    var rest = value[...]
    while urls.count < maximumCount, let open = rest.firstIndex(of: "<") {
      rest = rest[rest.index(after: open)...]
      guard let close = rest.firstIndex(of: ">") else { break }
      if let url = CallbackURL(rest[..<close]), allowed(url.address) { urls.append(url) }
      rest = rest[rest.index(after: close)...]
    }
    return urls
  }
}

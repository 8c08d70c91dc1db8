import CLinux
import Glibc

/// Finds the servers of Radio Browser in the DNS, as its documentation describes. Blocks.
enum ServerLookup {
  private static let service = "_api._tcp.radio-browser.info"
  /// Has the addresses of all servers.
  private static let all = "all.api.radio-browser.info"
  /// All servers are in this domain. An answer that was forged must not lead elsewhere, to a server with a certificate of its own.
  private static let domain = ".radio-browser.info"
  private static let maximumAnswer = 16 << 10
  private static let maximumServers = 16

  /// The bases of the servers' addresses: those of equal rank in one group, the best rank first. Empty if the names are unknown.
  static func servers() -> [[String]] {
    let records = records()
    guard records.isEmpty else {
      return Dictionary(grouping: records, by: \.priority).sorted { $0.key < $1.key }.map { $0.value.map(base) }
    }
    return names().map { [$0.map { "https://\($0)" }, ["https://\(all)"]] } ?? []
  }

  private static func base(of record: ServiceRecord) -> String {
    switch record.port {
    case 443: "https://\(record.host)"
    case 80: "http://\(record.host)"
    default: "https://\(record.host):\(record.port)"
    }
  }

  static func isServer(_ host: String) -> Bool { host.lowercased().hasSuffix(domain) }

  private static func records() -> [ServiceRecord] {
    var answer = [UInt8](repeating: 0, count: maximumAnswer)
    let length = res_query(service, 1, Int32(ServiceRecord.type), &answer, Int32(answer.count))
    guard length > 0 else { return [] }
    let records = ServiceRecord.list(Array(answer.prefix(Int(length))))
    return Array(records.filter { isServer($0.host) }.prefix(maximumServers))
  }

  /// The names of the servers' addresses, because certificates name them and not the common name.
  /// - Returns: nil if the common name is unknown; empty if no address has a name.
  private static func names() -> [String]? {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_ADDRCONFIG
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(all, nil, &hints, &list) == 0 else { return nil }
    defer { freeaddrinfo(list) }
    var names: [String] = []
    var next = list
    while let entry = next?.pointee, names.count < maximumServers {
      next = entry.ai_next
      var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      guard
        getnameinfo(entry.ai_addr, entry.ai_addrlen, &name, socklen_t(name.count), nil, 0, NI_NAMEREQD) == 0
      else { continue }
      let host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if isServer(host), !names.contains(host) { names.append(host) }
    }
    return names
  }
}

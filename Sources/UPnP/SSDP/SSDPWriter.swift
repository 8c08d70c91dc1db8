/// Writes SSDP messages.
package struct SSDPWriter: Sendable {
  /// The multicast address of SSDP (UDA 1.1 §1.1.1).
  package static let group = "239.255.255.250"
  package static let port = 1900

  package var settings: SSDPSettings

  package init(settings: SSDPSettings) { self.settings = settings }

  /// A NOTIFY (UDA 1.1 §1.2.2 to §1.2.4).
  /// - Parameter address: our address on the interface that sends it.
  package func notify(_ notification: SSDPNotification, _ announcement: Announcement, address: String) -> String {
    let nts: String
    let boot: Int
    var extra = ""
    switch notification {
    case .alive(let bootID):
      nts = "ssdp:alive"
      boot = bootID
      extra = """
        CACHE-CONTROL: max-age=\(settings.maxAge)\r
        LOCATION: \(location(announcement, address))\r
        SERVER: \(settings.product)\r

        """
    case .byebye(let bootID):
      nts = "ssdp:byebye"
      boot = bootID
    case .update(let bootID, let next):
      nts = "ssdp:update"
      boot = bootID
      extra = """
        LOCATION: \(location(announcement, address))\r
        NEXTBOOTID.UPNP.ORG: \(next)\r

        """
    }
    return """
      NOTIFY * HTTP/1.1\r
      HOST: \(Self.group):\(Self.port)\r
      NT: \(announcement.type)\r
      NTS: \(nts)\r
      USN: \(announcement.usn)\r
      \(extra)\
      BOOTID.UPNP.ORG: \(boot)\r
      CONFIGID.UPNP.ORG: \(announcement.configID)\r
      \r

      """
  }

  /// The answer to a search (UDA 1.1 §1.3.3).
  /// - Parameters:
  ///   - address: our address on the interface that received the search.
  ///   - date: an IMF-fixdate.
  package func response(_ announcement: Announcement, bootID: Int, address: String, date: String) -> String {
    """
    HTTP/1.1 200 OK\r
    CACHE-CONTROL: max-age=\(settings.maxAge)\r
    DATE: \(date)\r
    EXT:\r
    LOCATION: \(location(announcement, address))\r
    SERVER: \(settings.product)\r
    ST: \(announcement.type)\r
    USN: \(announcement.usn)\r
    BOOTID.UPNP.ORG: \(bootID)\r
    CONFIGID.UPNP.ORG: \(announcement.configID)\r
    \r

    """
  }

  private func location(_ announcement: Announcement, _ address: String) -> String {
    "http://\(address):\(settings.httpPort)\(announcement.descriptionPath)"
  }
}

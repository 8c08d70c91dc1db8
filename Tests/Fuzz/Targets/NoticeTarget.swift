import NIOCore

@testable import ControlPoint
@testable import UPnP

/// Datagrams that a control point receives, separated by lines of three hyphens, and its table of devices.
enum NoticeTarget {
  private static let limits = DeviceTable.Limits(devices: 4, types: 3, locations: 2)
  private static let separator = Array("\n---\n".utf8)

  static func test(_ input: UnsafeRawBufferPointer) {
    var table = DeviceTable(limits: limits)
    var now = NIODeadline.uptimeNanoseconds(0)
    for datagram in Array(input).split(separator: separator) {
      guard let message = SSDPMessage(Array(datagram)), let notice = SSDPNotice(message) else { continue }
      check(notice.udn.hasPrefix("uuid:") && notice.udn.utf8.count <= 128, "the UDN \(notice.udn)")
      check(!notice.type.isEmpty && notice.type.utf8.count <= 128, "the type \(notice.type)")
      check(notice.server.unicodeScalars.count <= 128, "the server \(notice.server)")
      check(notice.maxAge > .zero && notice.maxAge <= .hours(24), "valid for \(notice.maxAge)")
      check((notice.bootID ?? 0) >= 0 && (notice.configID ?? 0) >= 0, "negative numbers")
      if let location = notice.location { URLTarget.check(location) }
      _ = table.receive(notice, at: now)
      checkLimits(table)
      now = now + .seconds(60)
      _ = table.expire(at: now)
    }
    _ = table.remove { $0.port.isMultiple(of: 2) }
    checkLimits(table)
    _ = table.expire(at: now + .hours(25))
    check(table.devices.isEmpty, "\(table.devices.count) devices never expire")
  }

  private static func checkLimits(_ table: DeviceTable) {
    check(table.devices.count <= limits.devices, "\(table.devices.count) devices")
    check(table.devices.allSatisfy { $0.types.count <= limits.types }, "a device with more types than allowed")
    check(table.devices.isEmpty == (table.deadline == nil), "a device without a time to expire")
  }
}

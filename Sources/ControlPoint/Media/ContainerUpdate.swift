import UPnP

/// A container whose content changed: an entry of the evented variable ContainerUpdateIDs (ContentDirectory:1 §2.5.21).
public struct ContainerUpdate: Sendable, Hashable {
  public var containerID: String
  /// Changes with the container's content. Compare it only for equality.
  public var updateID: UInt32

  public init(containerID: String, updateID: UInt32) {
    self.containerID = containerID
    self.updateID = updateID
  }

  /// Reads `id,number,id,number`. An id may contain commas that the server did not escape. Ids without a number at the end,
  /// and entries after the first 10 000, are ignored.
  public static func list(_ text: String) -> [ContainerUpdate] {
    var updates: [ContainerUpdate] = []
    var id = ""
    var hasID = false
    for entry in CSVList.entries(text, limit: 20_000) {
      if !hasID {
        id = String(entry.trimmingBlanks)
        hasID = true
      } else if case .value(let number) = UInt32.read(entry) {
        updates.append(ContainerUpdate(containerID: id, updateID: number))
        hasID = false
      } else {
        // Appends in place: a hostile list may consist of one long id.
        id += ","
        id += entry
      }
    }
    return updates
  }
}

extension ContentDirectory1Client.Values {
  /// The containers that changed.
  public var containerUpdates: [ContainerUpdate] { ContainerUpdate.list(containerUpdateIDs ?? "") }
}

extension ContentDirectory2Client.Values {
  /// The containers that changed.
  public var containerUpdates: [ContainerUpdate] { ContainerUpdate.list(containerUpdateIDs ?? "") }
}

extension ContentDirectory3Client.Values {
  /// The containers that changed.
  public var containerUpdates: [ContainerUpdate] { ContainerUpdate.list(containerUpdateIDs ?? "") }
}

import DeviceStack
import LocalLibrary
import NIOCore
import UPnP

/// ContentDirectory:1 on the library on the speaker's own disks. Used on the event loop.
public final class ContentDirectoryProvider: ContentDirectory1.Provider {
  /// Requests that may wait for the library at once; 720 beyond.
  private static let maximumRequests = 32
  private static let busy = ActionFault(720, "Cannot process the request: too many others")

  private let browser: LibraryBrowser
  private let eventLoop: any EventLoop
  private let variables: ContentDirectory1.Variables
  private var updates = ContainerUpdates()
  private var requests = 0

  package init(library: any LibraryContents, eventLoop: any EventLoop) {
    browser = LibraryBrowser(library: library)
    self.eventLoop = eventLoop
    variables = ContentDirectory1.Variables(
      .init(systemUpdateID: library.systemUpdateID, containerUpdateIDs: ""))
  }

  /// The service for a device to host.
  public var service: HostedService { ContentDirectory1.hosted(by: self, variables) }

  /// Updates the evented variables after a change in the library.
  package func update(_ change: LibraryChange) {
    updates.add(change, now: .nanoseconds(Int64(clamping: eventLoop.now.uptimeNanoseconds)))
    variables.apply(.init(systemUpdateID: change.systemUpdateID, containerUpdateIDs: updates.text))
  }

  // MARK: Capabilities

  public func getSearchCapabilities() -> ContentDirectory1.GetSearchCapabilitiesOutput {
    .init(searchCaps: LibraryProperty.searchable.joined(separator: ","))
  }

  public func getSortCapabilities() -> ContentDirectory1.GetSortCapabilitiesOutput {
    .init(sortCaps: LibraryProperty.sortable.joined(separator: ","))
  }

  public func getSystemUpdateID() -> ContentDirectory1.GetSystemUpdateIDOutput {
    .init(id: browser.library.systemUpdateID)
  }

  // MARK: Contents

  public func browse(
    _ input: ContentDirectory1.BrowseInput,
    _ reply: @escaping (Result<ContentDirectory1.BrowseOutput, ActionFault>) -> Void
  ) throws(ActionFault) {
    let filter = DIDLFilter(input.filter)
    try answer { [browser] () async throws(ActionFault) in
      switch input.browseFlag {
      case .browseMetadata: try await browser.metadata(input.objectID, filter: filter)
      case .browseDirectChildren:
        try await browser.children(
          of: input.objectID, filter: filter, range: .init(start: input.startingIndex, count: input.requestedCount),
          sort: input.sortCriteria)
      }
    } then: { result in
      reply(
        result.map {
          .init(
            result: $0.result, numberReturned: $0.numberReturned, totalMatches: $0.totalMatches, updateID: $0.updateID)
        })
    }
  }

  public func search(
    _ input: ContentDirectory1.SearchInput,
    _ reply: @escaping (Result<ContentDirectory1.SearchOutput, ActionFault>) -> Void
  ) throws(ActionFault) {
    try answer { [browser] () async throws(ActionFault) in
      try await browser.search(
        in: input.containerID, criteria: input.searchCriteria, filter: DIDLFilter(input.filter),
        range: .init(start: input.startingIndex, count: input.requestedCount), sort: input.sortCriteria)
    } then: { result in
      reply(
        result.map {
          .init(
            result: $0.result, numberReturned: $0.numberReturned, totalMatches: $0.totalMatches, updateID: $0.updateID)
        })
    }
  }

  /// Runs a request on another thread, and replies on the event loop.
  private func answer(
    _ request: @escaping @Sendable () async throws(ActionFault) -> LibraryBrowser.Answer,
    then reply: @escaping (Result<LibraryBrowser.Answer, ActionFault>) -> Void
  ) throws(ActionFault) {
    guard requests < Self.maximumRequests else { throw Self.busy }
    requests += 1
    let end = NIOLoopBound(
      { [self] (result: Result<LibraryBrowser.Answer, ActionFault>) in
        requests -= 1
        reply(result)
      }, eventLoop: eventLoop)
    Task { [eventLoop] in
      let result: Result<LibraryBrowser.Answer, ActionFault>
      do throws(ActionFault) {
        result = .success(try await request())
      } catch {
        result = .failure(error)
      }
      eventLoop.execute { end.value(result) }
    }
  }
}

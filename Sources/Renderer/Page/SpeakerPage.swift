import DeviceStack
import NIOCore
import Page
import UPnP

/// The page of this speaker with its facts. Used on the event loop.
final class SpeakerPage {
  private let page: PageServer
  private let facts: PageFacts

  init(_ context: PageContext, facts: PageFacts) {
    self.facts = facts
    page = PageServer(context)
  }

  /// Serves the page.
  func mount(on host: isolated DeviceHost) { page.mount(on: host) }

  /// Replaces the interfaces on which the speaker can be found.
  func networkChanged(_ host: isolated DeviceHost) {
    facts.networks = host.interfaces.map {
      NetworkFacts(name: $0.name, address: $0.address, url: address(on: $0, of: host))
    }
    page.networksChanged(host.interfaces.compactMap(\.network), port: host.port)
  }

  /// The URL of the page as seen from an interface.
  func address(on interface: NetworkInterface, of host: isolated DeviceHost) -> String {
    host.serverURL(on: interface) + "/"
  }

  /// Removes the party lock.
  /// - Returns: false if the page was not locked.
  func unlock() -> Bool { page.unlock() }

  /// Saves the page's phones, and ends its subscriptions to other devices. Takes at most three seconds.
  func stop() -> EventLoopFuture<Void> { page.stop() }
}

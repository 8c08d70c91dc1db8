import Foundation
import Glibc
import NIOCore
import NIOPosix

/// A network namespace with an event loop whose thread is inside it, so that sockets opened on the loop belong to it.
/// Needs root.
package final class NetworkNamespace: Sendable {
  package let name: String
  package let loop: any EventLoop
  private let group: MultiThreadedEventLoopGroup

  /// Whether namespaces can be created and entered. In a chroot they can be created but not entered.
  package static let isAvailable: Bool = {
    let name = uniqueName()
    guard (try? run("ip", "netns", "add", name)) != nil else { return false }
    defer { _ = try? run("ip", "netns", "delete", name) }
    return (try? run("ip", "-n", name, "link")) != nil
  }()

  package init() async throws {
    name = Self.uniqueName()
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    loop = group.next()
    let path = "/run/netns/\(name)"
    try run("ip", "netns", "add", name)
    try ip("link", "set", "lo", "up")
    try await loop.submit {
      let file = open(path, O_RDONLY | O_CLOEXEC)
      defer { close(file) }
      guard file >= 0, setNamespace(file, newNetwork) == 0 else {
        throw IOError(errnoCode: errno, reason: "setns \(path)")
      }
    }.get()
  }

  /// Runs `ip` in this namespace.
  @discardableResult
  package func ip(_ arguments: String...) throws -> String { try run(["ip", "-n", name] + arguments) }

  /// Runs several `ip` commands, one per line.
  package func batch(_ commands: String) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(name).batch")
    try commands.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    try ip("-batch", file.path)
  }

  package func remove() async throws {
    try await group.shutdownGracefully()
    try run("ip", "netns", "delete", name)
  }

  /// Connects two namespaces by a veth pair: `left` in this one, `right` in the other.
  package func connect(_ left: String, to other: NetworkNamespace, _ right: String) throws {
    try ip("link", "add", left, "type", "veth", "peer", "name", right, "netns", other.name)
  }

  private static func uniqueName() -> String { "dst-\(getpid())-\(UInt32.random(in: 0 ... .max))" }
}

/// Runs the body with a new namespace.
package func withNamespace<Result>(_ body: (NetworkNamespace) async throws -> Result) async throws -> Result {
  let namespace = try await NetworkNamespace()
  do {
    let result = try await body(namespace)
    try await namespace.remove()
    return result
  } catch {
    try? await namespace.remove()
    throw error
  }
}

/// setns(2), missing from the Glibc module.
private let setNamespace: @convention(c) (CInt, CInt) -> CInt = {
  unsafeBitCast(dlsym(nil, "setns"), to: (@convention(c) (CInt, CInt) -> CInt).self)
}()

/// CLONE_NEWNET, missing from the Glibc module.
private let newNetwork: CInt = 0x4000_0000

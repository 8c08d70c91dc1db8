import Glibc
import MediaOrigin
import PlaybackTestKit
import PlayerTestKit
import Testing

@testable import PlaybackEngine
@testable import PlaybackModel

/// Sound for a Snapcast server, which here only collects it.
@Suite(.serialized, .timeLimit(.minutes(2))) struct SnapcastOutputTests {
  /// Bytes that snapserver reads at a time.
  private static let chunk = 882 * 4

  private func output(to server: CollectingServer) throws -> OutputDescription {
    try OutputDescription(parsing: "snapcast:localhost:\(server.port),44100:16:2")
  }

  /// What a server gets while the body waits for the end of a sound that plays.
  private func sent(playing sound: Sound, _ body: (PlayerUnderTest) async throws -> Void) async throws -> [UInt8] {
    let origin = try await MediaServer.start()
    defer { origin.close() }
    let server = try CollectingServer()
    defer { server.close() }
    try await withPlayer(output(to: server)) { test in
      try await test.play(origin.serve("a.wav", sound.wav))
      try await body(test)
    }
    return await server.collected
  }

  @Test func theServerGetsEverySampleAndFullChunks() async throws {
    let sound = Sound(seconds: 0.99, seed: 170)
    let bytes = try await sent(playing: sound) { test in
      await test.wait(for: .playing)
      #expect(await test.player.signalPath?.reasons == [.shared])
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
    #expect(bytes.starts(with: sound.samples))
    #expect(bytes.count.isMultiple(of: Self.chunk))
    #expect(bytes.dropFirst(sound.samples.count).allSatisfy { $0 == 0 })
    #expect(bytes.count - sound.samples.count < Self.chunk)
  }

  @Test func aPauseLosesNothing() async throws {
    let sound = Sound(seconds: 2, seed: 173)
    let bytes = try await sent(playing: sound) { test in
      await test.wait("half a second") { $0.position > .milliseconds(500) }
      try await test.player.pause()
      try await test.player.play()
      await test.wait(for: .stopped)
    }
    #expect(bytes.starts(with: sound.samples))
  }

  @Test(arguments: [false, true]) func aServerThatReturnsGetsTheRest(paused: Bool) async throws {
    let sound = Sound(seconds: 3, seed: 171)
    let origin = try await MediaServer.start()
    defer { origin.close() }
    let url = origin.serve("a.wav", sound.wav)
    let first = try CollectingServer()
    let output = try output(to: first)
    try await withPlayer(output) { test in
      try await test.play(url)
      await test.wait("half a second") { $0.position > .milliseconds(500) }
      first.close()
      await test.wait("the wait") { $0.output == nil && $0.state == .transitioning }
      if paused { try await test.player.pause() }
      let second = try CollectingServer(port: first.port)
      defer { second.close() }
      await test.wait("the server") { $0.output == output }
      if paused {
        #expect(await test.player.state == .paused)
        try await test.player.play()
      }
      await test.wait(for: .playing)
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
      let bytes = await second.collected
      let isRest = (bytes.count - Self.chunk + 1...bytes.count).contains { count in
        sound.samples.suffix(count).elementsEqual(bytes.prefix(count))
      }
      #expect(isRest)
      #expect(bytes.count < sound.samples.count - sound.rate)
    }
  }

  @Test func aServerThatIsNotThereIsNoError() async throws {
    let origin = try await MediaServer.start()
    defer { origin.close() }
    let url = origin.serve("a.wav", Sound(seconds: 1, seed: 172).wav)
    let gone = try CollectingServer()
    let output = try output(to: gone)
    gone.close()
    try await withPlayer(output) { test in
      try await test.play(url)
      await test.wait("the wait") { $0.output == nil && $0.state == .transitioning }
      try await test.player.stop()
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
      let server = try CollectingServer(port: gone.port)
      defer { server.close() }
      try await test.player.play()
      await test.wait(for: .playing)
      #expect(await test.player.output == output)
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
  }
}

/// Takes one connection after the other, and keeps what they send.
private final class CollectingServer: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    var connection: Int32?
    var isClosed = false
  }

  let port: UInt16
  private let listener: Int32
  private let state = Monitor(State())

  /// - Parameter port: 0 for a free one.
  init(port: UInt16 = 0) throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var yes: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 4) == 0 && getsockname(listener, $0, &size) == 0
      }
    }
    try #require(isListening)
    self.port = address.sin_port.bigEndian
    NamedThread.start("collector") { [self] in run() }
  }

  private func run() {
    while true {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { return }
      state.withLock { $0.connection = connection }
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while case let count = read(connection, &buffer, buffer.count), count > 0 {
        state.update { $0.bytes += buffer.prefix(count) }
      }
      state.update { $0.connection = nil }
      Glibc.close(connection)
    }
  }

  /// Everything that was sent, once the sender has closed the connection.
  var collected: [UInt8] {
    get async {
      while state.withLock({ $0.connection != nil }) { try? await Task.sleep(for: .milliseconds(5)) }
      return state.withLock(\.bytes)
    }
  }

  /// Breaks the connection, and refuses further ones. Later calls do nothing.
  func close() {
    state.withLock { state in
      guard !state.isClosed else { return }
      state.isClosed = true
      if let connection = state.connection { shutdown(connection, Int32(SHUT_RDWR)) }
      shutdown(listener, Int32(SHUT_RDWR))
      Glibc.close(listener)
    }
  }
}

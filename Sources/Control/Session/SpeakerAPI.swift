import ArgumentParser
import ControlPoint
import FoundationEssentials
import Glibc
import NIOCore
import NIOHTTP1

/// The API of a Swiftlet's page, for what UPnP has no actions for: docs/api.md.
struct SpeakerAPI {
  private let controlPoint: UPnPControlPoint
  private let speaker: String
  private let page: HTTPURL
  private var token: String?

  /// Finds the page of a speaker, and unlocks it if a PIN is given.
  /// - Throws: `ExitCode`, after a message, if the speaker has no page with this API or refuses the PIN.
  init(_ speaker: RemoteSpeaker, pin: String?, _ controlPoint: UPnPControlPoint) async throws {
    self.controlPoint = controlPoint
    self.speaker = speaker.name
    guard let page = speaker.devices.page else {
      Terminal.complain("\(speaker.name) has no page of a Swiftlet, or its page is off.")
      throw ExitCode(EX_UNAVAILABLE)
    }
    self.page = page
    if let pin {
      let unlocked: Unlocked = try await post("unlock", Unlock(pin: pin))
      token = unlocked.token
    }
  }

  /// A token that is valid for a minute: the speaker keeps few, and those of phones are to stay.
  private struct Unlock: Encodable {
    let pin: String
    let seconds = 60
  }

  private struct Unlocked: Decodable { let token: String }

  /// - Parameter path: below `/api/`.
  func get<Answer: Decodable>(_ path: String) async throws -> Answer { try decode(try await send(.GET, path, nil)) }

  /// Reads a text.
  /// - Parameter path: below `/api/`, perhaps with a query.
  func text(_ path: String) async throws -> String {
    String(decoding: try await send(.GET, path, nil), as: UTF8.self)
  }

  /// A text for a query, with percent-encoding.
  static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      let hex = String(byte, radix: 16, uppercase: true)
      return "%" + (hex.count == 1 ? "0" : "") + hex
    }.joined()
  }

  /// - Parameters:
  ///   - path: below `/api/`.
  ///   - patience: limit for the answer.
  func post<Answer: Decodable>(
    _ path: String, _ body: some Encodable, patience: TimeAmount = .seconds(15)
  ) async throws -> Answer {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    return try decode(try await send(.POST, path, try encoder.encode(body), patience: patience))
  }

  /// Sends a command whose answer has nothing to show.
  func post(_ path: String, _ body: some Encodable, patience: TimeAmount = .seconds(15)) async throws {
    let _: Nothing = try await post(path, body, patience: patience)
  }

  private struct Nothing: Decodable {}

  /// Why the speaker refuses, as `application/problem+json`.
  private struct Problem: Decodable {
    let type: String
    let detail: String
  }

  private func send(
    _ method: HTTPMethod, _ path: String, _ body: Data?, patience: TimeAmount = .seconds(15)
  ) async throws -> Data {
    guard let url = page.resolve("/api/\(path)") else { throw ExitCode(EX_SOFTWARE) }
    var headers: HTTPHeaders = [:]
    if body != nil { headers.add(name: "CONTENT-TYPE", value: "application/json") }
    if let token { headers.add(name: "AUTHORIZATION", value: "Bearer \(token)") }
    let response = try await controlPoint.send(
      ClientRequest(method, url, headers: headers, body: body.map { ByteBuffer(bytes: $0) }, timeout: patience))
    let answer = Data(response.body.readableBytesView)
    guard response.status != .ok else { return answer }
    guard let problem = try? JSONDecoder().decode(Problem.self, from: answer) else {
      if response.status == .notFound {
        Terminal.complain("\(speaker) is not a Swiftlet, or an older one.")
        throw ExitCode(EX_UNAVAILABLE)
      }
      throw ControlPointError.status(Int(response.status.code))
    }
    Terminal.complain(problem.detail + (problem.type == "/problems/locked" ? " --pin unlocks it." : ""))
    throw ExitCode(1)
  }

  private func decode<Answer: Decodable>(_ data: Data) throws -> Answer {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    do {
      return try decoder.decode(Answer.self, from: data)
    } catch {
      throw ControlPointError.malformed("The answer of \(speaker) is not what this version expects.")
    }
  }
}

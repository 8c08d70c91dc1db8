import DeviceStack
import NIOHTTP1
import Playback
import PlaybackModel
import SpeakerCore

/// The pins.
final class PinsPart: PagePart {
  private let player: Player
  private let board: PinBoard
  private let invoker: PinInvoker
  private let radio: RadioSource
  private let art: ArtLinks

  /// - Parameter invoker: the invoker of the OpenHome device.
  init(player: Player, board: PinBoard, invoker: PinInvoker, radio: RadioSource, art: ArtLinks) {
    self.player = player
    self.board = board
    self.invoker = invoker
    self.radio = radio
    self.art = art
  }

  private struct Place: Decodable { let index: UInt32 }
  private struct Played: Encodable {
    /// nil if no queue was replaced.
    let undo: String?
  }
  private struct Swap: Decodable {
    let a: UInt32
    let b: UInt32
  }

  func add(to routes: PageRoutes) {
    routes.post("/api/pins/play", Place.self) { [self] body, _ throws(Problem) in try play(body.index) }
    routes.post("/api/pins/set", NewPin.self) { [self] body, _ throws(Problem) in
      let pin = body.what == .current ? try current() : try body.pin(art)
      return try change("index") { pins throws(PinError) in try pins.set(pin, at: body.index) }
    }
    routes.post("/api/pins/clear", Place.self) { [self] body, _ throws(Problem) in
      try change("index") { pins throws(PinError) in
        guard try pins.pin(at: body.index) != nil else { return }
        try pins.clear(pins.ids[Int(body.index)])
      }
    }
    routes.post("/api/pins/swap", Swap.self) { [self] body, _ throws(Problem) in
      try change("a” or “b") { pins throws(PinError) in try pins.swap(body.a, body.b) }
    }
  }

  /// The radio's channel as a pin. A queue has no address that plays all of it.
  private func current() throws(Problem) -> Pin {
    guard player.immediately({ $0.source }) == .radio, let channel = radio.channel else {
      throw .impossible(.noStationToPin, "Only a radio channel can become a pin.")
    }
    let texts = MetadataTexts(channel.metadata)
    return Pin(
      mode: "url", type: "stream", uri: channel.uri, title: texts.title ?? "", artworkURI: texts.art ?? "")
  }

  private func play(_ index: UInt32) throws(Problem) -> APIAnswer {
    let pin: Pin?
    do throws(PinError) {
      pin = try board.pins.pin(at: index)
    } catch {
      throw Self.outOfRange("index")
    }
    guard let pin else { throw .unknown(.emptyPin, "There is no pin in this place.") }
    return .later { [invoker] reply in
      do throws(PinFault) {
        try invoker.invoke(pin) { result in
          reply(result.map { .json(Played(undo: $0.undo)) }.mapError { Problem($0) })
        }
      } catch {
        reply(.failure(Problem(error)))
      }
    }
  }

  private func change(
    _ field: String, _ step: (inout PinSet) throws(PinError) -> Void
  ) throws(Problem) -> APIAnswer {
    do throws(PinError) {
      try board.change(step)
    } catch {
      throw Self.outOfRange(field)
    }
    return .done
  }

  private static func outOfRange(_ field: String) -> Problem {
    .wrong(field, "must be between 0 and \(PinSet.count - 1)")
  }
}

extension Problem {
  fileprivate init(_ fault: PinFault) {
    switch fault {
    case .failed(let reason): self.init(.badGateway, .serverFailed, reason, arguments: ["reason": reason])
    case .modeNotSupported, .uriNotSupported:
      self = .impossible(.unsupportedPin, "This speaker cannot play this kind of pin.")
    default: self = .impossible(.nothingToPlay, "The pin has nothing to play.")
    }
  }
}

import DeviceStack
import NIOHTTP1
import Playback
import PlaybackModel
import SpeakerCore

final class PinsPart: PagePart {
  private let access: Access
  private let player: Player
  private let board: PinBoard
  private let history: QueueHistory
  private let radio: RadioSource
  private let art: ArtLinks

  init(
    _ access: Access, player: Player, board: PinBoard, radio: RadioSource, history: QueueHistory, art: ArtLinks
  ) {
    self.access = access
    self.player = player
    self.board = board
    self.history = history
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
    routes.post("/api/pins/play", Place.self) { [self] body, request throws(Problem) in
      guard let pin = try pin(at: body.index) else { throw .unknown(.emptyPin, "There is no pin in this place.") }
      return access.perform(.pins(.play(pin)), request) { [history] in .json(Played(undo: history.keep($0))) }
    }
    routes.post("/api/pins/set", NewPin.self) { [self] body, request throws(Problem) in
      let pin = body.what == .current ? try current() : try body.pin(art)
      _ = try self.pin(at: body.index)
      try access.perform(.pins(.set(pin, at: body.index)), request)
      return .done
    }
    routes.post("/api/pins/clear", Place.self) { [self] body, request throws(Problem) in
      guard try pin(at: body.index) != nil else { return .done }
      try access.perform(.pins(.clear(board.pins.ids[Int(body.index)])), request)
      return .done
    }
    routes.post("/api/pins/swap", Swap.self) { [self] body, request throws(Problem) in
      for index in [body.a, body.b] { _ = try pin(at: index, "a” or “b") }
      try access.perform(.pins(.swap(body.a, body.b)), request)
      return .done
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

  /// - Returns: nil for an empty place.
  private func pin(at index: UInt32, _ field: String = "index") throws(Problem) -> Pin? {
    do throws(PinError) {
      return try board.pins.pin(at: index)
    } catch {
      throw .wrong(field, "must be between 0 and \(PinSet.count - 1)")
    }
  }
}

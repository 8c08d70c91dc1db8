import PlaybackModel

/// What a pin plays.
enum PinTarget: Equatable {
  /// A stream on the radio.
  case stream(uri: String)
  /// All tracks of a play list, which replace the playlist.
  case playlist(uri: String)
  /// A source with its present items.
  case source(Source)
  /// A preset of the radio; the first is 1.
  case preset(Int)

  /// The supported modes, in the order of Pins' Modes. `playlist`, for m3u and similar files, is an extension; the others
  /// are those of OpenHome's own player.
  enum Mode: String, CaseIterable {
    case playlist, radio, transport, url
  }

  /// - Parameter sources: the sources of this device.
  init(_ pin: Pin, sources: [ProductSource]) throws(PinFault) {
    guard let mode = Mode(rawValue: pin.mode) else { throw .modeNotSupported }
    switch mode {
    case .url:
      guard ["stream", ""].contains(pin.type.lowercased()) else { throw .uriNotSupported }
      self = .stream(uri: try Self.address(pin.uri, mode, type: "stream"))
    case .playlist: self = .playlist(uri: try Self.address(pin.uri, mode, type: nil))
    case .radio:
      guard let uri = PinURI(pin.uri), uri.mode == mode.rawValue, uri.type == "preset",
        let number = uri["id"].flatMap({ Int($0) }), (1...RadioPresets.maximumCount).contains(number)
      else { throw .uriNotSupported }
      self = .preset(number)
    case .transport:
      guard let uri = PinURI(pin.uri), uri.mode == mode.rawValue, uri.type == "source", let name = uri["id"],
        let source = sources.first(where: { $0.isCalled(name) })
      else { throw .uriNotSupported }
      self = .source(source.source)
    }
  }

  /// Refuses a pin URI whose version is missing or unknown. OpenHome's player checks this only when a pin is set; an
  /// HTTP address has no pin version.
  static func checkVersion(of pin: Pin) throws(PinFault) {
    if let uri = PinURI(pin.uri), uri.mode == pin.mode, !uri.hasKnownVersion { throw .uriNotSupported }
  }

  /// The address inside a pin URI `mode://type?version=1&path=…`, or the text itself if it is an HTTP address.
  private static func address(_ text: String, _ mode: Mode, type: String?) throws(PinFault) -> String {
    var address = text
    if let uri = PinURI(text), uri.mode == mode.rawValue {
      guard type == nil || uri.type == type, let path = uri["path"] else { throw .uriNotSupported }
      address = path
    }
    guard let scheme = address.firstRange(of: "://"), scheme.upperBound < address.endIndex,
      ["http", "https"].contains(address[..<scheme.lowerBound].lowercased())
    else { throw .uriNotSupported }
    return address
  }
}

extension ProductSource {
  /// Compares with the system name and the type, ignoring case.
  fileprivate func isCalled(_ name: String) -> Bool {
    [self.name, type].contains { $0.lowercased() == name.lowercased() }
  }
}

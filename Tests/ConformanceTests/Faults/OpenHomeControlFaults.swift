import Synchronization

extension FaultRow {
  static let openHomeServices: [FaultRow] = [
    FaultRow(
      "oh/service/search", .search { search, answers in search.contains("service:Product:1") ? [] : answers }),
    FaultRow("oh/service/service-ids", .description("serviceId:Volume", "serviceId:Loudness")),
    FaultRow("oh/service/actions", .scpd("Volume", "<name>BalanceInc</name>", "<name>BalanceUp</name>")),
    FaultRow("oh/service/getters", .refuses("#SourceXml\"", code: 501)),
    FaultRow("oh/service/values", .output("Value", of: "Mute", "off")),
    FaultRow("oh/service/older-version", .refuses("Product:1#", code: 401)),
    FaultRow("oh/service/wrong-type", .input(">first<", ">0<")),
    FaultRow("oh/credentials/ids", .output("Ids", of: "GetIds", "other.example")),
    FaultRow("oh/credentials/unknown-id", .refuses("#Get\"", code: 501)),
    FaultRow("oh/credentials/public-key", .output("PublicKey", of: "GetPublicKey", "none")),
  ]

  static let product: [FaultRow] = [
    FaultRow("oh/product/names", .output("Room", of: "Product", "")),
    FaultRow("oh/product/name-lengths", .output("Name", of: "Product", "A name of 21 letters.")),
    FaultRow("oh/product/friendly-name", .description("<friendlyName>Kitchen:Stand-in", "<friendlyName>Device")),
    FaultRow("oh/product/urls", .output("Url", of: "Model", "model.html")),
    FaultRow("oh/product/attributes", .description("service:Sender:2", "service:Other:2")),
    FaultRow("oh/product/attributes-complete", .output("Value", of: "Attributes", "Info Time")),
    FaultRow("oh/product/standby", .input(of: "SetStandby", ">1<", ">0<")),
    FaultRow("oh/product/standby-event", .initialEventsOnly),
    FaultRow("oh/product/source-leaves-standby", .output("Value", of: "Standby", "1")),
    FaultRow("oh/product/source-xml", .output("Value", of: "SourceXml", "&lt;SourceList/&gt;")),
    FaultRow("oh/product/source-visible", .action("SourceXml") { $0.replace("true&lt;/Visible", "1&lt;/Visible") }),
    FaultRow("oh/product/source-names", .action("SourceXml") { $0.replace("Radio&lt;/Name", "Playlist&lt;/Name") }),
    FaultRow("oh/product/source-types", .action("SourceXml") { $0.replace("Radio&lt;/Type", "Tuner&lt;/Type") }),
    FaultRow("oh/product/source-count", .output("Value", of: "SourceCount", "9")),
    FaultRow("oh/product/source-index", .output("Value", of: "SourceIndex", "9")),
    FaultRow("oh/product/source-details", .output("Type", of: "Source", "")),
    FaultRow("oh/product/source-out-of-range", .input(of: "Source", ">4<", ">3<")),
    FaultRow("oh/product/change-count", rising("Value", of: "SourceXmlChangeCount")),
    FaultRow("oh/product/select-by-index", .input(of: "SetSourceIndex", ">1<", ">0<")),
    FaultRow("oh/product/select-by-name", .input(of: "SetSourceIndexByName", ">Radio<", ">Playlist<")),
    FaultRow("oh/product/select-by-system-name", .input(of: "SetSourceBySystemName", ">Radio<", ">Playlist<")),
    FaultRow("oh/product/unknown-index", .input(of: "SetSourceIndex", ">4<", ">0<")),
    FaultRow("oh/product/unknown-name", .input(of: "SetSourceIndexByName", "No such source", "Radio")),
    FaultRow("oh/product/unknown-system-name", .input(of: "SetSourceBySystemName", "No such source", "Radio")),
    FaultRow("oh/product/source-event", .initialEventsOnly),
  ]

  static let volume: [FaultRow] = [
    FaultRow("oh/volume/characteristics", .output("VolumeUnity", of: "Characteristics", "200")),
    FaultRow("oh/volume/percent", .output("VolumeMax", of: "Characteristics", "80")),
    FaultRow("oh/volume/limit", .output("Value", of: "VolumeLimit", "101")),
    FaultRow("oh/volume/above-limit", .output("Value", of: "Volume", "81")),
    FaultRow("oh/volume/above-maximum", .input(">101<", ">100<")),
    FaultRow("oh/volume/set", .input(of: "SetVolume", ">10<", ">9<")),
    FaultRow("oh/volume/step-up", .refuses("#VolumeInc\"", code: 401)),
    FaultRow("oh/volume/step-down", .refuses("#VolumeDec\"", code: 401)),
    FaultRow("oh/volume/quiet-step-up", .refuses("#VolumeIncNoUnmute\"", code: 401)),
    FaultRow("oh/volume/quiet-step-down", .refuses("#VolumeDecNoUnmute\"", code: 401)),
    FaultRow("oh/volume/lowest", volumeBelowZero()),
    FaultRow("oh/volume/burst", .initialEventsOnly),
    FaultRow("oh/volume/volume-event", .initialEventsOnly),
    FaultRow("oh/volume/mute", .input(of: "SetMute", ">true<", ">0<")),
    FaultRow("oh/volume/mute-keeps-volume", rising("Value", of: "Volume")),
    FaultRow("oh/volume/no-unmute", unmutingVolume),
    FaultRow("oh/volume/mute-event", .initialEventsOnly),
    FaultRow("oh/volume/balance", .input(of: "SetBalance", ">-15<", ">15<")),
    FaultRow("oh/volume/balance-range", .input(of: "SetBalance", ">16<", ">15<")),
    FaultRow("oh/volume/balance-step", .refuses("#BalanceInc", code: 401)),
    FaultRow("oh/volume/balance-event", .initialEventsOnly),
    FaultRow("oh/volume/fade", .input(of: "SetFade", ">-10<", ">10<")),
    FaultRow("oh/volume/fade-range", .input(of: "SetFade", ">11<", ">10<")),
    FaultRow("oh/volume/fade-step", .refuses("#FadeInc", code: 401)),
    FaultRow("oh/volume/fade-event", .initialEventsOnly),
  ]

  static let transport: [FaultRow] = [
    FaultRow("oh/transport/modes", .output("Modes", of: "Modes", "Playlist Radio")),
    FaultRow("oh/transport/mode-sources", .output("Modes", of: "Modes", #"["Playlist"]"#)),
    FaultRow("oh/transport/state", .output("State", of: "TransportState", "PLAYING")),
    FaultRow("oh/transport/source-state", .output("State", of: "TransportState", "Paused")),
    FaultRow("oh/transport/stream-id", .output("StreamId", of: "StreamId", "77")),
    FaultRow("oh/transport/stop", .refuses("Transport:1#Stop\"", code: 801)),
    FaultRow("oh/transport/repeat", .input(of: "SetRepeat", ">1<", ">0<")),
    FaultRow("oh/transport/repeat-playlist", .output("Value", of: "Repeat", "0")),
    FaultRow("oh/transport/repeat-event", .initialEventsOnly),
    FaultRow("oh/transport/shuffle", .input(of: "SetShuffle", ">1<", ">0<")),
    FaultRow("oh/transport/shuffle-playlist", .output("Value", of: "Shuffle", "0")),
    FaultRow("oh/transport/shuffle-event", .initialEventsOnly),
    FaultRow("oh/transport/unknown-mode", .input("NoSuchMode", "Playlist")),
    FaultRow("oh/transport/stale-stream", .refuses("#SeekSecondAbsolute", code: 501)),
  ]

  static let pins: [FaultRow] = [
    FaultRow("oh/pins/id-array", .output("IdArray", of: "GetIdArray", "[1,2]")),
    FaultRow("oh/pins/ids-differ", .output("IdArray", of: "GetIdArray", "[5,5,0,0,0,0]")),
    FaultRow("oh/pins/modes", .output("Modes", of: "GetModes", "url")),
    FaultRow("oh/pins/read-list", .action("ReadList") { $0.replace("shuffle", "random") }),
    FaultRow("oh/pins/read-list-order", .output("List", of: "ReadList", "[]")),
    FaultRow("oh/pins/read-list-unknown", .output("List", of: "ReadList", #"[{"id":0}]"#)),
    FaultRow("oh/pins/set", .action("ReadList") { $0.replace("Tests", "") }),
    FaultRow("oh/pins/set-again", .action("GetIdArray") { $0.replace(",2]", ",1]") }),
    FaultRow("oh/pins/clear", .input(of: "Clear", "<Id>1<", "<Id>0<")),
    FaultRow("oh/pins/swap", .input(of: "Swap", "<Index1>4<", "<Index1>5<")),
    FaultRow("oh/pins/event", .initialEventsOnly),
    FaultRow("oh/pins/set-out-of-range", .input("<Index>6<", "<Index>5<")),
    FaultRow("oh/pins/set-unknown-mode", .input("nosuchmode", "url")),
    FaultRow("oh/pins/set-no-uri", .input("<Uri></Uri>", "<Uri>url://stream</Uri>")),
    FaultRow("oh/pins/swap-out-of-range", .input("<Index2>6<", "<Index2>5<")),
    FaultRow("oh/pins/clear-unknown", .refuses("#Clear", code: 501)),
    FaultRow("oh/pins/invoke-unknown-id", .refuses("#InvokeId", code: 501)),
    FaultRow("oh/pins/invoke-out-of-range", .refuses("#InvokeIndex", code: 501)),
    FaultRow("oh/pins/invoke-unknown-mode", .refuses("#InvokeUri", code: 501)),
  ]

  static let openHomeHostile: [FaultRow] = [
    FaultRow("oh/hostile/volume-numbers", .input(of: "SetVolume", ">-1<", ">7<"), on: .openHome),
    FaultRow("oh/hostile/pin-ids", unanswered("[1,"), on: .openHome),
    FaultRow(
      "oh/hostile/pin-texts", .input(of: "SetDevice", "Long title. Long title. ", "Long title. "), on: .openHome),
  ]

  /// Closes the connection without an answer to requests with this text.
  private static func unanswered(_ text: String) -> Fault {
    Fault(onResponse: { request, response in
      if request.method == "POST", request.text.contains(text) { response.isMissing = true }
    })
  }

  static let speakerPlayback: [FaultRow] = [
    FaultRow("oh/transport/follows-playlist", .output("State", of: "TransportState", "Stopped")),
    FaultRow("oh/transport/pause", .output("CanPause", of: "StreamInfo", "0")),
    FaultRow("oh/transport/stop-playing", .refuses("Transport:1#Stop\"", code: 801)),
    FaultRow("oh/transport/play-as", .refuses("id=", code: 801)),
    FaultRow("oh/transport/skip-next", .output("CanSkipNext", of: "ModeInfo", "0")),
    FaultRow("oh/transport/skip-previous", .refuses("#SkipPrevious", code: 801)),
    FaultRow("oh/transport/can-repeat", .output("CanRepeat", of: "ModeInfo", "0")),
    FaultRow("oh/transport/new-stream-id", .output("StreamId", of: "StreamId", "7")),
    FaultRow("oh/transport/seek", .refuses("#SeekSecondAbsolute", code: 803)),
    FaultRow("oh/transport/seek-relative", .refuses("#SeekSecondRelative", code: 803)),
    FaultRow("oh/product/standby-stops", .input(of: "SetStandby", ">1<", ">0<")),
    FaultRow("oh/product/play-leaves-standby", .output("Value", of: "Standby", "1")),
    FaultRow("oh/product/source-follows", stuckSource()),
    FaultRow("oh/volume/mute-keeps-playing", pausingMute()),
    FaultRow("oh/pins/invoke-index", .input(of: "InvokeIndex", ">5<", ">4<")),
    FaultRow("oh/pins/invoke-uri", .refuses("#InvokeUri", code: 806)),
  ]

  /// The source does not change when the playlist starts to play.
  private static func stuckSource() -> Fault {
    let isPlaying = Mutex(false)
    return Fault(onResponse: { request, response in
      if request.action == "SeekId" { isPlaying.withLock { $0 = true } }
      if request.action == "SourceIndex", isPlaying.withLock({ $0 }) { response.setText("Value", "1") }
    })
  }

  private static func pausingMute() -> Fault {
    let isMuted = Mutex(false)
    return Fault(onResponse: { request, response in
      if request.action == "SetMute" { isMuted.withLock { $0 = true } }
      if request.action == "TransportState", isMuted.withLock({ $0 }) { response.setText("Value", "Paused") }
    })
  }

  /// Returns a higher number with each answer.
  private static func rising(_ name: String, of action: String) -> Fault {
    let counter = Counter()
    return .action(action) { $0.setText(name, "\(counter.next())") }
  }

  /// VolumeDec at 0 wraps around to the maximum volume.
  private static func volumeBelowZero() -> Fault {
    let hasWrapped = Mutex(false)
    return Fault(onResponse: { request, response in
      if request.action == "VolumeDec" { hasWrapped.withLock { $0 = true } }
      if request.action == "Volume", hasWrapped.withLock({ $0 }) { response.setText("Value", "100") }
    })
  }

  /// SetVolumeNoUnmute does what SetVolume does.
  private static let unmutingVolume = Fault(
    onRequest: { request in
      guard request.action == "SetVolumeNoUnmute" else { return }
      request.set("soapaction", (request.header("soapaction") ?? "").replacing("NoUnmute", with: ""))
      request.replace("SetVolumeNoUnmute", "SetVolume")
    },
    onResponse: { request, response in
      if request.action == "SetVolumeNoUnmute" {
        response.replace("SetVolumeResponse", "SetVolumeNoUnmuteResponse")
      }
    })
}

import DeviceStack
import UPnP

/// Product:4 of the stand-in speaker.
final class StandInProductService: Product4.Provider {
  private static let sourceNotFound = ActionFault(801, "Source not found")
  private static let attributeList = "Credentials Info Time Volume Transport Pins Receiver Sender"
  private static let page = "http://192.0.2.1/"

  private let speaker: StandInSpeaker
  private lazy var variables = Product4.Variables(values)

  init(_ speaker: StandInSpeaker) {
    self.speaker = speaker
    speaker.observe { [weak self] in self?.update() }
  }

  var service: HostedService { Product4.hosted(by: self, variables) }

  private func update() { variables.apply(values) }

  private var values: Product4.Values {
    .init(
      manufacturerName: "Example", manufacturerInfo: "Stand-ins", manufacturerUrl: Self.page, manufacturerImageUri: "",
      modelName: "Speaker", modelInfo: "Makes no sound", modelUrl: Self.page, modelImageUri: "",
      productRoom: StandInDevice.room, productName: StandInDevice.name, productInfo: "Speaker 1",
      productUrl: Self.page, productImageUri: "", productImageHiresUri: "", standby: speaker.isStandby,
      standbyTransitioning: false, sourceIndex: speaker.source.rawValue,
      sourceCount: UInt32(StandInSpeaker.Source.allCases.count), sourceXml: StandInSpeaker.Source.xml,
      attributes: Self.attributeList)
  }

  // MARK: Identity

  func manufacturer() -> Product4.ManufacturerOutput {
    .init(
      name: values.manufacturerName, info: values.manufacturerInfo, url: values.manufacturerUrl,
      imageUri: values.manufacturerImageUri)
  }

  func model() -> Product4.ModelOutput {
    .init(name: values.modelName, info: values.modelInfo, url: values.modelUrl, imageUri: values.modelImageUri)
  }

  func product() -> Product4.ProductOutput {
    .init(
      room: values.productRoom, name: values.productName, info: values.productInfo, url: values.productUrl,
      imageUri: values.productImageUri, imageHiresUri: values.productImageHiresUri)
  }

  func getImageUri(_ input: Product4.GetImageUriInput) -> Product4.GetImageUriOutput { .init(imageUri: "") }

  func attributes() -> Product4.AttributesOutput { .init(value: Self.attributeList) }

  // MARK: Standby

  func standby() -> Product4.StandbyOutput { .init(value: speaker.isStandby) }

  func standbyTransitioning() -> Product4.StandbyTransitioningOutput { .init(value: false) }

  func setStandby(_ input: Product4.SetStandbyInput) { speaker.change { $0.setStandby(input.value) } }

  // MARK: Sources

  func sourceCount() -> Product4.SourceCountOutput { .init(value: values.sourceCount) }

  func sourceXml() -> Product4.SourceXmlOutput { .init(value: values.sourceXml) }

  func sourceXmlChangeCount() -> Product4.SourceXmlChangeCountOutput { .init(value: 0) }

  func sourceIndex() -> Product4.SourceIndexOutput { .init(value: speaker.source.rawValue) }

  func source(_ input: Product4.SourceInput) throws(ActionFault) -> Product4.SourceOutput {
    let source = try source { $0.rawValue == input.index }
    return .init(systemName: source.name, type: source.type, name: source.name, visible: source.isVisible)
  }

  func setSourceIndex(_ input: Product4.SetSourceIndexInput) throws(ActionFault) {
    try select { $0.rawValue == input.value }
  }

  func setSourceIndexByName(_ input: Product4.SetSourceIndexByNameInput) throws(ActionFault) {
    try select { $0.name == input.value }
  }

  func setSourceBySystemName(_ input: Product4.SetSourceBySystemNameInput) throws(ActionFault) {
    try select { $0.name == input.value }
  }

  private func source(where isWanted: (StandInSpeaker.Source) -> Bool) throws(ActionFault) -> StandInSpeaker.Source {
    guard let source = StandInSpeaker.Source.allCases.first(where: isWanted) else { throw Self.sourceNotFound }
    return source
  }

  private func select(where isWanted: (StandInSpeaker.Source) -> Bool) throws(ActionFault) {
    let source = try source(where: isWanted)
    speaker.change { $0.select(source) }
  }
}

extension StandInSpeaker.Source {
  var name: String {
    switch self {
    case .playlist: "Playlist"
    case .radio: "Radio"
    case .upnpAV: "UPnP AV"
    case .receiver: "Receiver"
    }
  }

  var type: String { self == .upnpAV ? "UpnpAv" : name }

  var isVisible: Bool { self != .upnpAV }

  static var xml: String {
    let sources = allCases.map { source in
      """
      <Source><Name>\(source.name)</Name><Type>\(source.type)</Type><Visible>\(source.isVisible)</Visible>\
      <SystemName>\(source.name)</SystemName></Source>
      """
    }
    return "<SourceList>\(sources.joined())</SourceList>"
  }
}

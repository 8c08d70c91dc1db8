import DeviceStack
import Playback
import PlaybackModel
import SpeakerCore
import UPnP

/// Product:4: identity, sources and standby of the speaker.
public final class ProductProvider: Product4.Provider {
  private static let sourceNotFound = ActionFault(801, "Source not found")

  private let player: Player
  private let commands: ControllerCommands
  private var description: ProductDescription
  private var list: ProductSourceList
  private let attributeList: String
  private let variables: Product4.Variables

  /// Call it on the player's executor, like all members of this class.
  /// - Parameters:
  ///   - sources: the sources of this device, in the order of SourceXml.
  ///   - attributes: the other services that controllers may use, such as `Info`.
  package init(
    player: Player, control: SpeakerControl, description: ProductDescription, sources: [Source], attributes: [String]
  ) {
    self.player = player
    commands = ControllerCommands(control: control, origin: .openHome)
    self.description = description
    list = ProductSourceList(sources.map(ProductSource.init))
    attributeList = attributes.joined(separator: " ")
    variables = Product4.Variables(Self.values(player, description, list, attributes: attributeList))
  }

  /// The service for a device to host.
  public var service: HostedService { Product4.hosted(by: self, variables) }

  /// Updates the evented variables after a change in the player.
  public func update(_ changes: PlayerChanges) {
    guard !changes.isDisjoint(with: [.source, .standby]) else { return }
    variables.apply(values)
  }

  /// Applies a reloaded configuration.
  public func update(_ description: ProductDescription, sources: [Source]) {
    self.description = description
    list.set(sources.map(ProductSource.init))
    variables.apply(values)
  }

  private var values: Product4.Values { Self.values(player, description, list, attributes: attributeList) }

  /// Addresses are paths, which the host completes for each receiver.
  private static func values(
    _ player: Player, _ description: ProductDescription, _ list: ProductSourceList, attributes: String
  ) -> Product4.Values {
    Product4.Values(
      manufacturerName: description.manufacturer, manufacturerInfo: description.modelInfo,
      manufacturerUrl: description.pagePath,
      manufacturerImageUri: description.iconPath, modelName: description.model, modelInfo: description.modelInfo,
      modelUrl: description.pagePath, modelImageUri: description.iconPath, productRoom: description.room,
      productName: description.name,
      productInfo: description.productInfo, productUrl: description.pagePath, productImageUri: description.iconPath,
      productImageHiresUri: description.iconPath, standby: player.immediately { $0.isStandby },
      standbyTransitioning: false,
      sourceIndex: index(of: player.immediately { $0.source }, in: list.sources),
      sourceCount: UInt32(list.sources.count), sourceXml: list.xml, attributes: attributes)
  }

  private var currentIndex: UInt32 { Self.index(of: player.immediately { $0.source }, in: list.sources) }

  private static func index(of source: Source, in sources: [ProductSource]) -> UInt32 {
    UInt32(sources.firstIndex { $0.source == source } ?? 0)
  }

  // MARK: Identity

  public func manufacturer() -> Product4.ManufacturerOutput {
    Product4.ManufacturerOutput(
      name: description.manufacturer, info: description.modelInfo, url: description.pagePath,
      imageUri: description.iconPath)
  }

  public func model() -> Product4.ModelOutput {
    Product4.ModelOutput(
      name: description.model, info: description.modelInfo, url: description.pagePath, imageUri: description.iconPath)
  }

  public func product() -> Product4.ProductOutput {
    Product4.ProductOutput(
      room: description.room, name: description.name, info: description.productInfo, url: description.pagePath,
      imageUri: description.iconPath,
      imageHiresUri: description.iconPath)
  }

  public func getImageUri(_ input: Product4.GetImageUriInput) -> Product4.GetImageUriOutput {
    Product4.GetImageUriOutput(imageUri: description.iconPath)
  }

  public func attributes() -> Product4.AttributesOutput { Product4.AttributesOutput(value: attributeList) }

  // MARK: Standby

  public func standby() -> Product4.StandbyOutput {
    Product4.StandbyOutput(value: player.immediately { $0.isStandby })
  }

  public func setStandby(_ input: Product4.SetStandbyInput) throws(ActionFault) {
    try commands.perform(.standby(input.value))
  }

  /// Always false: standby switches at once.
  public func standbyTransitioning() -> Product4.StandbyTransitioningOutput {
    Product4.StandbyTransitioningOutput(value: false)
  }

  // MARK: Sources

  public func sourceCount() -> Product4.SourceCountOutput {
    Product4.SourceCountOutput(value: UInt32(list.sources.count))
  }

  public func sourceXml() -> Product4.SourceXmlOutput { Product4.SourceXmlOutput(value: list.xml) }

  public func sourceXmlChangeCount() -> Product4.SourceXmlChangeCountOutput {
    Product4.SourceXmlChangeCountOutput(value: list.changeCount)
  }

  public func sourceIndex() -> Product4.SourceIndexOutput { Product4.SourceIndexOutput(value: currentIndex) }

  public func source(_ input: Product4.SourceInput) throws(ActionFault) -> Product4.SourceOutput {
    let source = try source(at: input.index)
    return Product4.SourceOutput(
      systemName: source.name, type: source.type, name: source.name, visible: source.isVisible)
  }

  public func setSourceIndex(_ input: Product4.SetSourceIndexInput) throws(ActionFault) {
    try select(try source(at: input.value))
  }

  public func setSourceIndexByName(_ input: Product4.SetSourceIndexByNameInput) throws(ActionFault) {
    try select(try source(named: input.value))
  }

  public func setSourceBySystemName(_ input: Product4.SetSourceBySystemNameInput) throws(ActionFault) {
    try select(try source(named: input.value))
  }

  private func source(at index: UInt32) throws(ActionFault) -> ProductSource {
    guard index < list.sources.count else { throw Self.sourceNotFound }
    return list.sources[Int(index)]
  }

  private func source(named name: String) throws(ActionFault) -> ProductSource {
    guard let source = list.sources.first(where: { $0.name == name }) else { throw Self.sourceNotFound }
    return source
  }

  private func select(_ source: ProductSource) throws(ActionFault) { try commands.perform(.source(source.source)) }
}

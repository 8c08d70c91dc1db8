/// One icon of a device (UDA 1.1 §2.3 `<icon>`).
public struct Icon: Sendable, Hashable {
  /// `image/png` or `image/jpeg`.
  public var mimeType: String
  /// Pixels.
  public var width: Int
  /// Pixels.
  public var height: Int
  /// Bits a pixel.
  public var depth: Int
  /// The last part of its URL, such as `icon-48.png`.
  public var fileName: String
  public var data: [UInt8]

  public init(mimeType: String, width: Int, height: Int, depth: Int, fileName: String, data: [UInt8]) {
    self.mimeType = mimeType
    self.width = width
    self.height = height
    self.depth = depth
    self.fileName = fileName
    self.data = data
  }
}

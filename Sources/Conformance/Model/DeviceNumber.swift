extension Int {
  /// The integers of UPnP's data types up to 32 bits (UDA 1.1 §2.5): no service here has larger ones. Sums and products
  /// of a few of them cannot overflow.
  static let deviceNumbers = Int(Int32.min)...Int(UInt32.max)

  /// A number that the device has sent; nil for other texts, and for numbers that need more than 32 bits.
  init?(device text: some StringProtocol) {
    guard let number = Int(text), Self.deviceNumbers.contains(number) else { return nil }
    self = number
  }
}

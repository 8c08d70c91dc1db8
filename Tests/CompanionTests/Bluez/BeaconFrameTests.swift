import Testing

@testable import Companion

@Suite struct BeaconFrameTests {
  /// The example of OCTO's paper (2014), from the AD structure on.
  private static let reference: [UInt8] = [
    0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15,
    0x31, 0x8F, 0xDE, 0xAA, 0x64, 0xDD, 0x44, 0x48, 0x88, 0xB4, 0x2C, 0xD4, 0x62, 0xCF, 0x68, 0xBE,
    0x12, 0x34, 0xAB, 0xCD, 0xC5,
  ]

  private static func frame() throws -> BeaconFrame {
    let uuid = try #require(ProximityUUID("318FDEAA-64DD-4448-88B4-2CD462CF68BE"))
    return BeaconFrame(uuid: uuid, major: 0x1234, minor: 0xABCD, power: -59)
  }

  @Test func theStructureIsTheReferencesByteForByte() throws {
    // BlueZ adds the length, the type for manufacturer data, and the company, least significant byte first.
    let company = [UInt8(BeaconFrame.company & 0xFF), UInt8(BeaconFrame.company >> 8)]
    let data = company + (try Self.frame()).bytes
    #expect([UInt8(data.count + 1), 0xFF] + data == Self.reference)
  }

  @Test func framesAreReadBack() throws {
    #expect(BeaconFrame(bytes: Array(Self.reference[4...])) == (try Self.frame()))
  }

  @Test(arguments: [[], [0x02], [0x10, 0x05, 0x01, 0x18, 0x44]])
  func otherDataIsNoBeacon(_ bytes: [UInt8]) { #expect(BeaconFrame(bytes: bytes) == nil) }

  @Test func dataOfTheWrongLengthOrTypeIsNoBeacon() throws {
    let bytes = (try Self.frame()).bytes
    #expect(BeaconFrame(bytes: bytes + [0]) == nil)
    #expect(BeaconFrame(bytes: bytes.dropLast()) == nil)
    #expect(BeaconFrame(bytes: [0x02, 0x16] + bytes[2...]) == nil)
  }

  @Test(arguments: [
    "", "318FDEAA", "318FDEAA64DD444888B42CD462CF68BE", "318FDEAA-64DD-4448-88B4-2CD462CF68BG",
    "318FDEAA-64DD-4448-88B4-2CD462CF68BE-", "é18FDEA-64DD-4448-88B4-2CD462CF68BE",
  ])
  func otherTextsAreNoUUID(_ text: String) { #expect(ProximityUUID(text) == nil) }

  @Test func uuidsAreWrittenInLowerCase() {
    #expect(
      ProximityUUID("318FDEAA-64DD-4448-88B4-2CD462CF68BE")?.description == "318fdeaa-64dd-4448-88b4-2cd462cf68be")
  }

  @Test func randomUUIDsDifferAndAreVersion4() {
    var generator = SystemRandomNumberGenerator()
    let uuids = (0..<100).map { _ in ProximityUUID.random(using: &generator) }
    #expect(Set(uuids).count == 100)
    #expect(uuids.allSatisfy { $0.bytes[6] >> 4 == 4 && $0.bytes[8] >> 6 == 2 })
  }
}

import Glibc
import Testing

@testable import PlaybackModel
@testable import Renderer

@Suite struct SystemTimeTests {
  @Test func theHardwareClockAndTheBoardAreFound() throws {
    let folder = try TemporaryFolder()
    func trust() -> ClockTrust { SystemTime(root: folder.path).trust(at: 1_795_676_400, kernel: false) }
    #expect(trust().hardwareClock == nil)
    folder.write("nonsense\n", to: "sys/class/rtc/rtc0/since_epoch")
    folder.write("1795676400\n", to: "sys/class/rtc/rtc1/since_epoch")
    #expect(trust().hardwareClock == 1_795_676_400)
    folder.write("Raspberry Pi 4", to: "sys/firmware/devicetree/base/model")
    #expect(trust().isBoard)
    folder.write("", to: "run/systemd/timesync/synchronized")
    #expect(trust().isSynchronized)
  }

  @Test func systemdIsAskedIfNothingElseTells() async throws {
    let folder = try TemporaryFolder()
    folder.write("Raspberry Pi 4", to: "sys/firmware/devicetree/base/model")
    let asked = Monitor(0)
    let time = SystemTime(
      root: folder.path,
      timeServer: TimeServer {
        asked.update { $0 += 1 }
        return true
      })
    #expect(!time.trust(at: 1_795_676_400, kernel: false).isAsking)
    #expect(asked.withLock { $0 } == 0)
    #expect(time.trust(at: 1_795_676_400, kernel: nil).isAsking)
    while time.trust(at: 1_795_676_400, kernel: nil).isAsking { try await Task.sleep(for: .milliseconds(10)) }
    #expect(time.trust(at: 1_795_676_400, kernel: nil).isSynchronized)
    // The answer is kept.
    #expect(asked.withLock { $0 } == 1)
    folder.write("1795676400\n", to: "sys/class/rtc/rtc0/since_epoch")
    #expect(!time.trust(at: 1_795_676_400, kernel: nil).isSynchronized)
  }

  @Test func timeIsThatOfTheMachine() {
    let system = SystemTime()
    let moment = system.now()
    #expect(abs(moment.seconds - Int64(time(nil))) <= 2)
    var (now, parts) = (time(nil), tm())
    localtime_r(&now, &parts)
    #expect(system.offset(at: Int64(now)) == Int64(parts.tm_gmtoff))
    #expect(!system.zoneName.isEmpty)
  }

  @Test(arguments: [("Europe/Berlin", true), ("Australia/Lord_Howe", true), ("Etc/GMT+5", true), ("UTC", true)])
  func aTimeZoneOfTheMachineExists(name: String, exists: Bool) {
    // Machines without the package tzdata know none.
    guard access("/usr/share/zoneinfo/UTC", R_OK) == 0 else { return }
    #expect(TimeZoneName.exists(name) == exists)
  }

  @Test(arguments: [
    "", "Europe", "Mars/Base", "../zoneinfo/UTC", "/usr/share/zoneinfo/UTC", "Europe/Berlin\n", "tzdata.zi",
  ])
  func anythingElseDoesNot(name: String) {
    #expect(!TimeZoneName.exists(name))
  }

  @Test func theToneIsAnAudioFile() throws {
    let tone = AlarmTone()
    let address = try #require(tone.prepare())
    #expect(address == tone.address)
    let file = AlarmTone.file
    #expect(file.count == 44 + 2 * 44_100 * 2)
    #expect(String(decoding: file[0..<4] + file[8..<12], as: UTF8.self) == "RIFFWAVE")
    // It begins and ends in silence, so that it repeats without a click.
    #expect(file[44..<46].allSatisfy { $0 == 0 } && file.suffix(4).allSatisfy { $0 == 0 })
    let opened = try #require(fopen(String(address.dropFirst("file://".count)), "r"))
    defer { fclose(opened) }
    var bytes = [UInt8](repeating: 0, count: file.count + 1)
    #expect(fread(&bytes, 1, bytes.count, opened) == file.count)
    #expect(Array(bytes.dropLast()) == file)
  }
}

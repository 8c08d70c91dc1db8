import Glibc
import Testing

@testable import Playback

@Suite struct StateKeeperTests {
  private let log = LogRecorder()

  private func keeper(_ files: FilesInMemory, _ schedule: WriteSchedule = WriteSchedule()) -> StateKeeper {
    StateKeeper(folder: StateFolder(path: "/state", files: files), schedule: schedule, logger: log.logger)
  }

  private func text(_ value: Int) -> StateText {
    var text = StateText()
    text.add("value", value)
    return text
  }

  /// Waits until the state of the files is such; fails after 30 s.
  private func wait(_ what: Comment, _ files: FilesInMemory, _ condition: @Sendable (FilesInMemory.State) -> Bool) {
    #expect(files.state.wait(timeout: .seconds(30)) { condition($0) ? true : nil } == true, what)
  }

  @Test func whatIsKeptIsThereForTheNextRun() async {
    let files = FilesInMemory()
    let first = keeper(files)
    #expect(first.load("sound") == nil)
    first.keep(text(1), as: "sound")
    first.keep(text(2), as: "pins")
    first.keep(text(3), as: "sound")
    await first.shutdown()
    #expect(files.names == ["pins", "sound"])

    let second = keeper(files.afterPowerCut(namesAreSynced: false) { _ in [] })
    #expect(second.load("sound") == text(3))
    #expect(second.load("pins") == text(2))
    await second.shutdown()
    #expect(log.lines.isEmpty)
  }

  @Test func theFirstChangeIsWrittenBeforeTheEnd() async {
    let files = FilesInMemory()
    let keeper = keeper(files)
    keeper.keep(text(1), as: "sound")
    wait("the file", files) { $0.syncedNames["sound"] != nil }
    await keeper.shutdown()
  }

  @Test func aBurstOfChangesIsWrittenOnceASecond() async {
    let files = FilesInMemory()
    let keeper = keeper(files)
    keeper.keep(text(0), as: "sound")
    wait("the first", files) { $0.syncedNames["sound"] != nil }
    for value in 1...1000 { keeper.keep(text(value), as: "sound") }
    // The last comes with the end; a slow machine may have written once more in between.
    await keeper.shutdown()
    #expect(keeper.load("sound") == text(1000))
    #expect(files.steps.count { $0 == .create("sound.new") } <= 3)
  }

  @Test func whatHasNotChangedIsNotWritten() async {
    let files = FilesInMemory(files: ["sound": Array("swiftlet sound 1\nvalue 7\n".utf8)])
    let keeper = keeper(files)
    #expect(keeper.load("sound") == text(7))
    keeper.keep(text(7), as: "sound")
    await keeper.shutdown()
    #expect(files.steps.isEmpty)
  }

  @Test func whatIsKeptAfterTheEndIsNotWrittenAndTheEndComesTwice() async {
    let files = FilesInMemory()
    let keeper = keeper(files)
    await keeper.shutdown()
    keeper.keep(text(1), as: "sound")
    await keeper.shutdown()
    #expect(files.names.isEmpty)
  }

  @Test func aFullDiskIsSaidOnceAndWrittenWhenThereIsRoom() async {
    let files = FilesInMemory(files: ["sound": Array("swiftlet sound 1\nvalue 7\n".utf8)])
    files.state.update { $0.capacity = 30 }
    let keeper = keeper(files, WriteSchedule(retryInterval: .milliseconds(10)))
    keeper.keep(text(8), as: "sound")
    keeper.keep(text(8), as: "pins")
    wait("an attempt", files) { $0.steps.contains(.remove("sound.new")) }
    #expect(files.bytes("sound") == Array("swiftlet sound 1\nvalue 7\n".utf8))
    keeper.keep(text(9), as: "sound")
    files.state.update { $0.capacity = .max }
    wait("the new text", files) { $0.syncedNames["pins"] != nil && $0.syncedNames["sound"] != 1 }
    await keeper.shutdown()
    #expect(keeper.load("sound") == text(9))
    let warning = "What changes from now on is lost with a restart, until that works again."
    #expect(log.lines.count == 2)
    #expect(log.lines.first?.hasSuffix(".new: no space left on device. \(warning)") == true)
    #expect(log.lines.last == "notice: What is kept over restarts can be written again.")
  }

  @Test func theEndDoesNotWaitForABrokenDisk() async {
    let files = FilesInMemory()
    files.state.update { $0.fails = { _ in true } }
    let keeper = keeper(files)
    keeper.keep(text(1), as: "sound")
    await keeper.shutdown()
    #expect(log.lines.count == 1)
  }

  @Test(arguments: [
    ("swiftlet sound 2\nvalue 1\n", "was written by a later version of this program"),
    ("swiftlet so", "is damaged"),
  ])
  func whatMakesNoSenseIsSetAside(content: String, reason: String) async throws {
    let files = FilesInMemory(files: ["sound": Array(content.utf8)])
    let keeper = keeper(files)
    #expect(keeper.load("sound") == nil)
    let aside = try #require(files.names.first)
    #expect(aside.hasPrefix("sound.unreadable-"))
    #expect(
      log.lines == ["warning: /state/sound \(reason): it is kept as \(aside), and what it held begins anew."])
    keeper.keep(text(1), as: "sound")
    await keeper.shutdown()
    #expect(files.bytes(aside) == Array(content.utf8))
    #expect(files.bytes("sound") == Array("swiftlet sound 1\nvalue 1\n".utf8))
  }

  /// Whenever the power goes, each file is as it was or as it became.
  @Test func aPowerCutAtAnyStepLeavesAWholeFile() throws {
    let (old, new) = (text(1).text(of: "sound", version: 1), text(22).text(of: "sound", version: 1))
    let count = 5
    for step in 0...count {
      for written in [0, 1, new.utf8.count - 1] {
        let files = FilesInMemory(files: ["sound": Array(old.utf8)])
        files.state.update { $0.stopsAt = (step, written) }
        let folder = StateFolder(path: "/state", files: files)
        let isDone = (try? folder.write(new, to: "sound")) != nil
        #expect(isDone == (step == count))
        for namesAreSynced in [false, true] {
          let after = files.afterPowerCut(namesAreSynced: namesAreSynced) { _ in [] }
          let read = try StateFolder(path: "/state", files: after).read("sound")
          #expect(isDone ? read == new : read == old || read == new)
        }
      }
    }
  }
}

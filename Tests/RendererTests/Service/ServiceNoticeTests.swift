import Testing

@testable import Renderer

@Suite struct ServiceNoticeTests {
  /// sd_notify(3), “Well-known assignments”.
  @Test(arguments: [
    (ServiceNotice.ready, "READY=1\n"), (.stopping, "STOPPING=1\n"), (.watchdog, "WATCHDOG=1\n"),
    (.reloading(since: 12_345_678), "RELOADING=1\nMONOTONIC_USEC=12345678\n"),
    (.status("“Küche” waits for a network"), "STATUS=“Küche” waits for a network\n"),
    (.status("two\nREADY=1\r\nlines"), "STATUS=two READY=1 lines\n"),
  ])
  func noticesAreAssignments(notice: ServiceNotice, text: String) {
    #expect(notice.text == text)
  }
}

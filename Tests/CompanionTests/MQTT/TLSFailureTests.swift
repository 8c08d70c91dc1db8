import Testing

@testable import Companion

@Suite struct TLSFailureTests {
  /// The codes are those of OpenSSL's x509_vfy.h.
  @Test func everyReasonHasAnAnswer() {
    let failed = "certificate verify failed"
    let rows: [(reason: String, verification: Int, isForAnotherHost: Bool, failure: TLSFailure)] = [
      (failed, 1, true, .wrongHost), (failed, 0, true, .wrongHost), (failed, 62, false, .wrongHost),
      (failed, 64, false, .wrongHost), (failed, 18, false, .unknownAuthority), (failed, 19, false, .unknownAuthority),
      (failed, 20, false, .unknownAuthority), (failed, 21, false, .unknownAuthority),
      (failed, 7, false, .unknownAuthority), (failed, 10, false, .wrongTime), (failed, 9, false, .wrongTime),
      (failed, 23, false, .other(failed)), ("wrong version number", 0, false, .other("wrong version number")),
    ]
    var texts: Set<String> = []
    for row in rows {
      let failure = TLSFailure(row.reason, verification: row.verification, isForAnotherHost: row.isForAnotherHost)
      #expect(failure == row.failure, "\(row)")
      texts.insert(failure.description(host: "broker.example.org"))
    }
    #expect(texts.count == 5)
    #expect(TLSFailure.wrongHost.description(host: "broker.example.org").contains("is not for broker.example.org"))
  }
}

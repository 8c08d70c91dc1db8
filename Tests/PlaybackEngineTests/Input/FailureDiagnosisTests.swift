import MediaStream
import Testing

@testable import PlaybackEngine
@testable import PlaybackModel

struct FailureDiagnosisTests {
  private struct Case: CustomTestStringConvertible {
    let testDescription: String
    var failure: ElementFailure
    var isContinuation = false
    var isPrerolled = false
    var isSeeking = false
    var hasReceived = true
    let verdict: FailureDiagnosis.Verdict

    init(
      _ description: String, _ failure: ElementFailure, _ verdict: FailureDiagnosis.Verdict,
      change: (inout Case) -> Void = { _ in }
    ) {
      (testDescription, self.failure, self.verdict) = (description, failure, verdict)
      change(&self)
    }
  }

  private static func stream(_ cause: StreamFailure) -> ElementFailure {
    var failure = ElementFailure(domain: .resource, code: 1)
    failure.cause = cause
    if case .status(let status) = cause { failure.httpStatus = status }
    return failure
  }

  private static let refusedRange = stream(.status(416))
  /// GStreamer's "Internal data stream error" and "could not determine type of stream".
  private static let internalError = ElementFailure(domain: .stream, code: 1)
  private static let unknownType = ElementFailure(domain: .stream, code: 4)

  private static let cases = [
    Case("a range beyond the end of a stream that is heard", refusedRange, .atEnd) { $0.isPrerolled = true },
    Case("after a seek, the position is beyond the end", refusedRange, .positionBeyondEnd) {
      ($0.isPrerolled, $0.isSeeking) = (true, true)
    },
    Case("before the first sound, the end is too early", refusedRange, .error(.truncated)),
    Case("a refused first request", refusedRange, .error(.serverError(416))) { $0.hasReceived = false },
    Case("a refused continuation", refusedRange, .error(.serverError(416))) {
      ($0.isContinuation, $0.isPrerolled) = (true, true)
    },
    Case("an absent server", stream(.refused), .error(.refused)) { $0.hasReceived = false },
    Case("a server that was there before has broken off", stream(.refused), .error(.truncated)),
    Case("a missing file is missing also later", stream(.status(404)), .error(.notFound)),
    Case("something that is no sound", unknownType, .error(.notAudio)),
    Case("nothing at all", unknownType, .error(.empty)) { $0.hasReceived = false },
    Case("no reason before the first sound", internalError, .error(.notAudio)),
    Case("no reason after it", internalError, .error(.truncated)) { $0.isPrerolled = true },
  ]

  @Test(arguments: cases) private func decides(_ test: Case) {
    let diagnosis = FailureDiagnosis(
      failure: test.failure, isContinuation: test.isContinuation, isPrerolled: test.isPrerolled,
      isSeeking: test.isSeeking, hasReceived: test.hasReceived)
    #expect(diagnosis.verdict == test.verdict)
  }
}

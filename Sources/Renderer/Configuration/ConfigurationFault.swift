/// Why a value cannot be taken: all that is wrong with it.
struct ConfigurationFault: Error {
  struct Reason: Equatable {
    /// Where it is not the value's own.
    var line: Int?
    /// Of the part of the value that is meant, behind the key; nil for all of it.
    var member: String?
    var sentence: String
  }

  var reasons: [Reason]

  init(_ reasons: [Reason]) { self.reasons = reasons }

  init(_ sentence: String) { reasons = [Reason(sentence: sentence)] }
}

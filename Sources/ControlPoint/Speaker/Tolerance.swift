/// Calls an action whose result is not essential.
/// - Returns: nil if the device refuses it, does not declare it, or gives an invalid answer.
/// - Throws: if the device cannot be reached.
func tolerating<Value: Sendable>(
  _ body: () async throws(ControlPointError) -> Value
) async throws(ControlPointError) -> Value? {
  try await outcome(body).tolerant()
}

/// The result of an action, so that several actions can run at once with `async let` and typed errors.
func outcome<Value: Sendable>(
  _ body: () async throws(ControlPointError) -> Value
) async -> Result<Value, ControlPointError> {
  do throws(ControlPointError) { return .success(try await body()) } catch { return .failure(error) }
}

extension Result where Failure == ControlPointError {
  /// - Returns: nil if the device answered, but not with a result.
  func tolerant() throws(ControlPointError) -> Success? {
    do throws(ControlPointError) {
      return try get()
    } catch {
      switch error {
      case .fault, .notOffered, .malformed, .status, .tooLarge: return nil
      case .timeout, .unreachable, .notAllowed, .cancelled, .stopped: throw error
      }
    }
  }
}

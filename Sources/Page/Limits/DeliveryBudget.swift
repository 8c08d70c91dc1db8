import Synchronization

/// Limits the bytes of all answers that clients have not read yet. A client that reads nothing would otherwise hold megabytes
/// until its connection is closed.
final class DeliveryBudget: Sendable {
  /// An answer that is being sent. Releasing it frees its bytes.
  final class Delivery: Sendable {
    private let budget: DeliveryBudget
    private let bytes: Int

    fileprivate init(_ budget: DeliveryBudget, _ bytes: Int) {
      self.budget = budget
      self.bytes = bytes
    }

    deinit { budget.used.subtract(bytes, ordering: .relaxed) }
  }

  private let limit: Int
  private let used = Atomic(0)

  init(limit: Int) { self.limit = limit }

  /// - Returns: nil if the limit would be exceeded.
  func begin(_ bytes: Int) -> Delivery? {
    guard used.add(bytes, ordering: .relaxed).newValue <= limit else {
      used.subtract(bytes, ordering: .relaxed)
      return nil
    }
    return Delivery(self, bytes)
  }
}

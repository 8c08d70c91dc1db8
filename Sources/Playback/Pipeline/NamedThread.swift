import CGStreamer

/// A thread of our own, for work that blocks.
package enum NamedThread {
  /// Starts a detached thread that runs the body once.
  /// - Parameter name: what `top -H` shows; fifteen characters at most.
  package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let context = Unmanaged.passRetained(Context(body: body))
    if let thread = g_thread_try_new(name, runNamedThread, context.toOpaque(), nil) {
      g_thread_unref(thread)
    } else {
      // The machine is out of threads. Late is better than never: whoever waits for the body would wait for ever.
      context.takeRetainedValue().body()
    }
  }

  fileprivate final class Context: Sendable {
    let body: @Sendable () -> Void

    init(body: @escaping @Sendable () -> Void) { self.body = body }
  }
}

private func runNamedThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  Unmanaged<NamedThread.Context>.fromOpaque(argument).takeRetainedValue().body()
  return nil
}

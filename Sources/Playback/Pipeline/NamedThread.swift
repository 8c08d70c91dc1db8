import CGStreamer

/// A thread of our own, for work that blocks.
package enum NamedThread {
  /// Starts a detached thread that runs the body once.
  /// - Parameters:
  ///   - name: what `top -H` shows; fifteen characters at most.
  ///   - afterwards: called when all that the body held on to has been let go.
  package static func start(
    _ name: String, afterwards: @escaping @Sendable () -> Void = {}, _ body: @escaping @Sendable () -> Void
  ) {
    let context = Unmanaged.passRetained(Context(body: body, afterwards: afterwards))
    if let thread = g_thread_try_new(name, runNamedThread, context.toOpaque(), nil) {
      g_thread_unref(thread)
    } else {
      // The machine is out of threads. Late is better than never: whoever waits for the body would wait for ever.
      run(context)
    }
  }

  fileprivate static func run(_ context: Unmanaged<Context>) {
    let afterwards = context.takeUnretainedValue().afterwards
    context.takeRetainedValue().body()
    afterwards()
  }

  fileprivate final class Context: Sendable {
    let body: @Sendable () -> Void
    let afterwards: @Sendable () -> Void

    init(body: @escaping @Sendable () -> Void, afterwards: @escaping @Sendable () -> Void) {
      self.body = body
      self.afterwards = afterwards
    }
  }
}

private func runNamedThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  NamedThread.run(Unmanaged<NamedThread.Context>.fromOpaque(argument))
  return nil
}

import Glibc

/// Starts threads for work that blocks.
package enum NamedThread {
  /// Starts a detached thread that runs the body once.
  /// - Parameters:
  ///   - name: shown by `top -H`; at most 15 characters.
  ///   - afterwards: called after the body's captures are released.
  package static func start(
    _ name: String, afterwards: @escaping @Sendable () -> Void = {}, _ body: @escaping @Sendable () -> Void
  ) {
    let context = Unmanaged.passRetained(Context(name: name, body: body, afterwards: afterwards))
    var thread = pthread_t()
    if pthread_create(&thread, nil, runNamedThread, context.toOpaque()) == 0 {
      pthread_detach(thread)
    } else {
      // The system is out of threads. Run the body here: a caller that waits for it would otherwise wait forever.
      run(context)
    }
  }

  fileprivate static func run(_ context: Unmanaged<Context>) {
    let afterwards = context.takeUnretainedValue().afterwards
    context.takeRetainedValue().body()
    afterwards()
  }

  fileprivate final class Context: Sendable {
    let name: String
    let body: @Sendable () -> Void
    let afterwards: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void, afterwards: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
      self.afterwards = afterwards
    }
  }
}

private func runNamedThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  let context = Unmanaged<NamedThread.Context>.fromOpaque(argument)
  setNameOfThisThread(context.takeUnretainedValue().name)
  NamedThread.run(context)
  return nil
}

/// Replaces `pthread_setname_np`, which the Glibc module does not have.
private func setNameOfThisThread(_ name: String) {
  let file = open("/proc/thread-self/comm", O_WRONLY)
  guard file >= 0 else { return }
  _ = write(file, name, name.utf8.count)
  close(file)
}

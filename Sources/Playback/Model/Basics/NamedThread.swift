import Glibc

/// A thread of our own, for work that blocks.
package enum NamedThread {
  /// Starts a detached thread that runs the body once.
  /// - Parameters:
  ///   - name: what `top -H` shows; fifteen characters at most.
  ///   - afterwards: called when all that the body held on to has been let go.
  package static func start(
    _ name: String, afterwards: @escaping @Sendable () -> Void = {}, _ body: @escaping @Sendable () -> Void
  ) {
    let context = Unmanaged.passRetained(Context(name: name, body: body, afterwards: afterwards))
    var thread = pthread_t()
    if pthread_create(&thread, nil, runNamedThread, context.toOpaque()) == 0 {
      pthread_detach(thread)
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

/// As `pthread_setname_np` does it, which Glibc's module lacks.
private func setNameOfThisThread(_ name: String) {
  let file = open("/proc/thread-self/comm", O_WRONLY)
  guard file >= 0 else { return }
  _ = write(file, name, name.utf8.count)
  close(file)
}

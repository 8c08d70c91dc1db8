/// Why the renderer cannot run, in one sentence for the person at the keyboard.
struct RendererError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

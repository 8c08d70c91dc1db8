import CLinux
import Glibc
import PlaybackEngine
import PlaybackModel

/// The file in which GStreamer caches what a speaker needs of its registry.
enum PluginCache {
  /// Set in the environment of a process that has been started again, so that this happens only once.
  private static let marker = "SWIFTLET_HAS_PLUGIN_CACHE"

  /// Initializes GStreamer with the file. A process that had to write the file starts the program again in its place,
  /// because building the registry leaves its heap larger.
  /// - Parameters:
  ///   - output: a bin description may name any element. It gets GStreamer's own complete file.
  ///   - environment: the variables of this process. The mark of a second start is removed from them.
  static func prepare(for output: OutputDescription?, _ environment: inout [String: String]) {
    unsetenv(marker)
    let isSecondStart = environment.removeValue(forKey: marker) != nil
    if case .bin? = output { return }
    guard let folder = folder(environment), makeFolder(folder) else { return }
    guard SoundRegistry.use(folder + "/gstreamer.registry"), !isSecondStart else { return }
    setenv(marker, "1", 1)
    startAgain()
    unsetenv(marker)
  }

  /// The folder for this program's cache files; nil if the environment does not tell.
  static func folder(_ environment: [String: String]) -> String? {
    if let service = environment["CACHE_DIRECTORY"]?.split(separator: ":").first { return String(service) }
    func absolute(_ variable: String) -> String? { environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    return (absolute("XDG_CACHE_HOME") ?? absolute("HOME").map { $0 + "/.cache" }).map { $0 + "/swiftlet" }
  }

  private static func makeFolder(_ path: String) -> Bool {
    if let slash = path.lastIndex(of: "/") { mkdir(String(path[..<slash]), 0o700) }
    mkdir(path, 0o700)
    return access(path, W_OK) == 0
  }

  /// Replaces this process by a new one of the same program and arguments. Returns if that is impossible.
  private static func startAgain() {
    // After `ld.so swiftlet`, /proc/self/exe is the dynamic loader, which does not know these arguments.
    guard swiftlet_is_started_directly() != 0 else { return }
    // Not /proc/self/exe itself, whose last component would become the name of the process.
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard readlink("/proc/self/exe", &path, path.count - 1) > 0 else { return }
    // Threads of libdispatch block all signals, and the new program would inherit that.
    var none = sigset_t()
    var blocked = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &blocked)
    execv(path, CommandLine.unsafeArgv)
    pthread_sigmask(SIG_SETMASK, &blocked, nil)
  }
}

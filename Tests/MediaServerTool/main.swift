import Glibc
import MediaOrigin

/// A command line tool for `MediaServer`, used by the Python tests.

let usage = """
  usage: media-server --folder DIR [--host 127.0.0.1] [--port 0]

  Serves the files of DIR and prints its base URL. The query of a URL selects misbehaviour, in any combination:
    ranges=no  silent-on-ranges=1  head=no  chunked=1  length=no|+N|-N  closes=1  redirect=N|loop|URL
    redirect-status=301
    open-delay=SECONDS  rate=BYTES-A-SECOND  stall-after=BYTES [stall-for=SECONDS] [stall-times=N]
    close-after=BYTES [close-times=N] [close-reset=1]  status=503 [status-times=N]  type=TYPE|none
    icy=INTERVAL [icy-name=NAME] [icy-title=OFFSET:TITLE]… [icy-line=1]  garbage=1  endless=1  header=NAME:VALUE
  Logs each request as a line on the standard error.

  """

func complain(_ text: String) {
  let bytes = Array(text.utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}

func fail(_ text: String, status: Int32) -> Never {
  complain(text)
  exit(status)
}

var options = ["--folder": "", "--host": "127.0.0.1", "--port": "0"]
var arguments = CommandLine.arguments.dropFirst()
while let name = arguments.popFirst() {
  guard options[name] != nil, let value = arguments.popFirst() else { fail(usage, status: 64) }
  options[name] = value
}
guard let folder = options["--folder"], !folder.isEmpty, let host = options["--host"],
  let port = options["--port"].flatMap({ Int($0) })
else { fail(usage, status: 64) }

do {
  let server = try await MediaServer.start(host: host, port: port, folder: folder) { complain("\($0)\n") }
  print(server.baseURL)
  fflush(nil)
  // Until a signal ends the process.
  while true { try await Task.sleep(for: .seconds(86_400)) }
} catch {
  fail("media-server: cannot listen on \(host):\(port): \(error)\n", status: 69)
}

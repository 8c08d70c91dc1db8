// fuzz TARGET [libFuzzer's options and folders]: see scripts/fuzz.sh. Without arguments it lists the targets.

import CFuzzer
import FuzzTargets
import Glibc
import Synchronization

/// The running target. A global variable, because a C function pointer cannot capture it.
let running = Mutex<FuzzTarget?>(nil)

guard CommandLine.arguments.count > 1, let target = FuzzTarget(rawValue: CommandLine.arguments[1]) else {
  for target in FuzzTarget.allCases { print(target.rawValue) }
  exit(CommandLine.arguments.count > 1 ? 64 : 0)
}
running.withLock { $0 = target }

let arguments = [CommandLine.arguments[0]] + CommandLine.arguments.dropFirst(2)
var count = Int32(arguments.count)
var argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = .allocate(capacity: arguments.count + 1)
for (index, argument) in arguments.enumerated() { argv?[index] = strdup(argument) }
argv?[arguments.count] = nil
let status = LLVMFuzzerRunDriver(&count, &argv) { bytes, count in
  let target = running.withLock(\.self)
  // libFuzzer keeps the input of a process that ends by a signal.
  if let violation = target?.test(UnsafeRawBufferPointer(start: bytes, count: count)).first { fatalError(violation) }
  return 0
}
exit(status)

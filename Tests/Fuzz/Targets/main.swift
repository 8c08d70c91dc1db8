// fuzz TARGET [libFuzzer's options and folders]: see scripts/fuzz.sh.

import Glibc

guard CommandLine.arguments.count > 1, let target = FuzzTarget(rawValue: CommandLine.arguments[1]) else {
  for target in FuzzTarget.allCases { print(target.rawValue) }
  exit(CommandLine.arguments.count > 1 ? 64 : 0)
}
exit(target.run(arguments: [CommandLine.arguments[0]] + CommandLine.arguments.dropFirst(2)))

import CommandLineKit
import Glibc

// A reader that goes away (`| head`) is seen where it is written to.
signal(SIGPIPE, SIG_IGN)
// Before any thread exists, so that none of them takes the signals: one waits for them.
Signals.block()
exit(tool.run(Array(CommandLine.arguments.dropFirst())))

import CommandLineKit
import Glibc

// A reader that goes away (`| head`) is seen where it is written to.
signal(SIGPIPE, SIG_IGN)
exit(ravning.run(Array(CommandLine.arguments.dropFirst())))

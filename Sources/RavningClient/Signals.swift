import Foundation
import Glibc

/// SIGINT, SIGTERM and SIGHUP as events: a command that is told to end leaves its device first.
enum Signals {
    private static var endings: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&set, signal) }
        return set
    }

    static func block() {
        var set = endings
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Puts the first one into the inbox; the second one ends the process at once.
    static func follow(into inbox: Inbox) {
        Thread.detachNewThread {
            var set = endings
            var received: Int32 = 0
            while sigwait(&set, &received) != 0 {}
            inbox.put(.signal(received))
            while sigwait(&set, &received) != 0 {}
            _exit(128 + received)
        }
    }
}

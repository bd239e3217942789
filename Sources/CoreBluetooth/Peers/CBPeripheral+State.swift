internal import BLEBackend

// The peripheral's connection as the program sees it: changed at once by the program's calls, else by the backend's
// events on the manager's queue. Commands are given under the lock, so that state and command can't disagree.

extension CBPeripheral {
    /// How a wish to connect met the state.
    enum ConnectAnswer { case started, alreadyConnecting, alreadyConnected }

    /// How a connection, or a pending one, ended.
    enum End {
        /// There was none.
        case none
        /// At the program's wish.
        case cancelled
        case lost
    }

    /// The state is `.connecting` straight after the call. [contract 43]
    func startConnecting(_ command: () -> Void) -> ConnectAnswer {
        storage.withLock { storage in
            switch storage.state {
            case .connected: return .alreadyConnected
            case .connecting: return .alreadyConnecting
            case .disconnecting: storage.awaitsEnd = true
            default: break
            }
            storage.state = .connecting
            command()
            return .started
        }
    }

    /// The state is `.disconnecting` until the end is told. [contract 45, 46]
    func startDisconnecting(_ command: () -> Void) {
        storage.withLock { storage in
            guard storage.state == .connected || storage.state == .connecting else { return }
            storage.state = .disconnecting
            // One end is told, whether or not that of an earlier connection was still to come.
            storage.awaitsEnd = false
            command()
        }
    }

    /// True: the program still wants to be connected, and now it is.
    func didConnect() -> Bool {
        storage.withLock { storage in
            guard storage.state == .connecting, !storage.awaitsEnd else { return false }
            storage.state = .connected
            return true
        }
    }

    /// Everything that was discovered is invalid. [contract 54]
    /// - Parameter whenIdle: called if the peripheral isn't being connected again.
    func didDisconnect(isReconnecting: Bool, whenIdle: () -> Void) -> End {
        let (end, old) = storage.withLock { storage -> (End, RemoteAttributes) in
            let end: End
            switch storage.state {
            case .disconnecting:
                end = .cancelled
                storage.state = .disconnected
            case .connecting where storage.awaitsEnd:
                end = .cancelled
                storage.awaitsEnd = false
            case .connecting, .connected:
                end = .lost
                storage.state = isReconnecting ? .connecting : .disconnected
            default: return (.none, RemoteAttributes())
            }
            if storage.state == .disconnected { whenIdle() }
            return (end, storage.attributes.removeAll())
        }
        old.invalidate()
        return end
    }

    /// The delegate can't be told of a reconnection, so there will be none. [contract 53]
    func stopReconnecting(_ command: () -> Void) {
        storage.withLock { storage in
            guard storage.state == .connecting else { return }
            storage.state = .disconnected
            command()
        }
    }

    /// The adapter is gone, and all links with it. [contract 7, 8, 10]
    func reset(isValid: Bool) {
        let old = storage.withLock { storage in
            storage.state = .disconnected
            storage.awaitsEnd = false
            if !isValid { storage.isValid = false }
            return storage.attributes.removeAll()
        }
        old.invalidate()
    }
}

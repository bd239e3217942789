internal import BLEBackend
internal import BLEWire
internal import Foundation

extension CBPeripheral {
    func readSignalStrength() {
        guard state == .connected else {
            // This one is answered all the same. [contract 84]
            _ = isReady
            return session.deliver {
                self.session.willCall("peripheral(_:didReadRSSI:error:)")
                self.delegate?.peripheral(
                    self, didReadRSSI: NSNumber(value: 127), error: FrameworkError.make(CBError.Code.notConnected))
            }
        }
        session.perform(.readRSSI(peerID))
    }

    func read(_ characteristic: CBCharacteristic) {
        guard isReady else { return }
        guard let remote = remote(characteristic) else {
            return answer("peripheral(_:didUpdateValueFor:error:)") {
                $0.peripheral($1, didUpdateValueFor: characteristic, error: $2)
            }
        }
        session.perform(.read(peerID, remote.value))
    }

    func read(_ descriptor: CBDescriptor) {
        guard isReady else { return }
        guard let remote = remote(descriptor) else {
            return answer("peripheral(_:didUpdateValueFor:error:)") {
                $0.peripheral($1, didUpdateValueFor: descriptor, error: $2)
            }
        }
        session.perform(.read(peerID, remote.handle))
    }

    func write(_ data: Data, to characteristic: CBCharacteristic, type: CBCharacteristicWriteType) {
        guard isReady else { return }
        guard type == .withResponse else { return writeWithoutResponse(data, to: characteristic) }
        guard let remote = remote(characteristic) else {
            return answer("peripheral(_:didWriteValueFor:error:)") {
                $0.peripheral($1, didWriteValueFor: characteristic, error: $2)
            }
        }
        // Where the characteristic doesn't have the property, the peer says what it thinks of it. [contract 71, 78]
        session.perform(.write(peerID, remote.value, data.octets))
    }

    private func writeWithoutResponse(_ data: Data, to characteristic: CBCharacteristic) {
        guard let remote = remote(characteristic) else { return }
        guard characteristic.properties.contains(.writeWithoutResponse) else {
            return Report.warning(
                "Characteristic \(characteristic.description) does not specify the \"Write Without Response\" property"
                    + " - ignoring response-less write")
        }
        // A command with half of its arguments is worse than none, so what doesn't fit isn't sent. [contract 76]
        let room = maximumWriteValueLength(for: .withoutResponse)
        guard data.count <= room else {
            return Report.warning(
                "\(data.count) octets are more than the \(room) of one write without response to "
                    + "\(characteristic.description) - ignoring it")
        }
        // Without room it is sent as well as may be; the wish for room makes the ready callback come. [contract 77]
        _ = session.backend?.reserveWriteWithoutResponse(to: peerID)
        session.perform(.writeWithoutResponse(peerID, remote.value, data.octets))
    }

    func write(_ data: Data, to descriptor: CBDescriptor) {
        if descriptor.uuid.bluetoothUUID == 0x2902 {
            Report.exception(
                "Client Characteristic Configuration descriptors must be configured using "
                    + "setNotifyValue:forCharacteristic:")
        }
        guard isReady else { return }
        guard let remote = remote(descriptor) else {
            return answer("peripheral(_:didWriteValueFor:error:)") {
                $0.peripheral($1, didWriteValueFor: descriptor, error: $2)
            }
        }
        session.perform(.write(peerID, remote.handle, data.octets))
    }

    func subscribe(_ enabled: Bool, to characteristic: CBCharacteristic) {
        guard isReady else { return }
        guard let remote = remote(characteristic) else {
            return answerSubscription(characteristic, FrameworkError.make(CBError.Code.invalidHandle))
        }
        guard !characteristic.properties.isDisjoint(with: [.notify, .indicate]) else {
            return answerSubscription(characteristic, FrameworkError.make(CBATTError.Code.requestNotSupported))
        }
        // What it has already is answered without radio traffic. [contract 80]
        guard characteristic.wishToNotify(enabled) else { return answerSubscription(characteristic, nil) }
        session.perform(.setNotify(peerID, remote, enabled))
    }

    private func answerSubscription(_ characteristic: CBCharacteristic, _ error: (any Error)?) {
        session.deliver {
            guard self.state == .connected else { return }
            self.session.willCall("peripheral(_:didUpdateNotificationStateFor:error:)")
            self.delegate?.peripheral(self, didUpdateNotificationStateFor: characteristic, error: error)
        }
    }
}

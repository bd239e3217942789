import BLEBackend
import BLEWire
import Testing

@testable import CoreBluetooth

/// Contract 1.10 and 130: errors.
struct ErrorTests {
    @Test(arguments: [
        (BackendError.Cause.unknown, 0), (.invalidParameters, 1), (.invalidHandle, 2), (.notConnected, 3),
        (.outOfSpace, 4), (.operationCancelled, 5), (.connectionTimeout, 6), (.peripheralDisconnected, 7),
        (.uuidNotAllowed, 8), (.alreadyAdvertising, 9), (.connectionFailed, 10), (.connectionLimitReached, 11),
        (.unknownDevice, 12), (.operationNotSupported, 13), (.peerRemovedPairingInformation, 14),
        (.encryptionTimedOut, 15), (.tooManyLEPairedDevices, 16),
    ])
    func `1,10 causes become codes of CBError`(cause: BackendError.Cause, code: Int) {
        let error = FrameworkError.make(BackendError(cause))
        #expect((error as? CBError)?.code.rawValue == code)
        #expect((error as NSError).domain == "CBErrorDomain")
        #expect((error as NSError).code == code)
        #expect(!error.localizedDescription.isEmpty)
    }

    @Test(arguments: [UInt8](0...0x11) + [0x12, 0x80, 0x9F, 0xE0, 0xFD, 0xFF])
    func `1,10 ATT errors keep their code`(raw: UInt8) {
        let error = FrameworkError.make(BackendError(.att(ATTErrorCode(rawValue: raw))))
        #expect((error as? CBATTError)?.code.rawValue == Int(raw))
        #expect((error as NSError).domain == "CBATTErrorDomain")
        #expect(raw <= 0x11 || error.localizedDescription == "Unknown ATT error.")
        #expect(CBATTError.Code(rawValue: Int(raw)) != nil)
    }

    @Test(arguments: [
        (CBError.Code.connectionTimeout, "The connection has timed out unexpectedly."),
        (.peripheralDisconnected, "The specified device has disconnected from us."),
        (.uuidNotAllowed, "The specified UUID is not allowed for this operation."),
        (.alreadyAdvertising, "Advertising has already started."), (.unknown, "Unknown error."),
    ])
    func `1,10 Apple's texts`(code: CBError.Code, text: String) {
        #expect(FrameworkError.make(code).localizedDescription == text)
    }

    @Test func `129 an error prints in Apple's form`() {
        let error = FrameworkError.make(CBError.Code.connectionTimeout)
        let text =
            "Error Domain=CBErrorDomain Code=6 \"The connection has timed out unexpectedly.\" "
            + "UserInfo={NSLocalizedDescription=The connection has timed out unexpectedly.}"
        #expect("\(error)" == text)
        #expect(String(describing: error) == text)
    }

    @Test func `130 errors are caught by code and compared`() {
        func fail(_ code: CBATTError.Code) throws { throw FrameworkError.make(code) }
        do {
            try fail(.insufficientEncryption)
        } catch CBATTError.insufficientEncryption {
        } catch { Issue.record("not caught: \(error)") }
        #expect(CBError(.notConnected) == CBError(.notConnected))
        #expect(CBError(.notConnected) != CBError(.unknown))
        #expect(CBError(.unknown, userInfo: ["a": 1]).userInfo["a"] as? Int == 1)
        #expect(CBError.errorDomain == CBErrorDomain)
        #expect(CBATTError.errorDomain == CBATTErrorDomain)
        #expect(CBError(.outOfSpace).errorCode == 4)
        #expect(Set([CBError(.unknown), CBError(.unknown)]).count == 1)
    }

    @Test func `1,8 raw values without a case survive`() {
        #expect(CBManagerState(rawValue: 77)?.rawValue == 77)
        #expect(CBError.Code(rawValue: 4711)?.rawValue == 4711)
        #expect(CBPeripheralState(rawValue: 9) != .disconnected)
    }
}

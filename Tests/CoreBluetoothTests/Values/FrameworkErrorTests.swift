import BLEBackend
import Foundation
import Testing

@testable import CoreBluetooth

/// How errors print. [contract 129]
@Suite struct FrameworkErrorTests {
    @Test func `an ATT error with a cause beneath prints in Apple's form`() {
        let error = FrameworkError.make(CBATTError.Code.readNotPermitted, underlying: "ATT 0x02 Read Not Permitted")
        #expect(
            "\(error)"
                == "Error Domain=CBATTErrorDomain Code=2 \"Reading is not permitted.\" "
                + "UserInfo={NSLocalizedDescription=Reading is not permitted.}")
    }

    @Test func `the cause beneath isn't in the error's user info`() {
        let error = FrameworkError.make(CBError.Code.connectionFailed, underlying: "HCI 0x3E")
        #expect((error as NSError).userInfo.keys.sorted() == [NSLocalizedDescriptionKey])
    }
}

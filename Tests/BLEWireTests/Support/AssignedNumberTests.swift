import BLEWire
import Testing

@Suite struct AssignedNumberTests {
    @Test func `AD types have the names of the Assigned Numbers`() throws {
        let table = try Vectors.table("ad_types")
        #expect(table.count == 52)
        for entry in table {
            #expect(ADType(rawValue: UInt8(entry.code)).description == entry.name)
        }
    }

    @Test func `an AD type without a name is its number`() {
        #expect(ADType(rawValue: 0x99).description == "0x99")
    }

    @Test func `every signalling command is in the table of codes`() throws {
        let codes = Set(try Vectors.table("l2cap_le_signalling").map(\.code))
        for signal in L2CAPCatalogue.signals { #expect(codes.contains(Int(signal.code.rawValue))) }
    }

    @Test func `the results of credit based connections are those of the tables`() throws {
        let table = try Vectors.table("enhanced_credit_results").map(\.code)
        let known: [L2CAPConnectionResult] = [
            .success, .spsmNotSupported, .noResources, .insufficientAuthentication, .insufficientAuthorization,
            .encryptionKeySizeTooShort, .insufficientEncryption, .invalidSourceChannel, .sourceChannelAlreadyAllocated,
            .unacceptableParameters, .invalidParameters, .pendingNoFurtherInformation, .pendingAuthentication,
            .pendingAuthorization,
        ]
        #expect(known.map { Int($0.rawValue) } == table)
    }

    @Test func `ATT errors have the numbers of the table`() throws {
        let table = try Vectors.table("att_errors").map(\.code)
        let known: [ATTErrorCode] = [
            .invalidHandle, .readNotPermitted, .writeNotPermitted, .invalidPDU, .insufficientAuthentication,
            .requestNotSupported, .invalidOffset, .insufficientAuthorization, .prepareQueueFull, .attributeNotFound,
            .attributeNotLong, .encryptionKeySizeTooShort, .invalidAttributeValueLength, .unlikelyError,
            .insufficientEncryption, .unsupportedGroupType, .insufficientResources, .databaseOutOfSync,
            .valueNotAllowed,
            .writeRequestRejected, .clientCharacteristicConfigurationImproper, .procedureAlreadyInProgress, .outOfRange,
        ]
        #expect(known.map { Int($0.rawValue) } == table)
    }

    @Test func `ATT errors have the names of the table`() throws {
        for entry in try Vectors.table("att_errors") {
            // The table has the older name.
            let name = entry.code == 0x0C ? "Encryption Key Size Too Short" : entry.name
            #expect(ATTErrorCode(rawValue: UInt8(entry.code)).codeName == name)
        }
        #expect(ATTErrorCode(rawValue: 0x85).description == "Application Error (0x85)")
    }

    @Test func `ATT PDUs have the opcodes and names of the table`() throws {
        let short = [
            "REQUEST": "REQ", "RESPONSE": "RSP", "COMMAND": "CMD", "NOTIFICATION": "NTF", "INDICATION": "IND",
            "CONFIRMATION": "CFM",
        ]
        let table = try Vectors.table("att_opcodes").map { entry in
            let words = entry.name.uppercased().split(separator: " ").map(String.init)
            return "\(entry.code) ATT_" + words.map { short[$0] ?? $0 }.joined(separator: "_")
        }
        let known = ATTCatalogue.all.map { "\($0.opcode.rawValue) \($0.name)" }
        #expect(Set(known) == Set(table))
    }

    @Test func `reasons of a failed pairing have the numbers and names of the table`() throws {
        let table = try Vectors.table("smp_failures")
        #expect(table.count == 16)
        for entry in table { #expect(SMPReason(rawValue: UInt8(entry.code)).codeName == entry.name) }
        #expect(SMPReason.busy.description == "Busy (0x10)")
        #expect(SMPReason(rawValue: 0x42).description == "0x42")
    }

    @Test func `a status is told by name and number`() {
        #expect(HCIStatus.connectionTimeout.description == "Connection Timeout (0x08)")
        #expect(HCIStatus(rawValue: 0x7F).description == "0x7F")
    }
}

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
}

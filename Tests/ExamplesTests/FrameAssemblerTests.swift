import DoorOpenerProgram
import Foundation
import Testing

/// T3.7: frames of 3 + 2 + n + 2 octets, n most significant octet first in octets 3 and 4.
@Suite struct FrameAssemblerTests {
    private func frame(_ body: [UInt8]) -> Data {
        Data([1, 2, 3, UInt8(body.count >> 8), UInt8(body.count & 0xFF)] + body + [8, 9])
    }

    @Test(arguments: 1..<14)
    func `a frame comes out whole wherever it is cut`(cut: Int) {
        let octets = frame([10, 11, 12, 13, 14, 15, 16])
        #expect(octets.count == 14)
        var assembler = FrameAssembler()
        #expect(assembler.add(octets.prefix(cut)) == [])
        #expect(assembler.isWaiting)
        #expect(assembler.add(octets.dropFirst(cut)) == [.frame(Data([10, 11, 12, 13, 14, 15, 16]))])
        #expect(!assembler.isWaiting)
    }

    @Test func `a frame comes out whole octet by octet`() {
        var assembler = FrameAssembler()
        let events = frame([7]).flatMap { assembler.add(Data([$0])) }
        #expect(events == [.frame(Data([7]))])
    }

    @Test func `two frames and the begin of a third in one piece`() {
        var assembler = FrameAssembler()
        let octets = frame([1]) + frame([]) + frame([2]).prefix(3)
        #expect(assembler.add(octets) == [.frame(Data([1])), .frame(Data())])
        #expect(assembler.isWaiting)
        #expect(assembler.add(frame([2]).dropFirst(3)) == [.frame(Data([2]))])
    }

    @Test func `a length at the limit is accepted, one above is reported and dropped`() {
        var assembler = FrameAssembler(limit: 300)
        let body = [UInt8](repeating: 5, count: 300)
        #expect(assembler.add(frame(body)) == [.frame(Data(body))])
        #expect(assembler.add(frame(body + [5])) == [.tooLong(301)])
        #expect(!assembler.isWaiting)
        #expect(assembler.add(frame([1])) == [.frame(Data([1]))])
    }

    @Test func `what is dropped is counted, and the next frame is whole`() {
        var assembler = FrameAssembler()
        _ = assembler.add(frame([1, 2, 3]).prefix(6))
        #expect(assembler.drop() == 6)
        #expect(assembler.add(frame([4])) == [.frame(Data([4]))])
    }
}

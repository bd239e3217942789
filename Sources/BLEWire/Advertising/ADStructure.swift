/// One AD structure: a type and its data. [Vol 3, Part C, 11]
package struct ADStructure: Equatable, Sendable {
    package var type: ADType
    package var data: [UInt8]

    package init(_ type: ADType, _ data: [UInt8]) {
        self.type = type
        self.data = data
    }
}

/// What is wrong with advertising data; what came before it holds. [Vol 3, Part C, 11]
package enum ADFault: Error, Equatable, Sendable {
    /// The length at this offset runs past the end.
    case overrun(offset: Int, length: Int, available: Int)
    /// Behind the zero length that ends the data stand octets that aren't zero.
    case dataBehindEnd(offset: Int)
}

extension ADFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .overrun(let offset, let length, let available):
            "the AD structure at octet \(offset) has the length \(length), \(available) octets are there"
        case .dataBehindEnd(let offset):
            "octets follow behind the end of the AD structures at octet \(offset)"
        }
    }
}

/// Walks AD structures without copying their data, as tolerant as hosts are: a zero length ends the walk, a length that
/// runs past the end ends it with a fault. [Vol 3, Part C, 11]
package struct ADReader: Sendable {
    /// A structure by where its data is.
    package struct Element: Equatable, Sendable {
        package var type: ADType
        package var range: Range<Int>
    }

    private let octets: [UInt8]
    private var offset = 0
    private(set) package var fault: ADFault?

    package init(_ octets: [UInt8]) { self.octets = octets }

    package mutating func next() -> Element? {
        guard offset < octets.count else { return nil }
        let length = Int(octets[offset])
        let available = octets.count - offset - 1
        if length == 0 {
            // Early termination: the rest should be zero. [Vol 3, Part C, 11]
            if octets[offset...].contains(where: { $0 != 0 }) { fault = .dataBehindEnd(offset: offset) }
            offset = octets.count
            return nil
        }
        guard length <= available else {
            fault = .overrun(offset: offset, length: length, available: available)
            offset = octets.count
            return nil
        }
        let range = (offset + 2)..<(offset + 1 + length)
        let type = ADType(rawValue: octets[offset + 1])
        offset += 1 + length
        return Element(type: type, range: range)
    }

    /// All structures up to the end or a fault.
    package static func structures(in octets: [UInt8]) -> (structures: [ADStructure], fault: ADFault?) {
        var reader = ADReader(octets)
        var structures: [ADStructure] = []
        while let element = reader.next() {
            structures.append(ADStructure(element.type, Array(octets[element.range])))
        }
        return (structures, reader.fault)
    }
}

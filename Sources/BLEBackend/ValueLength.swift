/// How long the value of one unacknowledged PDU (write command, notification) may be on a link.
package enum ValueLength {
    /// The most that an attribute's value may have. [Vol 3, Part F, 3.2.9]
    package static let maximum = 512

    /// ATT_MTU − 3, the room behind opcode and handle, and never more than a value may have: the other side must refuse
    /// what is longer. [contract 75, 106]
    package static func maximum(attMTU: Int) -> Int { min(attMTU - 3, maximum) }
}

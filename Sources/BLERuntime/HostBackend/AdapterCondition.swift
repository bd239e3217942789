/// What the surroundings allow a device to be: the switch in the settings, rights, and whether there is a radio at all.
package enum AdapterCondition: Equatable, Sendable {
    /// The radio is wanted on; the state follows the host.
    case on
    /// Switched off by the user.
    case off
    /// The process may not use the radio. [contract 14]
    case unauthorized
    /// There is no radio that can be used. [contract 14]
    case unsupported
}

package import BLEWire

/// How a host keeps strangers from following it by its address. [Vol 3, Part C, 10.7]
package struct PrivacyPolicy: Equatable, Sendable {
    /// Whether it advertises, scans and connects with resolvable private addresses. It needs an
    /// `identityResolvingKey`, which bonded peers get; without one it stays off.
    package var isEnabled = false
    /// How long such an address is used: 1 s to 1 h. [Vol 3, Part C, 10.7.4]
    package var lifetime = Delay.seconds(900)
    package init() {}
}

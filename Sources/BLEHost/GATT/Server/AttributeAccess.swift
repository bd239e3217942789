import BLEWire

/// What a link allows: permissions of an attribute against the security of the link. [Vol 3, Part F, 4]
struct AttributeAccess: Sendable {
    let security: LinkSecurity
    let minimumKeySize: Int

    /// Why an attribute can't be read; nil where it can.
    @inline(__always)
    func readError(_ permissions: AttributePermissions) -> ATTErrorCode? {
        guard permissions.contains(.read) else { return .readNotPermitted }
        if permissions.isDisjoint(with: Self.readRestrictions) { return nil }
        return error(
            encrypted: !permissions.isDisjoint(with: [.readEncrypted, .readAuthenticated, .readSecure]),
            authenticated: !permissions.isDisjoint(with: [.readAuthenticated, .readSecure]),
            secure: permissions.contains(.readSecure), authorized: permissions.contains(.authorize))
    }

    /// Why an attribute can't be written; nil where it can.
    @inline(__always)
    func writeError(_ permissions: AttributePermissions) -> ATTErrorCode? {
        guard permissions.contains(.write) else { return .writeNotPermitted }
        if permissions.isDisjoint(with: Self.writeRestrictions) { return nil }
        return error(
            encrypted: !permissions.isDisjoint(with: [.writeEncrypted, .writeAuthenticated, .writeSecure]),
            authenticated: !permissions.isDisjoint(with: [.writeAuthenticated, .writeSecure]),
            secure: permissions.contains(.writeSecure), authorized: permissions.contains(.authorize))
    }

    private static let readRestrictions: AttributePermissions = [
        .readEncrypted, .readAuthenticated, .readSecure, .authorize,
    ]
    private static let writeRestrictions: AttributePermissions = [
        .writeEncrypted, .writeAuthenticated, .writeSecure, .authorize,
    ]

    /// [Vol 3, Part C, 10.3.1]
    private func error(encrypted: Bool, authenticated: Bool, secure: Bool, authorized: Bool) -> ATTErrorCode? {
        if encrypted {
            // Without a key, pairing is what is missing; with one, only the encryption is.
            if !security.isEncrypted { return security.hasKey ? .insufficientEncryption : .insufficientAuthentication }
            if authenticated, !security.isAuthenticated { return .insufficientAuthentication }
            if secure, !security.isSecureConnections { return .insufficientAuthentication }
            if security.keySize < minimumKeySize { return .encryptionKeySizeTooShort }
        }
        // Nobody gives authorization yet.
        return authorized ? .insufficientAuthorization : nil
    }
}

/// What a restore identifier and a restore callback must have to do with each other. [contract 123, 125]
enum RestorationCheck {
    /// - Parameters:
    ///   - hasCallback: whether the delegate has the callback; nil where it can't be told.
    ///   - method: the callback as Apple's texts spell it.
    static func check(
        _ manager: CBManager, hasCallback: Bool?, identifier: Any?, method: String
    ) {
        switch (identifier != nil, hasCallback) {
        case (false, true?):
            Report.misuse(
                "\(Report.reference(manager)) has no restore identifier but the delegate implements the \(method) "
                    + "method. Restoring will not be supported")
        case (true, false?):
            Report.exception(
                "\(Report.reference(manager)) has provided a restore identifier but the delegate doesn't implement the "
                    + "\(method) method")
        default: break
        }
    }
}

internal import BLEBackend
public import Foundation

/// A central's wish to read or write a dynamic characteristic. [contract 97, 98]
///
/// Exactly one answer is due: for a read to it, for writes to the first of the array.
open class CBATTRequest: NSObject, @unchecked Sendable {
    let transaction: RequestTransaction
    private let storedCentral: CBCentral
    private let storedCharacteristic: CBMutableCharacteristic
    private let storedOffset: Int
    private let storedValue: Guarded<Data?>

    init(
        _ transaction: RequestTransaction, central: CBCentral, characteristic: CBMutableCharacteristic, offset: Int,
        value: Data?
    ) {
        self.transaction = transaction
        storedCentral = central
        storedCharacteristic = characteristic
        storedOffset = offset
        storedValue = Guarded(value)
    }

    /// Who asks.
    open var central: CBCentral { storedCentral }

    /// What it is about: the very object that was added.
    open var characteristic: CBCharacteristic { storedCharacteristic }

    /// Where in the value it begins.
    open var offset: Int { storedOffset }

    /// What is to be written; for a read, what the program puts here is the answer.
    open var value: Data? {
        get { storedValue.value }
        set { storedValue.withLock { $0 = newValue } }
    }

    open override var description: String {
        "<\(Report.typeName(self)): \(Report.address(self)), Central = \(central), Characteristic = \(characteristic), "
            + "Offset = \(offset), Value = \(value?.appleDescription ?? "(null)")>"
    }
}

/// What is answered once: a read, or the writes of one array. It lives as long as one of its requests.
final class RequestTransaction: @unchecked Sendable {
    enum Kind { case read, write, command }

    let id: RequestID
    let kind: Kind
    weak let session: PeripheralSession?
    private let answered = Guarded(false)

    init(id: RequestID, kind: Kind, session: PeripheralSession) {
        self.id = id
        self.kind = kind
        self.session = session
    }

    /// A central that gets no answer gives up the link after 30 seconds. [contract 100]
    deinit {
        guard kind != .command, !answered.value, session?.state == .poweredOn else { return }
        Report.misuse("A \(kind) request was never answered: respond(to:withResult:) must be called for it")
    }

    /// False: it was answered already.
    func answer() -> Bool {
        answered.withLock { isAnswered in
            defer { isAnswered = true }
            return !isAnswered
        }
    }
}

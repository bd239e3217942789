internal import BLEBackend
internal import BLEWire
internal import Foundation
internal import Synchronization

/// Whether a delegate's class implements an optional method that must not be called to find out. [contract 123]
///
/// Swift on Linux has no `responds(to:)`. A class that implements the method has a function symbol of its own for it, so
/// this looks into the symbol table of the program or library that the class comes from.
///
/// *Limits*: a program whose symbols are stripped tells nothing, and nothing is logged then.
enum DelegateSymbols {
    private static let known = Mutex<[ObjectIdentifier: Bool]>([:])

    /// Says once for each class that a restore callback without a restore identifier is of no use.
    static func reportRestoring(_ delegate: AnyObject, method: String, name: String, of manager: AnyObject) {
        guard Diagnostics.isEnabled(.error, "api") else { return }
        let type: AnyClass = type(of: delegate)
        let implements = known.withLock { $0[ObjectIdentifier(type)] } ?? Self.implements(type, method)
        known.withLock { $0[ObjectIdentifier(type)] = implements }
        guard implements else { return }
        Report.misuse(
            "\(Report.reference(manager)) has no restore identifier but the delegate implements the \(name) method. "
                + "Restoring will not be supported")
    }

    /// `method` is how a demangled name goes on behind the class's: `centralManager(_: …, willRestoreState: `.
    private static func implements(_ type: AnyClass, _ method: String) -> Bool {
        var current: Any.Type? = type
        while let candidate = current as? AnyClass, candidate != NSObject.self {
            if let mangled = _mangledTypeName(candidate), let file = file(of: candidate),
                SymbolTable(file)?.hasFunction(of: "$s" + mangled, method) == true
            {
                return true
            }
            current = _getSuperclass(candidate)
        }
        return false
    }

    /// The program or library that holds the class: the file that is mapped where its metadata lies.
    private static func file(of type: AnyClass) -> String? {
        let address = UInt(bitPattern: unsafeBitCast(type, to: UnsafeRawPointer.self))
        guard let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8) else { return nil }
        for line in maps.split(separator: "\n") {
            let range = line.prefix { $0 != " " }.split(separator: "-")
            guard range.count == 2, let low = UInt(range[0], radix: 16), let high = UInt(range[1], radix: 16),
                (low..<high).contains(address), let path = line.firstIndex(of: "/")
            else { continue }
            return String(line[path...])
        }
        return nil
    }
}

/// The function symbols of an ELF file of this machine's own kind.
private struct SymbolTable {
    private let contents: Data

    init?(_ path: String) {
        guard let contents = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped),
            contents.count > 64, contents.prefix(5) == Data([0x7F, 0x45, 0x4C, 0x46, 2])
        else { return nil }
        self.contents = contents
    }

    /// Whether a function's name begins with the prefix and is, demangled, the method.
    func hasFunction(of prefix: String, _ method: String) -> Bool {
        contents.withUnsafeBytes { octets in
            func integer<T: FixedWidthInteger>(_ offset: Int, _ type: T.Type) -> Int {
                guard offset >= 0, offset + MemoryLayout<T>.size <= octets.count else { return 0 }
                return Int(truncatingIfNeeded: octets.loadUnaligned(fromByteOffset: offset, as: T.self))
            }
            let sections = integer(0x28, UInt64.self)
            let size = integer(0x3A, UInt16.self)
            func section(_ index: Int) -> (type: Int, offset: Int, size: Int, link: Int) {
                let at = sections + index * size
                return (
                    integer(at + 4, UInt32.self), integer(at + 0x18, UInt64.self), integer(at + 0x20, UInt64.self),
                    integer(at + 0x28, UInt32.self)
                )
            }
            let wanted = Array(prefix.utf8)
            for index in 0..<integer(0x3C, UInt16.self) {
                let symbols = section(index)
                // Symbols of the whole file, or of the dynamic linker.
                guard symbols.type == 2 || symbols.type == 11 else { continue }
                let names = section(symbols.link)
                for at in stride(from: symbols.offset, to: symbols.offset + symbols.size, by: 24) {
                    let name = names.offset + integer(at, UInt32.self)
                    guard integer(at + 4, UInt8.self) & 15 == 2, name + wanted.count < octets.count,
                        octets[name..<(name + wanted.count)].elementsEqual(wanted),
                        let base = octets.baseAddress?.advanced(by: name).assumingMemoryBound(to: CChar.self)
                    else { continue }
                    let whole = String(cString: base)
                    if whole.hasSuffix("F"), demangled(whole)?.contains(method) == true { return true }
                }
            }
            return false
        }
    }

    private typealias Demangle =
        @convention(c) (
            UnsafePointer<CChar>, Int, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?, UInt32
        ) -> UnsafeMutablePointer<CChar>?

    /// By the runtime's own function.
    private func demangled(_ name: String) -> String? {
        guard let symbol = dlsym(nil, "swift_demangle") else { return nil }
        let demangle = unsafeBitCast(symbol, to: Demangle.self)
        guard let text = demangle(name, name.utf8.count, nil, nil, 0) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }
}

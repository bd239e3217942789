/// BlueZ's objects, as its object manager and its signals tell them: interfaces with their properties, by path.
///
/// *Limits*: holds what BlueZ holds. It is walked in the order of the paths.
package struct ObjectTree {
    package typealias Interfaces = [String: DBusProperties]
    private var objects: [String: Interfaces] = [:]

    package init() {}

    package subscript(path: String) -> Interfaces? { objects[path] }
    package subscript(path: String, interface: String) -> DBusProperties? { objects[path]?[interface] }

    /// Paths that have the interface, in order.
    package func paths(with interface: String, below parent: String = "") -> [String] {
        objects.compactMap { path, interfaces in
            guard interfaces[interface] != nil, parent.isEmpty || path.hasPrefix(parent + "/") else { return nil }
            return path
        }.sorted()
    }

    package mutating func removeAll() { objects = [:] }

    package mutating func add(_ path: String, _ interfaces: Interfaces) {
        objects[path, default: [:]].merge(interfaces) { _, new in new }
    }

    package mutating func remove(_ path: String, _ interfaces: [String]) {
        for interface in interfaces { objects[path]?[interface] = nil }
        if objects[path]?.isEmpty == true { objects[path] = nil }
    }

    /// Changes properties of an interface that is there.
    package mutating func change(_ path: String, _ interface: String, _ changed: DBusProperties, invalid: [String]) {
        guard objects[path]?[interface] != nil else { return }
        objects[path]?[interface]?.merge(changed) { _, new in new }
        for name in invalid { objects[path]?[interface]?[name] = nil }
    }
}

extension ObjectTree {
    /// `a{sa{sv}}`: the interfaces of one object.
    package static func interfaces(_ value: DBusValue) -> Interfaces? {
        guard let entries = value.entries else { return nil }
        var interfaces: Interfaces = [:]
        for entry in entries {
            guard let name = entry.key.text, let properties = entry.value.properties else { return nil }
            interfaces[name] = properties
        }
        return interfaces
    }

    /// `a{oa{sa{sv}}}`: the answer of GetManagedObjects; nil where it's something else.
    package init?(managedObjects value: DBusValue) {
        guard let entries = value.entries else { return nil }
        for entry in entries {
            guard let path = entry.key.text, let interfaces = Self.interfaces(entry.value) else { return nil }
            add(path, interfaces)
        }
    }
}

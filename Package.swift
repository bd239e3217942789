// swift-tools-version: 6.2
import PackageDescription

/// Settings of every target of ours.
let common: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]
/// Settings of the sans-I/O targets: no unsafe construct without the word.
let core: [SwiftSetting] = common + [.strictMemorySafety()]
/// Settings of what a user would write: no flag that an own program wouldn't have.
/// (Language mode 5: that is what the programs that exist are written in.)
let plain: [SwiftSetting] = [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]

var targets: [Target] = [
    // Level 0
    .target(name: "BLEWire", swiftSettings: core + [.enableExperimentalFeature("Lifetimes")]),
    .target(name: "BLELocking", swiftSettings: common),
    .target(name: "CLinuxSupport"),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CArgp"),
    .systemLibrary(name: "CUSB", pkgConfig: "libusb-1.0", providers: [.apt(["libusb-1.0-0-dev"])]),
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .target(name: "CCoreBluetooth"),
    .target(name: "CDelegateProbe"),
    // Level 1
    .target(name: "BLECrypto", dependencies: ["BLEWire", "CCrypto"], swiftSettings: common),
    .target(name: "BLEBackend", dependencies: ["BLELocking", "BLEWire"], swiftSettings: core),
    .target(
        name: "BLETransport",
        dependencies: [
            "BLELocking", "BLEWire", "CLinuxSupport", .target(name: "CUSB", condition: .when(traits: ["USB"])),
        ],
        swiftSettings: common),
    .target(name: "CommandLineKit", dependencies: ["CArgp"], swiftSettings: common),
    .target(name: "BLEValues", dependencies: ["BLEWire"], swiftSettings: core),
    // Level 2
    .target(
        name: "BLEDevices", dependencies: ["BLEWire", "BLEValues", "BLERecordings"], swiftSettings: core),
    .target(name: "BLEHost", dependencies: ["BLEWire", "BLECrypto"], swiftSettings: core),
    .target(name: "BLEController", dependencies: ["BLEWire", "BLECrypto"], swiftSettings: core),
    .target(
        name: "BLEBlueZ",
        dependencies: [
            "BLELocking", "BLEWire", "BLEBackend", "CLinuxSupport",
            .target(name: "CSystemd", condition: .when(traits: ["BlueZ"])),
        ],
        swiftSettings: common),
    .target(name: "BLERecordings", dependencies: ["BLEWire", "BLEHost"], swiftSettings: core),
    // Level 3
    .target(name: "BLEDeviceFiles", dependencies: ["BLEDevices", "CYAML"], swiftSettings: common),
    .target(
        name: "BLESimulator", dependencies: ["BLEWire", "BLECrypto", "BLEHost", "BLEController"], swiftSettings: core),
    // Level 4
    .target(
        name: "BLERuntime",
        dependencies: [
            "BLELocking", "BLEWire", "BLEBackend", "BLEHost", "BLEController", "BLESimulator", "BLETransport",
            "BLEBlueZ",
        ],
        swiftSettings: common),
    // Level 5
    .target(
        name: "CoreBluetooth",
        dependencies: ["BLELocking", "BLEWire", "BLEBackend", "BLERuntime", "CCoreBluetooth", "CDelegateProbe"],
        swiftSettings: common),
    // Level 6
    .target(
        name: "Ravning", dependencies: ["BLELocking", "CoreBluetooth", "BLERuntime", "BLEBackend", "BLEWire"],
        swiftSettings: common),
    .target(
        name: "CoreBluetoothSimulation",
        dependencies: [
            "CoreBluetooth", "Ravning", "BLELocking", "BLEWire", "BLEBackend", "BLEHost", "BLEController",
            "BLESimulator",
            "BLETransport", "BLERuntime",
        ],
        swiftSettings: common),
    // Level 7
    .executableTarget(
        name: "RavningCommand",
        dependencies: [
            "BLEWire", "BLEBackend", "BLEController", "BLETransport", "BLEBlueZ", "BLERuntime", "BLEDevices",
            "BLEDeviceFiles", "CommandLineKit",
        ],
        swiftSettings: common),
    .executableTarget(
        name: "RavningClient",
        dependencies: [
            "BLELocking", "BLEWire", "BLEValues", "BLETransport", "BLERuntime", "BLEDevices", "BLEDeviceFiles",
            "BLERecordings",
            "CoreBluetooth",
            "Ravning", "CommandLineKit",
        ],
        swiftSettings: common),

    .target(
        name: "BLETestSupport",
        dependencies: [
            "BLELocking", "BLEWire", "BLEHost", "BLEController", "BLESimulator", "BLEBackend", "BLETransport",
            "BLEBlueZ", "BLERuntime", "CLinuxSupport",
        ],
        path: "Tests/Support", swiftSettings: common),
]

/// The example programs: a library with the program's class, and an executable around it.
let examples = [
    "BandCentral", "BandPeripheral", "HeartRatePeripheral", "HeartRateCentral", "DoorOpener", "DoorLock",
    "SerialTerminal", "SerialModule", "Thermostat", "ThermostatClient",
]
targets.append(.target(name: "ExampleSupport", path: "Examples/Support", swiftSettings: plain))
for name in examples {
    targets += [
        .target(
            name: name + "Program", dependencies: ["CoreBluetooth"], path: "Examples/\(name)/Program",
            swiftSettings: plain),
        .executableTarget(
            name: name, dependencies: [.target(name: name + "Program"), "CoreBluetooth", "ExampleSupport"],
            path: "Examples/\(name)/Main", swiftSettings: plain),
    ]
}

targets += [
    .target(
        name: "QueueProbeKit", dependencies: ["CoreBluetooth"], path: "Tests/Programs/QueueProbeKit",
        swiftSettings: plain),
    .executableTarget(
        name: "QueueProbe", dependencies: ["QueueProbeKit", "Ravning"], path: "Tests/Programs/QueueProbe",
        swiftSettings: plain),
    .executableTarget(
        name: "RestoreProbe", dependencies: ["CoreBluetooth"], path: "Tests/Programs/RestoreProbe",
        swiftSettings: plain),
    .executableTarget(
        name: "StreamProbe", dependencies: ["CoreBluetooth"], path: "Tests/Programs/StreamProbe",
        swiftSettings: plain),
    .executableTarget(
        name: "InteropPeer", dependencies: ["CoreBluetooth", "Ravning"], path: "Tests/Programs/InteropPeer",
        swiftSettings: plain),
    .executableTarget(
        name: "AsyncQueueProbe", dependencies: ["QueueProbeKit"], path: "Tests/Programs/AsyncQueueProbe",
        swiftSettings: plain),
]

let suites: [(String, [Target.Dependency])] = [
    ("BLEWireTests", ["BLEWire", "BLETestSupport"]),
    ("BLECryptoTests", ["BLEWire", "BLECrypto"]),
    ("BLEHostTests", ["BLEWire", "BLECrypto", "BLEHost", "BLEController"]),
    ("BLEControllerTests", ["BLEWire", "BLECrypto", "BLEController", "BLETestSupport"]),
    ("BLETransportTests", ["BLELocking", "BLEWire", "BLETransport", "BLETestSupport", "CLinuxSupport"]),
    ("BLEBlueZTests", ["BLELocking", "BLEWire", "BLEBackend", "BLEBlueZ", "BLERuntime", "BLETestSupport"]),
    ("BLESimulatorTests", ["BLEWire", "BLEHost", "BLEController", "BLESimulator"]),
    (
        "BLERuntimeTests",
        [
            "BLELocking", "BLEWire", "BLEBackend", "BLEHost", "BLEController", "BLESimulator", "BLETransport",
            "BLERuntime", "BLETestSupport",
        ]
    ),
    ("CoreBluetoothTests", ["BLELocking", "BLEWire", "BLEBackend", "BLERuntime", "CoreBluetooth"]),
    ("CoreBluetoothSimulationTests", ["CoreBluetooth", "Ravning", "CoreBluetoothSimulation", "BLEWire"]),
    ("CommandLineKitTests", ["CommandLineKit"]),
    ("BLEValuesTests", ["BLEValues", "BLEWire"]),
    ("BLERecordingsTests", ["BLERecordings", "BLEWire"]),
    ("BLEDevicesTests", ["BLEDevices", "BLEDeviceFiles", "BLEValues", "BLEWire"]),
    (
        "ExamplesTests",
        ["CoreBluetooth", "CoreBluetoothSimulation"] + examples.map { .target(name: $0 + "Program") }
    ),
    (
        "ProcessTests",
        [
            "BLELocking", "BLEWire", "BLETransport", "BLERuntime", "BLETestSupport", "BLEDevices", "BLEDeviceFiles",
            "CoreBluetooth",
        ]
    ),
]
for (name, dependencies) in suites {
    targets.append(.testTarget(name: name, dependencies: dependencies, swiftSettings: common))
}

/// What only who works on the package builds: `RAVNING_DEV=fuzz swift build …`. They stand in this manifest because
/// another package couldn't see `package` symbols.
let development = Set((Context.environment["RAVNING_DEV"] ?? "").split(separator: ",").map(String.init))
if development.contains("fuzz") {
    // Built by Scripts/fuzz.sh; libFuzzer brings the main function.
    targets.append(
        .executableTarget(
            name: "Fuzz", dependencies: ["BLEWire", "BLEHost", "BLEController"], path: "Fuzz", swiftSettings: common))
}
if development.contains("tools") {
    // Built by Scripts/conformance-driver.sh.
    targets.append(
        .executableTarget(
            name: "ConformanceDriver", dependencies: ["BLEWire", "BLECrypto", "BLEHost"],
            path: "Tools/ConformanceDriver", swiftSettings: common))
    // Built by Scripts/compare_values.py.
    targets.append(
        .executableTarget(
            name: "ValueDump", dependencies: ["BLEWire", "BLEValues"], path: "Tools/ValueDump", swiftSettings: common))
}
if development.contains("bench") {
    targets.append(
        .executableTarget(
            name: "BenchATT", dependencies: ["BLEWire", "BLEHost"], path: "Benchmarks/BenchATT",
            swiftSettings: common))
    targets.append(
        .executableTarget(
            name: "BenchHCI", dependencies: ["BLEWire", "BLEHost"], path: "Benchmarks/BenchHCI",
            swiftSettings: common))
    targets.append(
        .executableTarget(
            name: "BenchRadio", dependencies: ["BLEWire", "BLEController"], path: "Benchmarks/BenchRadio",
            swiftSettings: common))
    targets.append(
        .executableTarget(
            name: "BenchWorld", dependencies: ["BLEWire", "BLEHost", "BLEController", "BLESimulator"],
            path: "Benchmarks/BenchWorld", swiftSettings: common))
    targets.append(
        .executableTarget(
            name: "BenchAPI", dependencies: ["CoreBluetooth"], path: "Benchmarks/BenchAPI", swiftSettings: common))
}

// Programs as they are written for Apple's platforms in Swift 5; warnings count here too.
targets.append(
    .testTarget(
        name: "UserCodeTests", dependencies: ["CoreBluetooth"],
        swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]))

let products: [Product] =
    ["CoreBluetooth", "Ravning", "CoreBluetoothSimulation"].map { .library(name: $0, targets: [$0]) }
    + [
        .executable(name: "ravning", targets: ["RavningCommand"]),
        .executable(name: "ravning-client", targets: ["RavningClient"]),
    ]

/// What can be left out, for machines without its library.
let traits: Set<Trait> = [
    .trait(name: "BlueZ", description: "Use BlueZ's adapters over D-Bus: needs libsystemd-dev"),
    .default(enabledTraits: ["BlueZ"]),
    .trait(
        name: "USB",
        description: "Controllers on USB without the kernel's Bluetooth: RAVNING_ADAPTER=usb:N. Needs libusb-1.0-0-dev."
    ),
]

let package = Package(name: "Ravning", products: products, traits: traits, targets: targets)

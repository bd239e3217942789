import BLEWire

/// The commands of the power-on sequence, in their order.
enum PowerOnStep: Int, CaseIterable, Sendable {
    case reset
    case version
    case supportedCommands
    case localFeatures
    case publicAddress
    case eventMask
    case hostSupport
    case leEventMask
    case leFeatures
    case extendedEventMask
    case maximumAdvertisingDataLength
    case resolvingListSize
    case bufferSizeV2
    case bufferSize
    case sharedBufferSize
    case supportedStates
    case acceptListSize
    case clearAcceptList
    case maximumDataLength
    case suggestedDataLength
    case randomAddress

    var next: PowerOnStep? { PowerOnStep(rawValue: rawValue + 1) }
}

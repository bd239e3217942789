// What `import CoreBluetooth` makes visible on Apple's platforms, and nothing else: Foundation with Core Foundation
// (`CFAbsoluteTime`, `CFUUID`), Dispatch, and the enumerations that have to be declared in C. [contract 1.13]
@_exported public import CCoreBluetooth
@_exported public import CoreFoundation
@_exported public import Dispatch
@_exported public import Foundation

/// The queue type as Core Bluetooth's initialisers spell it.
public typealias dispatch_queue_t = DispatchQueue

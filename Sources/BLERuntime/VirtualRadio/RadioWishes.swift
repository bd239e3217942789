import BLEController

/// What was told about the devices of a radio by their names, so that it holds for those that come later, and again for
/// those that come back.
struct RadioWishes {
    private var places: [String: Position] = [:]
    private var pairs: [RadioPair: Wish] = [:]
    /// In the order in which they were first told: two of one pair may be told the other way round.
    private var order: [RadioPair] = []

    private struct Wish {
        var rssi: Int8?
        var loss: Double?
        var corruption: Double?
    }

    mutating func note(_ told: RadioOrder) {
        switch told {
        case .place(let name, let position): places[name.text] = position
        case .rssi(let first, let second, let level):
            change(RadioPair(first: first, second: second)) { $0.rssi = level }
        case .loss(let pair?, let probability): change(pair) { $0.loss = probability }
        case .corruption(let pair?, let probability): change(pair) { $0.corruption = probability }
        case .loss(nil, _), .corruption(nil, _), .loseNext, .pathLoss: break
        }
    }

    private mutating func change(_ pair: RadioPair, _ change: (inout Wish) -> Void) {
        let reverse = RadioPair(first: pair.second, second: pair.first)
        let key = pairs[reverse] == nil ? pair : reverse
        if pairs[key] == nil { order.append(key) }
        change(&pairs[key, default: Wish()])
    }

    /// Applies what concerns a device that has come under this name, or has taken it on.
    /// - Parameter device: finds the devices that are there.
    func apply(to name: String, _ id: ControllerID, on radio: inout Radio, device: (String) -> ControllerID?) {
        radio.setPosition(places[name], of: id)
        for pair in order where pair.first.text == name || pair.second.text == name {
            let otherName = pair.first.text == name ? pair.second.text : pair.first.text
            guard let wish = pairs[pair], let other = device(otherName) else { continue }
            radio.setRSSI(wish.rssi, between: id, and: other)
            radio.setLoss(wish.loss, between: id, and: other)
            radio.setCorruption(wish.corruption, between: id, and: other)
        }
    }
}

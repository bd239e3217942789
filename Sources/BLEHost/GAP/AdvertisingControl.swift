/// Advertising: what is wanted, and what the controller does.
struct AdvertisingControl {
    var wanted: AdvertisingSettings?
    /// What the controller advertises with.
    var running: AdvertisingSettings?
    /// What the controller was given last and still has.
    var configured: AdvertisingSettings?
    /// What is being put into the controller.
    var applying: AdvertisingSettings?
    var isBusy = false
    /// A `startAdvertising` that wasn't answered yet.
    var owesAnswer = false
    /// The controller refused while there are links: try again when one has ended.
    var waitsForLinkEnd = false

    init() {}
}

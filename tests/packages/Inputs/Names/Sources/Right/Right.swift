struct Storage {
    var value: String
    var more: [Storage]
}

final class URL {
    let text: String
    init(_ text: String) { self.text = text }
    deinit { gone += 1 }
}

nonisolated(unsafe) var gone = 0

public var urlsGone: Int { gone }

extension Array {
    func twice() -> String { "\(self)\(self)" }
}

struct Measurement { var number: Double }

public struct RightBox {
    private var storage: Storage
    private let url: URL
    public init(_ value: String) {
        storage = Storage(value: value, more: [])
        url = URL("right")
    }
    public mutating func add(_ value: String) { storage.more.append(Storage(value: value, more: [])) }
    public var value: String { storage.value + storage.more.map(\.value).joined() + [1].twice() }
    public var number: Double { Measurement(number: 2.5).number }
    public var name: String { url.text }
}

public func describe(_ value: some Any) -> String { "right \(value)" }

// Names of one word in several modules and files: internal ones hide nothing in other modules, private ones nothing in other files.

struct Storage { var value: Int8 }

typealias URL = Substring

private struct Part {
    var storage: Storage
    var url: URL
}

extension Array {
    func twice() -> Int { count * 2 }
}

public struct Measurement: Equatable {
    public let text: String
    public init(_ text: String) { self.text = text }
}

public struct LeftBox {
    private var part: Part
    public init(_ value: Int8) { part = Part(storage: Storage(value: value), url: "left") }
    public var value: Int { Int(part.storage.value) + [1].twice() }
    public var size: Int { MemoryLayout<Part>.size }
    public var name: String { String(part.url) }
}

public func describe(_ value: some Any) -> String { "left \(value)" }

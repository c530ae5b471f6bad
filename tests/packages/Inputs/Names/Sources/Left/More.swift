private struct Part {
    var flag: Bool
    var next: [Part]
}

public final class LeftTree {
    private var parts: [Part]
    public init(_ flags: [Bool]) { parts = flags.map { Part(flag: $0, next: []) } }
    public func add(_ flag: Bool) { parts.append(Part(flag: flag, next: parts)) }
    public var flags: [Bool] {
        func all(_ parts: [Part]) -> [Bool] { parts.flatMap { [$0.flag] + all($0.next) } }
        return all(parts)
    }
}

// A compiler plugin that speaks the compiler's protocol itself, so that no other package is needed: messages of JSON, each with its length in
// eight bytes in front.
import Foundation

struct Syntax: Decodable {
    var source: String
}

struct Macro: Decodable {
    var typeName: String
}

enum Request: Decodable {
    struct Capability: Decodable {}
    struct Freestanding: Decodable {
        var macro: Macro
        var syntax: Syntax
    }
    struct Attached: Decodable {
        var macro: Macro
        var declSyntax: Syntax
    }

    case getCapability, freestanding(Freestanding), attached(Attached), unknown

    enum Key: String, CodingKey { case getCapability, expandFreestandingMacro, expandAttachedMacro }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        if container.contains(.getCapability) {
            self = .getCapability
        } else if let request = try container.decodeIfPresent(Freestanding.self, forKey: .expandFreestandingMacro) {
            self = .freestanding(request)
        } else if let request = try container.decodeIfPresent(Attached.self, forKey: .expandAttachedMacro) {
            self = .attached(request)
        } else {
            self = .unknown
        }
    }
}

/// `x + 1` of `#stringify(x + 1)`.
func argument(of source: String) -> String {
    guard let start = source.firstIndex(of: "("), let end = source.lastIndex(of: ")") else { return "" }
    return String(source[source.index(after: start)..<end])
}

/// The names of the stored properties of a declaration, each of which has a line with its type or its value behind.
func properties(of source: String) -> [String] {
    source.split(separator: "\n").filter { !$0.hasSuffix("{") && !$0.hasSuffix("}") }.compactMap { line in
        let words = line.split { " :\t".contains($0) }
        let keyword = words.firstIndex { $0 == "var" || $0 == "let" }
        return keyword.map { String(words[$0 + 1]) }
    }
}

func expansion(of request: Request) -> String? {
    switch request {
    case .freestanding(let request) where request.macro.typeName == "Stringify":
        let text = argument(of: request.syntax.source)
        return "(\(text), \(text.debugDescription))"
    case .attached(let request) where request.macro.typeName == "Names":
        return "public static let names = \(properties(of: request.declSyntax.source))"
    default:
        return nil
    }
}

func answer(to request: Request) -> [String: Any] {
    if case .getCapability = request {
        return ["getCapabilityResult": ["capability": ["protocolVersion": 7]]]
    }
    let expanded: Any = expansion(of: request) ?? NSNull()
    return ["expandMacroResult": ["expandedSource": expanded, "diagnostics": [Any]()]]
}

/// So many bytes of the input; fewer where it ends.
func read(_ count: Int) -> Data {
    var data = Data()
    while data.count < count {
        guard let more = try? FileHandle.standardInput.read(upToCount: count - data.count), !more.isEmpty else { break }
        data.append(more)
    }
    return data
}

while case let header = read(8), header.count == 8 {
    let length = header.reversed().reduce(0) { $0 << 8 | Int($1) }
    let request = try JSONDecoder().decode(Request.self, from: read(length))
    let answer = try JSONSerialization.data(withJSONObject: answer(to: request))
    let message = withUnsafeBytes(of: UInt64(answer.count).littleEndian) { Data($0) } + answer
    try FileHandle.standardOutput.write(contentsOf: message)
}

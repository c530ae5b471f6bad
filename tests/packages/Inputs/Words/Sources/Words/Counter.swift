import CWords

/// How often each word is in a text.
public struct Counter {
    public private(set) var counts: [String: Int] = [:]
    public private(set) var long = 0

    public init(_ text: String) {
        let utf8 = Array(text.utf8)
        let collector = Collector()
        _ = words_visit(text, Unmanaged.passUnretained(collector).toOpaque()) { context, word in
            Unmanaged<Collector>.fromOpaque(context!).takeUnretainedValue().words.append(word)
            return 0
        }
        for word in collector.words {
            let bytes = utf8[word.start..<word.start + word.length]
            counts[String(decoding: bytes, as: UTF8.self).lowercased(), default: 0] += 1
            long += word_kind_of(word) == WORD_LONG ? 1 : 0
        }
    }

    private final class Collector {
        var words: [word_t] = []
    }
}

extension Counter: CustomStringConvertible {
    public var description: String {
        sorted { $0.name < $1.name }.map { "\($0.name) \($0.count)" }.joined(separator: ", ")
    }
}

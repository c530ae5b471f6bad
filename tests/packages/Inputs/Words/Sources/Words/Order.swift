extension Counter {
    public struct Entry: Hashable, Sendable {
        public let name: String
        public let count: Int
    }

    /// The words in the order that `areInOrder` says. Types of one name stand in two functions.
    public func sorted(by areInOrder: (Entry, Entry) throws -> Bool) rethrows -> [Entry] {
        struct Pair { var entry: Entry }
        return try counts.map { Pair(entry: Entry(name: $0.key, count: $0.value)) }
            .sorted { try areInOrder($0.entry, $1.entry) }
            .map(\.entry)
    }

    /// The words that are there most often, with how many there are of these.
    public func most() -> (Int, [String])? {
        struct Pair {
            let count: Int
            let names: [String]
        }
        let groups = Dictionary(grouping: counts, by: \.value)
        let pairs = groups.map { Pair(count: $0.key, names: $0.value.map(\.key).sorted()) }
        return pairs.max { $0.count < $1.count }.map { ($0.count, $0.names) }
    }
}

// _StringProcessing: regular expressions. The library may change all of these types, so that none of them has its storage here.

struct AnyRegexOutput : RandomAccessCollection {
  struct Element {}
  typealias Index = Int
  typealias Indices = Range<Int>
  typealias Iterator = IndexingIterator<AnyRegexOutput>
  typealias SubSequence = Slice<AnyRegexOutput>
}

protocol RegexComponent<RegexOutput> {
  associatedtype RegexOutput
  var regex: Regex<Self.RegexOutput> { get }
}

protocol CustomConsumingRegexComponent : RegexComponent {
  func consuming(_ input: String, startingAt index: String.Index, in bounds: Range<String.Index>) throws -> (upperBound: String.Index, output: Self.RegexOutput)?
}

struct Regex<Output> : RegexComponent {
  struct Match {}
  typealias RegexOutput = Output
}

struct RegexRepetitionBehavior : Hashable {}

struct RegexSemanticLevel : Hashable {}

struct RegexWordBoundaryKind : Hashable {}

struct ReferenceID : Hashable {}

struct _RegexFactory {}

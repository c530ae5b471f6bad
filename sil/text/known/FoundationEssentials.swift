// FoundationEssentials, of Linux: written by scripts/known-declarations.

struct Bundle : Hashable, Equatable, Sendable {}

extension EncodingError : LocalizedError {}

extension DecodingError : LocalizedError {}

enum _CodingPathNode : Sendable {
  case root
  indirect case node(any CodingKey, _CodingPathNode, depth: Int)
  indirect case indexNode(Int, _CodingPathNode, depth: Int)
}

enum _CodingKey : CodingKey {
  case string(String)
  case int(Int)
  case index(Int)
  case both(String, Int)
}

protocol EncodingConfigurationProviding {
  associatedtype EncodingConfiguration
  static var encodingConfiguration: Self.EncodingConfiguration { get }
}

protocol EncodableWithConfiguration {
  associatedtype EncodingConfiguration
  func encode(to encoder: any Encoder, configuration: Self.EncodingConfiguration) throws
}

protocol DecodingConfigurationProviding {
  associatedtype DecodingConfiguration
  static var decodingConfiguration: Self.DecodingConfiguration { get }
}

protocol DecodableWithConfiguration {
  associatedtype DecodingConfiguration
  init(from decoder: any Decoder, configuration: Self.DecodingConfiguration) throws
}

@propertyWrapper struct CodableConfiguration<T, ConfigurationProvider> : Decodable & Encodable where T : DecodableWithConfiguration, T : EncodableWithConfiguration, ConfigurationProvider : DecodingConfigurationProviding, ConfigurationProvider : EncodingConfigurationProviding, T.DecodingConfiguration == ConfigurationProvider.DecodingConfiguration, T.EncodingConfiguration == ConfigurationProvider.EncodingConfiguration {
  var wrappedValue: T
}

extension CodableConfiguration : Sendable where T : Sendable {}

extension CodableConfiguration : Equatable where T : Equatable {}

extension CodableConfiguration : Hashable where T : Hashable {}

extension Optional : EncodableWithConfiguration where Wrapped : EncodableWithConfiguration {
  typealias EncodingConfiguration = Wrapped.EncodingConfiguration
}

extension Optional : DecodableWithConfiguration where Wrapped : DecodableWithConfiguration {
  typealias DecodingConfiguration = Wrapped.DecodingConfiguration
}

extension Array : EncodableWithConfiguration where Element : EncodableWithConfiguration {
  typealias EncodingConfiguration = Element.EncodingConfiguration
}

extension Array : DecodableWithConfiguration where Element : DecodableWithConfiguration {
  typealias DecodingConfiguration = Element.DecodingConfiguration
}

@frozen enum ComparisonResult : Int, Sendable {
  case orderedAscending
  case orderedSame
  case orderedDescending
  typealias RawValue = Int
}

extension ComparisonResult : Decodable & Encodable {}

struct Date : Comparable, Hashable, Equatable, Sendable {
  var _time: Double
}

extension Date : CustomDebugStringConvertible, CustomStringConvertible, CustomReflectable {}

extension Date : Decodable & Encodable {}

extension Date {
  typealias Stride = Double
}

extension Date : Strideable {}

struct DateInterval : Comparable, Hashable, Decodable & Encodable, Sendable {
  var start: Date
  var duration: Double
  enum CodingKeys : CodingKey {
    case start
    case duration
  }
}

extension DateInterval : CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

struct IndexPath : Equatable, Hashable, MutableCollection, RandomAccessCollection, Comparable, ExpressibleByArrayLiteral, Sendable {
  typealias Element = Int
  typealias Index = Int
  typealias Indices = DefaultIndices<IndexPath>
  enum Storage : ExpressibleByArrayLiteral {
    typealias Element = Int
    case empty
    case single(Int)
    case pair(Int, Int)
    case array([Int])
    typealias ArrayLiteralElement = Int
  }
  var _indexes: IndexPath.Storage
  typealias ArrayLiteralElement = Int
  typealias Iterator = IndexingIterator<IndexPath>
  typealias SubSequence = IndexPath
}

extension IndexPath : CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension IndexPath : Decodable & Encodable {
  enum CodingKeys : Int, CodingKey {
    case indexes
    typealias RawValue = Int
  }
}

struct LockedState<State> {
  struct _Lock {
    typealias Primitive = pthread_mutex_t
    typealias PlatformLock = UnsafeMutablePointer<pthread_mutex_t>
    var _platformLock: UnsafeMutablePointer<pthread_mutex_t>
  }
  class _Buffer : ManagedBuffer<State, pthread_mutex_t> {}
  let _buffer: ManagedBuffer<State, pthread_mutex_t>
}

extension LockedState : @unchecked Sendable where State : Sendable {}

struct Platform {}

extension Platform {
  typealias Operation<Input, Output> = (Input, UnsafeMutablePointer<Output>, UnsafeMutablePointer<Int8>, Int, UnsafeMutablePointer<UnsafeMutablePointer<Output>?>) -> Int32
}

protocol SortComparator<Compared> : Hashable, Sendable {
  associatedtype Compared
  func compare(_ lhs: Self.Compared, _ rhs: Self.Compared) -> ComparisonResult
  var order: SortOrder { get set }
}

@frozen enum SortOrder : Hashable, Decodable & Encodable, Sendable {
  case forward
  case reverse
}

struct AnySortComparator : SortComparator, Sendable {
  var _base: any Hashable & Sendable
  let _compare: @Sendable (Any, Any, Any) -> ComparisonResult
  let setOrder: @Sendable (inout any Hashable & Sendable, SortOrder) -> any Hashable & Sendable
  let getOrder: @Sendable (Any) -> SortOrder
  typealias Compared = Any
}

struct ComparableComparator<Compared> : SortComparator, Sendable where Compared : Comparable {
  var order: SortOrder
  typealias Compared = Compared
}

struct OptionalComparator<Base> : SortComparator where Base : SortComparator {
  var base: Base
  typealias Compared = Base.Compared?
}

extension OptionalComparator : Sendable {}

extension Never : SortComparator {
  typealias Compared = Never
}

struct UUID : Hashable, Equatable, CustomStringConvertible, Sendable {
  private(set) var uuid: (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8)
}

extension UUID : CustomReflectable {}

extension UUID : Decodable & Encodable {}

extension UUID : Comparable {}

@dynamicMemberLookup struct AttributeContainer : Sendable {
  var storage: AttributedString._AttributeStorage
}

extension AttributeContainer {
  struct Builder<T> : Sendable where T : AttributedStringKey {
    var container: AttributeContainer
  }
}

extension AttributeContainer : Equatable {}

extension AttributeContainer : Hashable {}

extension AttributeContainer : CustomStringConvertible {}

protocol AttributeScope : DecodingConfigurationProviding, EncodingConfigurationProviding {
  static var decodingConfiguration: AttributeScopeCodableConfiguration { get }
  static var encodingConfiguration: AttributeScopeCodableConfiguration { get }
}

@frozen enum AttributeScopes {}

extension AttributeScopes : Sendable {}

extension AttributedString {
  struct SingleAttributeTransformer<T> : Sendable where T : AttributedStringKey, T.Value : Sendable {
    var range: Range<AttributedString.Index>
    var attrName: String
    var attr: AttributedString._AttributeValue?
  }
}

extension AttributedString {
  struct CharacterView : Sendable {
    var _guts: AttributedString.Guts
    var _range: Range<BigString.Index>
    var _identity: Int
  }
}

extension AttributedString.CharacterView : BidirectionalCollection {
  typealias Element = Character
  typealias Index = AttributedString.Index
  typealias Indices = DefaultIndices<AttributedString.CharacterView>
  typealias Iterator = IndexingIterator<AttributedString.CharacterView>
  typealias SubSequence = Slice<AttributedString.CharacterView>
}

extension AttributedString.CharacterView : RangeReplaceableCollection {}

extension AttributedString {
  final class Guts : @unchecked Sendable {
    typealias Index = AttributedString.Index
    typealias Runs = AttributedString.Runs
    typealias AttributeMergePolicy = AttributedString.AttributeMergePolicy
    typealias AttributeRunBoundaries = AttributedString.AttributeRunBoundaries
    typealias _InternalRun = AttributedString._InternalRun
    typealias _InternalRuns = AttributedString._InternalRuns
    typealias _AttributeValue = AttributedString._AttributeValue
    typealias _AttributeStorage = AttributedString._AttributeStorage
    final var version: UInt
    final var string: BigString
    final var runs: AttributedString._InternalRuns
    final var trackedRanges: [Range<BigString.Index>]
    init(string: BigString, runs: AttributedString._InternalRuns)
    convenience init(string: String, runs: AttributedString._InternalRuns)
    convenience init()
  }
}

extension AttributedString.Guts {
  typealias Version = UInt
}

extension AttributedString.Runs {
  struct AttributesSlice1<T> : BidirectionalCollection, Sendable where T : AttributedStringKey, T.Value : Sendable {
    typealias Index = AttributedString.Index
    typealias Element = (T.Value?, Range<AttributedString.Index>)
    typealias Runs = AttributedString.Runs
    let runs: AttributedString.Runs
    let _names: [String]
    let _constraints: Set<AttributedString.AttributeRunBoundaries?>
    struct Iterator : IteratorProtocol, Sendable {
      typealias Element = (T.Value?, Range<AttributedString.Index>)
      let _slice: AttributedString.Runs.AttributesSlice1<T>
      var _index: AttributedString.Index
    }
    typealias Indices = DefaultIndices<AttributedString.Runs.AttributesSlice1<T>>
    typealias SubSequence = Slice<AttributedString.Runs.AttributesSlice1<T>>
  }
}

extension AttributedString.Runs {
  struct AttributesSlice2<T, U> : BidirectionalCollection, Sendable where T : AttributedStringKey, U : AttributedStringKey, T.Value : Sendable, U.Value : Sendable {
    typealias Index = AttributedString.Index
    typealias Element = (T.Value?, U.Value?, Range<AttributedString.Index>)
    typealias Runs = AttributedString.Runs
    let runs: AttributedString.Runs
    let _names: [String]
    let _constraints: Set<AttributedString.AttributeRunBoundaries?>
    struct Iterator : IteratorProtocol, Sendable {
      typealias Element = (T.Value?, U.Value?, Range<AttributedString.Index>)
      let _slice: AttributedString.Runs.AttributesSlice2<T, U>
      var _index: AttributedString.Index
    }
    typealias Indices = DefaultIndices<AttributedString.Runs.AttributesSlice2<T, U>>
    typealias SubSequence = Slice<AttributedString.Runs.AttributesSlice2<T, U>>
  }
}

extension AttributedString.Runs {
  struct AttributesSlice3<T, U, V> : BidirectionalCollection, Sendable where T : AttributedStringKey, U : AttributedStringKey, V : AttributedStringKey, T.Value : Sendable, U.Value : Sendable, V.Value : Sendable {
    typealias Index = AttributedString.Index
    typealias Element = (T.Value?, U.Value?, V.Value?, Range<AttributedString.Index>)
    typealias Runs = AttributedString.Runs
    let runs: AttributedString.Runs
    let _names: [String]
    let _constraints: Set<AttributedString.AttributeRunBoundaries?>
    struct Iterator : IteratorProtocol, Sendable {
      typealias Element = (T.Value?, U.Value?, V.Value?, Range<AttributedString.Index>)
      let _slice: AttributedString.Runs.AttributesSlice3<T, U, V>
      var _index: AttributedString.Index
    }
    typealias Indices = DefaultIndices<AttributedString.Runs.AttributesSlice3<T, U, V>>
    typealias SubSequence = Slice<AttributedString.Runs.AttributesSlice3<T, U, V>>
  }
}

extension AttributedString.Runs {
  struct AttributesSlice4<T, U, V, W> : BidirectionalCollection, Sendable where T : AttributedStringKey, U : AttributedStringKey, V : AttributedStringKey, W : AttributedStringKey, T.Value : Sendable, U.Value : Sendable, V.Value : Sendable, W.Value : Sendable {
    typealias Index = AttributedString.Index
    typealias Element = (T.Value?, U.Value?, V.Value?, W.Value?, Range<AttributedString.Index>)
    typealias Runs = AttributedString.Runs
    let runs: AttributedString.Runs
    let _names: [String]
    let _constraints: Set<AttributedString.AttributeRunBoundaries?>
    struct Iterator : IteratorProtocol, Sendable {
      typealias Element = (T.Value?, U.Value?, V.Value?, W.Value?, Range<AttributedString.Index>)
      let _slice: AttributedString.Runs.AttributesSlice4<T, U, V, W>
      var _index: AttributedString.Index
    }
    typealias Indices = DefaultIndices<AttributedString.Runs.AttributesSlice4<T, U, V, W>>
    typealias SubSequence = Slice<AttributedString.Runs.AttributesSlice4<T, U, V, W>>
  }
}

extension AttributedString.Runs {
  struct AttributesSlice5<T, U, V, W, X> : BidirectionalCollection, Sendable where T : AttributedStringKey, U : AttributedStringKey, V : AttributedStringKey, W : AttributedStringKey, X : AttributedStringKey, T.Value : Sendable, U.Value : Sendable, V.Value : Sendable, W.Value : Sendable, X.Value : Sendable {
    typealias Index = AttributedString.Index
    typealias Element = (T.Value?, U.Value?, V.Value?, W.Value?, X.Value?, Range<AttributedString.Index>)
    typealias Runs = AttributedString.Runs
    let runs: AttributedString.Runs
    let _names: [String]
    let _constraints: Set<AttributedString.AttributeRunBoundaries?>
    struct Iterator : IteratorProtocol, Sendable {
      typealias Element = (T.Value?, U.Value?, V.Value?, W.Value?, X.Value?, Range<AttributedString.Index>)
      let _slice: AttributedString.Runs.AttributesSlice5<T, U, V, W, X>
      var _index: AttributedString.Index
    }
    typealias Indices = DefaultIndices<AttributedString.Runs.AttributesSlice5<T, U, V, W, X>>
    typealias SubSequence = Slice<AttributedString.Runs.AttributesSlice5<T, U, V, W, X>>
  }
}

extension AttributedString.Runs {
  @dynamicMemberLookup struct Run : Sendable {
    typealias _AttributeStorage = AttributedString._AttributeStorage
    let _attributes: AttributedString._AttributeStorage
    let _range: Range<BigString.Index>
    let _guts: AttributedString.Guts
  }
}

extension AttributedString.Runs.Run : Equatable {}

extension AttributedString.Runs.Run : CustomStringConvertible {}

extension AttributedString {
  struct Runs : Sendable {
    typealias _InternalRun = AttributedString._InternalRun
    typealias _AttributeStorage = AttributedString._AttributeStorage
    typealias _InternalRuns = AttributedString._InternalRuns
    typealias AttributeRunBoundaries = AttributedString.AttributeRunBoundaries
    let _guts: AttributedString.Guts
    let _bounds: Range<AttributedString.Runs.Index>
    let _strBounds: RangeSet<BigString.Index>
    let _isDiscontiguous: Bool
  }
}

extension AttributedString.Runs : Equatable {}

extension AttributedString.Runs : CustomStringConvertible {}

extension AttributedString.Runs {
  struct Index : Sendable {
    var _runOffset: Int
    var _runIndex: Rope<AttributedString._InternalRun>.Index?
    var _startStringIndex: BigString.Index?
    var _stringIndex: BigString.Index?
    var _rangesOffset: Int?
    var _withinDiscontiguous: Bool
  }
}

extension AttributedString.Runs.Index : Comparable {}

extension AttributedString.Runs.Index : Strideable {
  typealias Stride = Int
}

extension AttributedString.Runs : BidirectionalCollection {
  typealias Element = AttributedString.Runs.Run
  typealias Indices = DefaultIndices<AttributedString.Runs>
  typealias Iterator = IndexingIterator<AttributedString.Runs>
  typealias SubSequence = Slice<AttributedString.Runs>
}

extension AttributedString {
  struct UnicodeScalarView : Sendable {
    var _guts: AttributedString.Guts
    var _range: Range<BigString.Index>
    var _identity: Int
  }
}

extension AttributedString.UnicodeScalarView : BidirectionalCollection {
  typealias Element = Unicode.Scalar
  typealias Index = AttributedString.Index
  typealias Indices = DefaultIndices<AttributedString.UnicodeScalarView>
  typealias Iterator = IndexingIterator<AttributedString.UnicodeScalarView>
  typealias SubSequence = Slice<AttributedString.UnicodeScalarView>
}

extension AttributedString.UnicodeScalarView : RangeReplaceableCollection {}

extension AttributedString {
  struct UTF8View : Sendable {
    var _guts: AttributedString.Guts
    var _range: Range<BigString.Index>
    var _identity: Int
  }
}

extension AttributedString.UTF8View : BidirectionalCollection {
  typealias Element = UInt8
  typealias Index = AttributedString.Index
  typealias Subsequence = AttributedString.UTF8View
  typealias Indices = DefaultIndices<AttributedString.UTF8View>
  typealias Iterator = IndexingIterator<AttributedString.UTF8View>
  typealias SubSequence = AttributedString.UTF8View
}

extension AttributedString {
  struct UTF16View : Sendable {
    var _guts: AttributedString.Guts
    var _range: Range<BigString.Index>
    var _identity: Int
  }
}

extension AttributedString.UTF16View : BidirectionalCollection {
  typealias Element = UInt16
  typealias Index = AttributedString.Index
  typealias Subsequence = AttributedString.UTF16View
  typealias Indices = DefaultIndices<AttributedString.UTF16View>
  typealias Iterator = IndexingIterator<AttributedString.UTF16View>
  typealias SubSequence = AttributedString.UTF16View
}

extension AttributedString {
  struct _InternalRun : Sendable {
    var length: Int
    var attributes: AttributedString._AttributeStorage
  }
}

extension AttributedString._InternalRun : Equatable {}

extension AttributedString._InternalRun : Hashable {}

extension AttributedString._InternalRun : RopeElement {
  typealias Index = Int
}

extension AttributedString._InternalRun {
  struct Summary : Sendable {
    var count: Int
    var utf8Length: Int
  }
}

extension AttributedString._InternalRun.Summary : RopeSummary {}

extension AttributedString {
  struct _InternalRuns : Sendable {
    typealias _InternalRun = AttributedString._InternalRun
    typealias Storage = Rope<AttributedString._InternalRun>
    var _rope: Rope<AttributedString._InternalRun>
  }
}

extension AttributedString._InternalRuns {
  struct RunMetric : RopeMetric {
    typealias Element = AttributedString._InternalRun
    typealias Summary = AttributedString._InternalRun.Summary
  }
  struct UTF8Metric : RopeMetric {
    typealias Element = AttributedString._InternalRun
    typealias Summary = AttributedString._InternalRun.Summary
  }
}

extension AttributedString._InternalRuns {
  struct Index {
    var base: Rope<AttributedString._InternalRun>.Index
    var offset: Int
    var utf8Offset: Int
  }
}

extension AttributedString._InternalRuns.Index : Equatable {}

extension AttributedString._InternalRuns.Index : Comparable {}

extension AttributedString._InternalRuns : BidirectionalCollection {
  typealias Element = AttributedString._InternalRun
  typealias SubSequence = Slice<AttributedString._InternalRuns>
  typealias _AttributeStorage = AttributedString._AttributeStorage
  typealias Indices = DefaultIndices<AttributedString._InternalRuns>
  typealias Iterator = IndexingIterator<AttributedString._InternalRuns>
}

extension AttributedString {
  struct _InternalRunsSlice {
    typealias _AttributeStorage = AttributedString._AttributeStorage
    typealias _InternalRun = AttributedString._InternalRun
    typealias _InternalRuns = AttributedString._InternalRuns
    typealias Storage = Rope<AttributedString._InternalRun>
    var _guts: AttributedString.Guts
    var _utf8Bounds: Range<Int>
  }
}

extension AttributedString._InternalRunsSlice : BidirectionalCollection {
  typealias Element = AttributedString._InternalRun
  typealias Index = AttributedString._InternalRuns.Index
  typealias Indices = DefaultIndices<AttributedString._InternalRunsSlice>
  typealias Iterator = IndexingIterator<AttributedString._InternalRunsSlice>
  typealias SubSequence = Slice<AttributedString._InternalRunsSlice>
}

@dynamicMemberLookup struct AttributedString : Sendable {
  var _guts: AttributedString.Guts
}

extension AttributedString : ExpressibleByStringLiteral {
  typealias ExtendedGraphemeClusterLiteralType = String
  typealias StringLiteralType = String
  typealias UnicodeScalarLiteralType = String
}

extension AttributedString : AttributedStringProtocol {
  struct Index : Comparable, Sendable {
    var _value: BigString.Index
    var _version: UInt
  }
}

extension AttributedString {
  enum AttributeRunBoundaries : Hashable, Sendable {
    case paragraph
    case character(Character)
  }
}

extension AttributedString {
  struct AttributeInvalidationCondition : Hashable, Sendable {
    enum _Storage : Hashable {
      case textChanged
      case attributeChanged(String)
    }
    let storage: AttributedString.AttributeInvalidationCondition._Storage
  }
}

protocol AttributedStringKey {
  associatedtype Value : Hashable
  static var name: String { get }
  static var runBoundaries: AttributedString.AttributeRunBoundaries? { get }
  static var inheritedByAddedText: Bool { get }
  static var invalidationConditions: Set<AttributedString.AttributeInvalidationCondition>? { get }
}

@dynamicMemberLookup @frozen enum AttributeDynamicLookup {}

extension AttributeDynamicLookup : Sendable {}

@dynamicMemberLookup struct ScopedAttributeContainer<S> : Sendable where S : AttributeScope {
  var storage: AttributedString._AttributeStorage
  var removedKey: String?
}

extension AttributedString.Guts {
  enum _MutationType {
    case attributes
    case attributesAndCharacters
  }
}

extension AttributedString {
  struct _AttributeValue : Hashable, CustomStringConvertible, Sendable {
    typealias RawValue = any Hashable & Sendable
    let _rawValue: any Hashable & Sendable
    let runBoundaries: AttributedString.AttributeRunBoundaries?
    let inheritedByAddedText: Bool
    let invalidationConditions: Set<AttributedString.AttributeInvalidationCondition>?
  }
}

extension AttributedString {
  struct _AttributeStorage : Hashable, Sendable {
    typealias AttributeMergePolicy = AttributedString.AttributeMergePolicy
    typealias _AttributeValue = AttributedString._AttributeValue
    private(set) var contents: [String : AttributedString._AttributeValue]
    var invalidatableKeys: Set<String>
  }
}

extension AttributedString._AttributeStorage : CustomStringConvertible {}

protocol EncodableAttributedStringKey : AttributedStringKey {
  static func encode(_ value: Self.Value, to encoder: any Encoder) throws
}

protocol DecodableAttributedStringKey : AttributedStringKey {
  static func decode(from decoder: any Decoder) throws -> Self.Value
}

protocol MarkdownDecodableAttributedStringKey : AttributedStringKey {
  static func decodeMarkdown(from decoder: any Decoder) throws -> Self.Value
  static var markdownName: String { get }
}

struct AttributeScopeCodableConfiguration : Sendable {
  let attributesTable: [String : any AttributedStringKey.Type]
}

extension AttributedString {
  enum AttributeMergePolicy : Sendable {
    case keepNew
    case keepCurrent
  }
}

protocol AttributedStringAttributeMutation {
  mutating func setAttributes(_ attributes: AttributeContainer)
  mutating func mergeAttributes(_ attributes: AttributeContainer, mergePolicy: AttributedString.AttributeMergePolicy)
  mutating func replaceAttributes(_ attributes: AttributeContainer, with others: AttributeContainer)
}

@dynamicMemberLookup protocol AttributedStringProtocol : AttributedStringAttributeMutation, CustomStringConvertible, Hashable, Sendable {
  var startIndex: AttributedString.Index { get }
  var endIndex: AttributedString.Index { get }
  var runs: AttributedString.Runs { get }
  var characters: AttributedString.CharacterView { get }
  var unicodeScalars: AttributedString.UnicodeScalarView { get }
  var utf8: AttributedString.UTF8View { get }
  var utf16: AttributedString.UTF16View { get }
  subscript<K>(_: K.Type) -> K.Value? where K : AttributedStringKey, K.Value : Sendable { get set }
  subscript<K>(dynamicMember keyPath: KeyPath<AttributeDynamicLookup, K>) -> K.Value? where K : AttributedStringKey, K.Value : Sendable { get set }
  subscript<S>(dynamicMember keyPath: KeyPath<AttributeScopes, S.Type>) -> ScopedAttributeContainer<S> where S : AttributeScope { get set }
  subscript<R>(bounds: R) -> AttributedSubstring where R : RangeExpression, R.Bound == AttributedString.Index { get }
}

@dynamicMemberLookup struct AttributedSubstring : Sendable {
  var _guts: AttributedString.Guts
  var _range: Range<BigString.Index>
  var _identity: Int
}

extension AttributedSubstring : AttributedStringProtocol {}

extension AttributedString {
  struct _IndexConverterFromString : Collection {
    typealias Index = String.Index
    typealias Element = String.Index
    let _string: BigString
    let _range: Range<BigString.Index>
    typealias Indices = DefaultIndices<AttributedString._IndexConverterFromString>
    typealias Iterator = IndexingIterator<AttributedString._IndexConverterFromString>
    typealias SubSequence = Slice<AttributedString._IndexConverterFromString>
  }
}

extension AttributedString {
  struct _IndexConverterFromAttributedString : Collection {
    typealias Index = AttributedString.Index
    typealias Element = AttributedString.Index
    let string: Substring
    let version: UInt
    typealias Indices = DefaultIndices<AttributedString._IndexConverterFromAttributedString>
    typealias Iterator = IndexingIterator<AttributedString._IndexConverterFromAttributedString>
    typealias SubSequence = Slice<AttributedString._IndexConverterFromAttributedString>
  }
}

@dynamicMemberLookup struct DiscontiguousAttributedSubstring : Sendable {
  var _guts: AttributedString.Guts
  var _indices: RangeSet<BigString.Index>
  var _identity: Int
}

extension DiscontiguousAttributedSubstring : CustomStringConvertible {}

extension DiscontiguousAttributedSubstring : Equatable {}

extension DiscontiguousAttributedSubstring : Hashable {}

extension DiscontiguousAttributedSubstring : AttributedStringAttributeMutation {}

extension AttributeScopes {
  struct FoundationAttributes : AttributeScope {
    let link: AttributeScopes.FoundationAttributes.LinkAttribute
    let languageIdentifier: AttributeScopes.FoundationAttributes.LanguageIdentifierAttribute
    let personNameComponent: AttributeScopes.FoundationAttributes.PersonNameComponentAttribute
    let numberFormat: AttributeScopes.FoundationAttributes.NumberFormatAttributes
    let dateField: AttributeScopes.FoundationAttributes.DateFieldAttribute
    let alternateDescription: AttributeScopes.FoundationAttributes.AlternateDescriptionAttribute
    let imageURL: AttributeScopes.FoundationAttributes.ImageURLAttribute
    let replacementIndex: AttributeScopes.FoundationAttributes.ReplacementIndexAttribute
    let measurement: AttributeScopes.FoundationAttributes.MeasurementAttribute
    let byteCount: AttributeScopes.FoundationAttributes.ByteCountAttribute
    let durationField: AttributeScopes.FoundationAttributes.DurationFieldAttribute
    let writingDirection: AttributeScopes.FoundationAttributes.WritingDirectionAttribute
    typealias DecodingConfiguration = AttributeScopeCodableConfiguration
    typealias EncodingConfiguration = AttributeScopeCodableConfiguration
  }
}

extension AttributeScopes.FoundationAttributes : Sendable {}

extension AttributeScopes.FoundationAttributes {
  @frozen enum LinkAttribute : DecodableAttributedStringKey & EncodableAttributedStringKey {
    typealias Value = URL
  }
  @frozen enum LanguageIdentifierAttribute : DecodableAttributedStringKey & EncodableAttributedStringKey {
    typealias Value = String
  }
  @frozen enum PersonNameComponentAttribute : DecodableAttributedStringKey & EncodableAttributedStringKey {
    typealias Value = AttributeScopes.FoundationAttributes.PersonNameComponentAttribute.Component
    enum Component : String, Decodable & Encodable, Sendable {
      case givenName
      case familyName
      case middleName
      case namePrefix
      case nameSuffix
      case nickname
      case delimiter
      typealias RawValue = String
    }
  }
  struct NumberFormatAttributes : AttributeScope {
    let numberSymbol: AttributeScopes.FoundationAttributes.NumberFormatAttributes.SymbolAttribute
    let numberPart: AttributeScopes.FoundationAttributes.NumberFormatAttributes.NumberPartAttribute
    @frozen enum NumberPartAttribute : DecodableAttributedStringKey & EncodableAttributedStringKey {
      enum NumberPart : Int, Decodable & Encodable, Sendable {
        case integer
        case fraction
        typealias RawValue = Int
      }
      typealias Value = AttributeScopes.FoundationAttributes.NumberFormatAttributes.NumberPartAttribute.NumberPart
    }
    @frozen enum SymbolAttribute : DecodableAttributedStringKey & EncodableAttributedStringKey {
      enum Symbol : Int, Decodable & Encodable, Sendable {
        case groupingSeparator
        case sign
        case decimalSeparator
        case currency
        case percent
        typealias RawValue = Int
      }
      typealias Value = AttributeScopes.FoundationAttributes.NumberFormatAttributes.SymbolAttribute.Symbol
    }
    typealias DecodingConfiguration = AttributeScopeCodableConfiguration
    typealias EncodingConfiguration = AttributeScopeCodableConfiguration
  }
  @frozen enum DateFieldAttribute : DecodableAttributedStringKey & EncodableAttributedStringKey {
    enum Field : Hashable, Decodable & Encodable, Sendable {
      case era
      case year
      case relatedGregorianYear
      case quarter
      case month
      case weekOfYear
      case weekOfMonth
      case weekday
      case weekdayOrdinal
      case day
      case dayOfYear
      case amPM
      case hour
      case minute
      case second
      case secondFraction
      case timeZone
    }
    typealias Value = AttributeScopes.FoundationAttributes.DateFieldAttribute.Field
  }
  @frozen enum AlternateDescriptionAttribute : DecodableAttributedStringKey & EncodableAttributedStringKey {
    typealias Value = String
  }
  @frozen enum ImageURLAttribute : DecodableAttributedStringKey & EncodableAttributedStringKey {
    typealias Value = URL
  }
  @frozen enum ReplacementIndexAttribute : DecodableAttributedStringKey & EncodableAttributedStringKey {
    typealias Value = Int
  }
  struct MeasurementAttribute : DecodableAttributedStringKey & EncodableAttributedStringKey {
    typealias Value = AttributeScopes.FoundationAttributes.MeasurementAttribute.Component
    enum Component : Int, Decodable & Encodable, Sendable {
      case value
      case unit
      typealias RawValue = Int
    }
  }
  @frozen enum ByteCountAttribute : DecodableAttributedStringKey & EncodableAttributedStringKey {
    typealias Value = AttributeScopes.FoundationAttributes.ByteCountAttribute.Component
    enum Component : Decodable & Encodable, Hashable, Sendable {
      case value
      case spelledOutValue
      case unit(AttributeScopes.FoundationAttributes.ByteCountAttribute.Unit)
      case actualByteCount
      enum ActualByteCountCodingKeys : CodingKey {}
      enum CodingKeys : CodingKey {
        case value
        case spelledOutValue
        case unit
        case actualByteCount
      }
      enum SpelledOutValueCodingKeys : CodingKey {}
      enum UnitCodingKeys : CodingKey {
        case _0
      }
      enum ValueCodingKeys : CodingKey {}
    }
    enum Unit : Decodable & Encodable, Sendable {
      case byte
      case kb
      case mb
      case gb
      case tb
      case pb
      case eb
      case zb
      case yb
      enum ByteCodingKeys : CodingKey {}
      enum CodingKeys : CodingKey {
        case byte
        case kb
        case mb
        case gb
        case tb
        case pb
        case eb
        case zb
        case yb
      }
      enum EbCodingKeys : CodingKey {}
      enum GbCodingKeys : CodingKey {}
      enum KbCodingKeys : CodingKey {}
      enum MbCodingKeys : CodingKey {}
      enum PbCodingKeys : CodingKey {}
      enum TbCodingKeys : CodingKey {}
      enum YbCodingKeys : CodingKey {}
      enum ZbCodingKeys : CodingKey {}
    }
  }
  @frozen enum DurationFieldAttribute : DecodableAttributedStringKey & EncodableAttributedStringKey {
    typealias Value = AttributeScopes.FoundationAttributes.DurationFieldAttribute.Field
    enum Field : Int, Decodable & Encodable, Sendable {
      case weeks
      case days
      case hours
      case minutes
      case seconds
      case microseconds
      case milliseconds
      case nanoseconds
      typealias RawValue = Int
    }
  }
  @frozen enum WritingDirectionAttribute : DecodableAttributedStringKey & EncodableAttributedStringKey {
    typealias Value = AttributedString.WritingDirection
  }
}

extension AttributeScopes.FoundationAttributes.LinkAttribute : Sendable {}

extension AttributeScopes.FoundationAttributes.LanguageIdentifierAttribute : Sendable {}

extension AttributeScopes.FoundationAttributes.PersonNameComponentAttribute : Sendable {}

extension AttributeScopes.FoundationAttributes.NumberFormatAttributes : Sendable {}

extension AttributeScopes.FoundationAttributes.NumberFormatAttributes.NumberPartAttribute : Sendable {}

extension AttributeScopes.FoundationAttributes.NumberFormatAttributes.SymbolAttribute : Sendable {}

extension AttributeScopes.FoundationAttributes.DateFieldAttribute : Sendable {}

extension AttributeScopes.FoundationAttributes.AlternateDescriptionAttribute : Sendable {}

extension AttributeScopes.FoundationAttributes.ImageURLAttribute : Sendable {}

extension AttributeScopes.FoundationAttributes.ReplacementIndexAttribute : Sendable {}

extension AttributeScopes.FoundationAttributes.MeasurementAttribute : Sendable {}

extension AttributeScopes.FoundationAttributes.ByteCountAttribute : Sendable {}

extension AttributeScopes.FoundationAttributes.DurationFieldAttribute : Sendable {}

extension AttributeScopes.FoundationAttributes.WritingDirectionAttribute : Sendable {}

extension AttributedString {
  @frozen enum WritingDirection : Decodable & Encodable, Hashable, CaseIterable, Sendable {
    case leftToRight
    case rightToLeft
    typealias AllCases = [AttributedString.WritingDirection]
    enum CodingKeys : CodingKey {
      case leftToRight
      case rightToLeft
    }
    enum LeftToRightCodingKeys : CodingKey {}
    enum RightToLeftCodingKeys : CodingKey {}
  }
}

struct Calendar : Hashable, Equatable, Sendable {
  var _calendar: any _CalendarProtocol & AnyObject
  enum Identifier : Sendable, CustomDebugStringConvertible {
    case gregorian
    case buddhist
    case chinese
    case coptic
    case ethiopicAmeteMihret
    case ethiopicAmeteAlem
    case hebrew
    case iso8601
    case indian
    case islamic
    case islamicCivil
    case japanese
    case persian
    case republicOfChina
    case islamicTabular
    case islamicUmmAlQura
    case bangla
    case gujarati
    case kannada
    case malayalam
    case marathi
    case odia
    case tamil
    case telugu
    case vikram
    case dangi
    case vietnamese
    enum BanglaCodingKeys : CodingKey {}
    enum BuddhistCodingKeys : CodingKey {}
    enum ChineseCodingKeys : CodingKey {}
    enum CodingKeys : CodingKey {
      case gregorian
      case buddhist
      case chinese
      case coptic
      case ethiopicAmeteMihret
      case ethiopicAmeteAlem
      case hebrew
      case iso8601
      case indian
      case islamic
      case islamicCivil
      case japanese
      case persian
      case republicOfChina
      case islamicTabular
      case islamicUmmAlQura
      case bangla
      case gujarati
      case kannada
      case malayalam
      case marathi
      case odia
      case tamil
      case telugu
      case vikram
      case dangi
      case vietnamese
    }
    enum CopticCodingKeys : CodingKey {}
    enum DangiCodingKeys : CodingKey {}
    enum EthiopicAmeteAlemCodingKeys : CodingKey {}
    enum EthiopicAmeteMihretCodingKeys : CodingKey {}
    enum GregorianCodingKeys : CodingKey {}
    enum GujaratiCodingKeys : CodingKey {}
    enum HebrewCodingKeys : CodingKey {}
    enum IndianCodingKeys : CodingKey {}
    enum IslamicCivilCodingKeys : CodingKey {}
    enum IslamicCodingKeys : CodingKey {}
    enum IslamicTabularCodingKeys : CodingKey {}
    enum IslamicUmmAlQuraCodingKeys : CodingKey {}
    enum Iso8601CodingKeys : CodingKey {}
    enum JapaneseCodingKeys : CodingKey {}
    enum KannadaCodingKeys : CodingKey {}
    enum MalayalamCodingKeys : CodingKey {}
    enum MarathiCodingKeys : CodingKey {}
    enum OdiaCodingKeys : CodingKey {}
    enum PersianCodingKeys : CodingKey {}
    enum RepublicOfChinaCodingKeys : CodingKey {}
    enum TamilCodingKeys : CodingKey {}
    enum TeluguCodingKeys : CodingKey {}
    enum VietnameseCodingKeys : CodingKey {}
    enum VikramCodingKeys : CodingKey {}
  }
  struct ComponentSet : OptionSet {
    let rawValue: UInt
    typealias ArrayLiteralElement = Calendar.ComponentSet
    typealias Element = Calendar.ComponentSet
    typealias RawValue = UInt
  }
  enum Component : Sendable {
    case era
    case year
    case month
    case day
    case hour
    case minute
    case second
    case weekday
    case weekdayOrdinal
    case quarter
    case weekOfMonth
    case weekOfYear
    case yearForWeekOfYear
    case nanosecond
    case calendar
    case timeZone
    case isLeapMonth
    case isRepeatedDay
    case dayOfYear
  }
  enum SearchDirection : Sendable {
    case forward
    case backward
  }
  enum RepeatedTimePolicy : Sendable {
    case first
    case last
  }
  enum MatchingPolicy : Sendable, Equatable {
    case nextTime
    case nextTimePreservingSmallerComponents
    case previousTimePreservingSmallerComponents
    case strict
  }
}

extension Calendar : CustomDebugStringConvertible, CustomStringConvertible, CustomReflectable {}

extension Calendar : Decodable & Encodable {
  enum CodingKeys : Int, CodingKey {
    case identifier
    case locale
    case timeZone
    case firstWeekday
    case minimumDaysInFirstWeek
    case current
    typealias RawValue = Int
  }
  enum Current : Int, Decodable & Encodable {
    case fixed
    case current
    case autoupdatingCurrent
    typealias RawValue = Int
  }
}

extension Calendar.Identifier : Decodable & Encodable {}

struct WeekendRange : Equatable, Hashable {
  var onsetTime: Double?
  var ceaseTime: Double?
  var start: Int
  var end: Int
}

extension Calendar.MatchingPolicy : Decodable & Encodable {}

extension Calendar.RepeatedTimePolicy : Decodable & Encodable {}

extension Calendar {
  struct DatesByMatching : Sendable, Sequence {
    typealias Element = Date
    let calendar: Calendar
    let start: Date
    let range: Range<Date>?
    let matchingComponents: DateComponents
    let matchingPolicy: Calendar.MatchingPolicy
    let repeatedTimePolicy: Calendar.RepeatedTimePolicy
    let direction: Calendar.SearchDirection
    struct Iterator : Sendable, IteratorProtocol {
      var iterations: Int
      var previouslyReturnedMatchDate: Date?
      var searchingDate: Date
      let range: Range<Date>?
      let start: Date
      let calendar: Calendar
      let matchingComponents: DateComponents
      let matchingPolicy: Calendar.MatchingPolicy
      let repeatedTimePolicy: Calendar.RepeatedTimePolicy
      let direction: Calendar.SearchDirection
      let searchLimit: Int
      var finished: Bool
      typealias Element = Date
    }
  }
  struct DatesByAdding : Sendable, Sequence {
    typealias Element = Date
    let calendar: Calendar
    let start: Date
    let range: Range<Date>?
    let components: DateComponents
    let wrappingComponents: Bool
    struct Iterator : Sendable, IteratorProtocol {
      let calendar: Calendar
      let start: Date
      let range: Range<Date>?
      let components: DateComponents
      let wrappingComponents: Bool
      var finished: Bool
      var iteration: Int
      typealias Element = Date
    }
  }
}

extension Calendar {
  struct SearchStepResult {
    var result: (Date, Bool)?
    var newSearchDate: Date
  }
}

protocol _CalendarProtocol : AnyObject, CustomDebugStringConvertible, Sendable {
  init(identifier: Calendar.Identifier, timeZone: TimeZone?, locale: Locale?, firstWeekday: Int?, minimumDaysInFirstWeek: Int?, gregorianStartDate: Date?)
  var identifier: Calendar.Identifier { get }
  var locale: Locale? { get }
  var localeIdentifier: String { get }
  var timeZone: TimeZone { get }
  var firstWeekday: Int { get }
  var preferredFirstWeekday: Int? { get }
  var minimumDaysInFirstWeek: Int { get }
  var preferredMinimumDaysInFirstweek: Int? { get }
  var gregorianStartDate: Date? { get }
  var isAutoupdating: Bool { get }
  var isBridged: Bool { get }
  override var debugDescription: String { get }
  func copy(changingLocale: Locale?, changingTimeZone: TimeZone?, changingFirstWeekday: Int?, changingMinimumDaysInFirstWeek: Int?) -> any _CalendarProtocol
  func hash(into hasher: inout Hasher)
  func minimumRange(of component: Calendar.Component) -> Range<Int>?
  func maximumRange(of component: Calendar.Component) -> Range<Int>?
  func range(of smaller: Calendar.Component, in larger: Calendar.Component, for date: Date) -> Range<Int>?
  func ordinality(of smaller: Calendar.Component, in larger: Calendar.Component, for date: Date) -> Int?
  func dateInterval(of component: Calendar.Component, for date: Date) -> DateInterval?
  func isDateInWeekend(_ date: Date) -> Bool
  func date(from components: DateComponents) -> Date?
  func dateComponents(_ components: Calendar.ComponentSet, from date: Date, in timeZone: TimeZone) -> DateComponents
  func dateComponents(_ components: Calendar.ComponentSet, from date: Date) -> DateComponents
  func date(byAdding components: DateComponents, to date: Date, wrappingComponents: Bool) -> Date?
  func dateComponents(_ components: Calendar.ComponentSet, from start: Date, to end: Date) -> DateComponents
}

enum ComponentAction {
  case expand
  case limit
}

extension Calendar {
  struct DatesByRecurring : Sendable, Sequence {
    typealias Element = Date
    let start: Date
    let recurrence: Calendar.RecurrenceRule
    let range: Range<Date>?
    struct Iterator : Sendable, IteratorProtocol {
      let start: Date
      let recurrence: Calendar.RecurrenceRule
      let range: Range<Date>?
      let rangeLowerBound: Date?
      let startDateNanoseconds: Double
      var resultsFound: Int
      let monthAction: ComponentAction?
      let weekAction: ComponentAction?
      let dayOfYearAction: ComponentAction?
      let dayOfMonthAction: ComponentAction?
      let weekdayAction: ComponentAction?
      let hourAction: ComponentAction?
      let minuteAction: ComponentAction?
      let secondAction: ComponentAction?
      var baseRecurrence: Calendar.DatesByMatching.Iterator
      var iterations: Int
      var finished: Bool
      let searchLimit: Int
      var iterationsSinceLastResult: Int
      var currentGroup: [Date]
      typealias Element = Date
    }
  }
}

extension Calendar {
  struct _DateComponentCombinations {
    var daysOfMonth: [Int]?
    var daysOfYear: [Int]?
    var weeksOfYear: [Int]?
    var months: [Calendar.RecurrenceRule.Month]?
    var weekdays: [Calendar.RecurrenceRule.Weekday]?
    var hours: [Int]?
    var minutes: [Int]?
    var seconds: [Int]?
  }
}

struct DateComponents : Hashable, Equatable, Sendable {
  var _calendar: Calendar?
  var _timeZone: TimeZone?
  var _era: Int?
  var _year: Int?
  var _month: Int?
  var _day: Int?
  var _dayOfYear: Int?
  var _hour: Int?
  var _minute: Int?
  var _second: Int?
  var _nanosecond: Int?
  var _weekday: Int?
  var _weekdayOrdinal: Int?
  var _quarter: Int?
  var _week: Int?
  var _weekOfMonth: Int?
  var _weekOfYear: Int?
  var _yearForWeekOfYear: Int?
  var _isLeapMonth: Bool?
  var _isRepeatedDay: Bool?
}

extension DateComponents : CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension DateComponents : Decodable & Encodable {
  enum CodingKeys : Int, CodingKey {
    case calendar
    case timeZone
    case era
    case year
    case month
    case day
    case hour
    case minute
    case second
    case nanosecond
    case weekday
    case weekdayOrdinal
    case quarter
    case weekOfMonth
    case weekOfYear
    case yearForWeekOfYear
    case isLeapMonth
    case isRepeatedDay
    case dayOfYear
    typealias RawValue = Int
  }
}

extension Calendar {
  struct RecurrenceRule : Sendable, Equatable {
    var calendar: Calendar
    var matchingPolicy: Calendar.MatchingPolicy
    var repeatedTimePolicy: Calendar.RepeatedTimePolicy
    enum Frequency : Int, Sendable, Decodable & Encodable, Equatable {
      case minutely
      case hourly
      case daily
      case weekly
      case monthly
      case yearly
      typealias RawValue = Int
    }
    var frequency: Calendar.RecurrenceRule.Frequency
    var interval: Int
    struct End : Sendable, Equatable {
      enum _End : Equatable, Hashable {
        case never
        case afterDate(Date)
        case afterOccurrences(Int)
      }
      var _guts: Calendar.RecurrenceRule.End._End
    }
    var end: Calendar.RecurrenceRule.End
    enum Weekday : Sendable, Equatable {
      case every(Locale.Weekday)
      case nth(Int, Locale.Weekday)
    }
    struct Month : Sendable, ExpressibleByIntegerLiteral, Equatable {
      typealias IntegerLiteralType = Int
      var index: Int
      var isLeap: Bool
    }
    var seconds: [Int]
    var minutes: [Int]
    var hours: [Int]
    var weekdays: [Calendar.RecurrenceRule.Weekday]
    var daysOfTheMonth: [Int]
    var daysOfTheYear: [Int]
    var months: [Calendar.RecurrenceRule.Month]
    var weeks: [Int]
    var setPositions: [Int]
  }
}

extension Calendar.RecurrenceRule.End : Decodable & Encodable {
  enum CodingKeys : String, CodingKey {
    case count
    case until
    typealias RawValue = String
  }
}

extension Calendar.RecurrenceRule.Weekday : Decodable & Encodable {
  enum CodingKeys : String, CodingKey {
    case weekday
    case n
    typealias RawValue = String
  }
}

extension Calendar.RecurrenceRule.Month : Decodable & Encodable {
  enum CodingKeys : String, CodingKey {
    case month
    case leap
    typealias RawValue = String
  }
}

extension Calendar.RecurrenceRule : Decodable & Encodable {
  enum CodingKeys : String, CodingKey {
    case calendar
    case frequency
    case interval
    case end
    case matchingPolicy
    case repeatedTimePolicy
    case months
    case daysOfTheYear
    case daysOfTheMonth
    case weeks
    case weekdays
    case hours
    case minutes
    case seconds
    case setPositions
    typealias RawValue = String
  }
}

extension Calendar.RecurrenceRule.End : CustomStringConvertible, Hashable {}

extension Calendar.RecurrenceRule.Month : Hashable {}

extension Calendar.RecurrenceRule.Weekday : Hashable {}

extension Calendar.RecurrenceRule : Hashable {}

extension Array : DataProtocol where Element == UInt8 {
  typealias Regions = CollectionOfOne<Array<UInt8>>
}

extension ArraySlice : DataProtocol where Element == UInt8 {
  typealias Regions = CollectionOfOne<ArraySlice<UInt8>>
}

extension ContiguousArray : DataProtocol where Element == UInt8 {
  typealias Regions = CollectionOfOne<ContiguousArray<UInt8>>
}

extension EmptyCollection : DataProtocol where Element == UInt8 {
  typealias Regions = EmptyCollection<Data>
}

extension Repeated : DataProtocol where Element == UInt8 {
  typealias Regions = Repeated<Data>
}

extension Array : MutableDataProtocol where Element == UInt8 {}

extension ContiguousArray : MutableDataProtocol where Element == UInt8 {}

protocol ContiguousBytes {
  func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R
}

extension Array : ContiguousBytes where Element == UInt8 {}

extension ArraySlice : ContiguousBytes where Element == UInt8 {}

extension ContiguousArray : ContiguousBytes where Element == UInt8 {}

extension UnsafeRawBufferPointer : ContiguousBytes {}

extension UnsafeMutableRawBufferPointer : ContiguousBytes {}

extension UnsafeBufferPointer : ContiguousBytes where Element == UInt8 {}

extension UnsafeMutableBufferPointer : ContiguousBytes where Element == UInt8 {}

extension EmptyCollection : ContiguousBytes where Element == UInt8 {}

extension CollectionOfOne : ContiguousBytes where Element == UInt8 {}

extension Slice : ContiguousBytes where Base : ContiguousBytes {}

final class __DataStorage : @unchecked Sendable {
  final var _bytes: UnsafeMutableRawPointer?
  final var _length: Int
  final var _capacity: Int
  final var _offset: Int
  final var _deallocator: ((UnsafeMutableRawPointer, Int) -> ())?
  final var _needToZero: Bool
  init(length: Int)
  init(capacity capacity_: Int = 0)
  init(bytes: UnsafeRawPointer?, length: Int)
  init(bytes: UnsafeMutableRawPointer?, length: Int, copy: Bool, deallocator: ((UnsafeMutableRawPointer, Int) -> ())?, offset: Int)
  init(offset: Int, bytes: UnsafeMutableRawPointer, capacity: Int, needToZero: Bool, length: Int, deallocator: ((UnsafeMutableRawPointer, Int) -> ())?)
}

@frozen @_addressableForDependencies struct Data : Equatable, Hashable, RandomAccessCollection, MutableCollection, RangeReplaceableCollection, MutableDataProtocol, ContiguousBytes, Sendable {
  typealias Index = Int
  typealias Indices = Range<Int>
  @frozen struct InlineData : Sendable {
    typealias Buffer = (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8)
    var bytes: (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8)
    var length: UInt8
  }
  typealias HalfInt = Int32
  @frozen struct InlineSlice : Sendable {
    var slice: Range<Int32>
    var storage: __DataStorage
  }
  final class RangeReference : @unchecked Sendable {
    final var range: Range<Int>
    init(_ range: Range<Int>)
  }
  @frozen struct LargeSlice : Sendable {
    var slice: Data.RangeReference
    var storage: __DataStorage
  }
  @frozen enum _Representation : Sendable {
    case empty
    case inline(Data.InlineData)
    case slice(Data.InlineSlice)
    case large(Data.LargeSlice)
  }
  var _representation: Data._Representation
  enum Deallocator {
    case unmap
    case free
    case none
    case custom((UnsafeMutableRawPointer, Int) -> ())
  }
  struct ReadingOptions : OptionSet, Sendable {
    let rawValue: UInt
    typealias ArrayLiteralElement = Data.ReadingOptions
    typealias Element = Data.ReadingOptions
    typealias RawValue = UInt
  }
  struct WritingOptions : OptionSet, Sendable {
    let rawValue: UInt
    typealias ArrayLiteralElement = Data.WritingOptions
    typealias Element = Data.WritingOptions
    typealias RawValue = UInt
  }
  struct Iterator : IteratorProtocol, Sendable {
    typealias Buffer = (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8)
    let _data: Data
    var _buffer: (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8)
    var _idx: Int
    let _endIdx: Int
    typealias Element = UInt8
  }
  typealias Element = UInt8
  typealias Regions = CollectionOfOne<Data>
  typealias SubSequence = Data
}

extension Data.Deallocator : Sendable {}

extension Data {
  struct SearchOptions : OptionSet, Sendable {
    let rawValue: UInt
    typealias ArrayLiteralElement = Data.SearchOptions
    typealias Element = Data.SearchOptions
    typealias RawValue = UInt
  }
  struct Base64EncodingOptions : OptionSet, Sendable {
    let rawValue: UInt
    typealias ArrayLiteralElement = Data.Base64EncodingOptions
    typealias Element = Data.Base64EncodingOptions
    typealias RawValue = UInt
  }
  struct Base64DecodingOptions : OptionSet, Sendable {
    let rawValue: UInt
    typealias ArrayLiteralElement = Data.Base64DecodingOptions
    typealias Element = Data.Base64DecodingOptions
    typealias RawValue = UInt
  }
}

extension Data : CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Data : Decodable & Encodable {}

protocol DataProtocol : RandomAccessCollection where Self.Element == UInt8, Self.SubSequence : DataProtocol {
  associatedtype Regions : BidirectionalCollection where Self.Regions.Element : ContiguousBytes, Self.Regions.Element : DataProtocol, Self.Regions.Element.SubSequence : ContiguousBytes
  var regions: Self.Regions { get }
  func firstRange<D, R>(of: D, in: R) -> Range<Self.Index>? where D : DataProtocol, R : RangeExpression, Self.Index == R.Bound
  func lastRange<D, R>(of: D, in: R) -> Range<Self.Index>? where D : DataProtocol, R : RangeExpression, Self.Index == R.Bound
  func copyBytes(to: UnsafeMutableRawBufferPointer, count: Int) -> Int
  func copyBytes<DestinationType>(to: UnsafeMutableBufferPointer<DestinationType>, count: Int) -> Int
  func copyBytes<R>(to: UnsafeMutableRawBufferPointer, from: R) -> Int where R : RangeExpression, Self.Index == R.Bound
  func copyBytes<DestinationType, R>(to: UnsafeMutableBufferPointer<DestinationType>, from: R) -> Int where R : RangeExpression, Self.Index == R.Bound
}

protocol MutableDataProtocol : DataProtocol, MutableCollection, RangeReplaceableCollection {
  mutating func resetBytes<R>(in range: R) where R : RangeExpression, Self.Index == R.Bound
}

extension Slice : DataProtocol where Base : DataProtocol {
  typealias Regions = [Base.Regions.Element.SubSequence]
}

extension UnsafeRawBufferPointer : DataProtocol {
  typealias Regions = CollectionOfOne<UnsafeRawBufferPointer>
}

extension UnsafeBufferPointer : DataProtocol where Element == UInt8 {
  typealias Regions = CollectionOfOne<UnsafeBufferPointer<UInt8>>
}

struct Decimal : Sendable {
  typealias Mantissa = (UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16)
  struct Storage : Sendable {
    var exponent: Int8
    var lengthFlagsAndReserved: UInt8
    var reserved: UInt16
    var mantissa: (UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16)
  }
  var storage: Decimal.Storage
}

extension Decimal {
  enum RoundingMode : UInt, Sendable {
    case plain
    case down
    case up
    case bankers
    typealias RawValue = UInt
  }
  enum CalculationError : UInt, Sendable {
    case noError
    case lossOfPrecision
    case overflow
    case underflow
    case divideByZero
    typealias RawValue = UInt
  }
}

extension Decimal {
  enum DecimalParseResult {
    case success(Decimal, processedLength: Int)
    case parseFailure
    case overlargeValue
  }
}

extension Decimal : CustomStringConvertible {}

extension Decimal : ExpressibleByFloatLiteral {
  typealias FloatLiteralType = Double
}

extension Decimal : ExpressibleByIntegerLiteral {
  typealias IntegerLiteralType = Int
}

extension Decimal : Hashable {}

extension Decimal : Equatable {}

extension Decimal : Comparable {}

extension Decimal : Decodable & Encodable {
  enum CodingKeys : Int, CodingKey {
    case exponent
    case length
    case isNegative
    case isCompact
    case mantissa
    typealias RawValue = Int
  }
}

extension Decimal : SignedNumeric {
  typealias Magnitude = Decimal
}

extension Decimal : Strideable {
  typealias Stride = Decimal
}

extension Decimal {
  enum _CalculationError : Error {
    case overflow
    case underflow
    case divideByZero
  }
}

extension Decimal {
  typealias VariableLengthInteger = [UInt16]
}

struct CocoaError : Error {
  let code: CocoaError.Code
  nonisolated(unsafe) let userInfo: [String : Any]
}

extension CocoaError {
  struct Code : RawRepresentable, Hashable, Sendable {
    let rawValue: Int
    typealias RawValue = Int
  }
}

protocol LocalizedError : Error {
  var errorDescription: String? { get }
  var failureReason: String? { get }
  var recoverySuggestion: String? { get }
  var helpAnchor: String? { get }
}

struct POSIXError : Error, Hashable, Sendable {
  let code: POSIXErrorCode
  typealias Code = POSIXErrorCode
}

struct _FileManagerImpl {
  weak var _manager: @sil_weak FileManager?
}

protocol _NSNumberInitializer {
  static func initialize(value: Bool) -> Any
  static func initialize(value: some BinaryInteger) -> Any
}

struct FileAttributeType : Hashable, RawRepresentable, Sendable {
  let rawValue: String
  typealias RawValue = String
}

struct FileAttributeKey : Hashable, RawRepresentable, Sendable {
  typealias RawValue = String
  let rawValue: String
}

struct FileProtectionType : RawRepresentable, Sendable {
  let rawValue: String
  typealias RawValue = String
}

extension FileManager {
  struct UnmountOptions : OptionSet, Sendable {
    let rawValue: UInt
    typealias ArrayLiteralElement = FileManager.UnmountOptions
    typealias Element = FileManager.UnmountOptions
    typealias RawValue = UInt
  }
  struct DirectoryEnumerationOptions : OptionSet, Sendable {
    let rawValue: UInt
    typealias ArrayLiteralElement = FileManager.DirectoryEnumerationOptions
    typealias Element = FileManager.DirectoryEnumerationOptions
    typealias RawValue = UInt
  }
  enum SearchPathDirectory : UInt, Sendable {
    case applicationDirectory
    case demoApplicationDirectory
    case developerApplicationDirectory
    case adminApplicationDirectory
    case libraryDirectory
    case developerDirectory
    case documentationDirectory
    case coreServiceDirectory
    case inputMethodsDirectory
    case preferencePanesDirectory
    case allApplicationsDirectory
    case allLibrariesDirectory
    case itemReplacementDirectory
    case printerDescriptionDirectory
    case applicationScriptsDirectory
    case userDirectory
    case documentDirectory
    case autosavedInformationDirectory
    case desktopDirectory
    case cachesDirectory
    case applicationSupportDirectory
    case downloadsDirectory
    case moviesDirectory
    case musicDirectory
    case picturesDirectory
    case sharedPublicDirectory
    case trashDirectory
    typealias RawValue = UInt
  }
  struct SearchPathDomainMask : OptionSet, Sendable {
    let rawValue: UInt
    typealias ArrayLiteralElement = FileManager.SearchPathDomainMask
    typealias Element = FileManager.SearchPathDomainMask
    typealias RawValue = UInt
  }
  enum URLRelationship : Int, Sendable {
    case contains
    case same
    case other
    typealias RawValue = Int
  }
  struct ItemReplacementOptions : OptionSet, Sendable {
    let rawValue: UInt
    typealias ArrayLiteralElement = FileManager.ItemReplacementOptions
    typealias Element = FileManager.ItemReplacementOptions
    typealias RawValue = UInt
  }
}

class FileManager : @unchecked Sendable {
  var _impl: _FileManagerImpl
  final let _lock: LockedState<FileManager.State>
  class var `default`: FileManager { get }
  struct State {
    weak var delegate: @sil_weak (any FileManagerDelegate)?
  }
  weak var delegate: @sil_weak (any FileManagerDelegate)? { get set }
  init()
  func setAttributes(_ attributes: [FileAttributeKey : Any], ofItemAtPath path: String) throws
  func createDirectory(at url: URL, withIntermediateDirectories createIntermediates: Bool, attributes: [FileAttributeKey : Any]? = nil) throws
  func createDirectory(atPath path: String, withIntermediateDirectories createIntermediates: Bool, attributes: [FileAttributeKey : Any]? = nil) throws
  func contentsOfDirectory(atPath path: String) throws -> [String]
  func subpathsOfDirectory(atPath path: String) throws -> [String]
  func urls(for directory: FileManager.SearchPathDirectory, in domainMask: FileManager.SearchPathDomainMask) -> [URL]
  func url(for directory: FileManager.SearchPathDirectory, in domain: FileManager.SearchPathDomainMask, appropriateFor url: URL?, create shouldCreate: Bool) throws -> URL
  func attributesOfItem(atPath path: String) throws -> [FileAttributeKey : Any]
  func attributesOfFileSystem(forPath path: String) throws -> [FileAttributeKey : Any]
  func createSymbolicLink(atPath path: String, withDestinationPath destPath: String) throws
  func createSymbolicLink(at url: URL, withDestinationURL destURL: URL) throws
  func destinationOfSymbolicLink(atPath path: String) throws -> String
  func copyItem(atPath srcPath: String, toPath dstPath: String) throws
  func moveItem(atPath srcPath: String, toPath dstPath: String) throws
  func linkItem(atPath srcPath: String, toPath dstPath: String) throws
  func removeItem(atPath path: String) throws
  func copyItem(at srcURL: URL, to dstURL: URL) throws
  func moveItem(at srcURL: URL, to dstURL: URL) throws
  func linkItem(at srcURL: URL, to dstURL: URL) throws
  func removeItem(at URL: URL) throws
  var currentDirectoryPath: String { get }
  func changeCurrentDirectoryPath(_ path: String) -> Bool
  func fileExists(atPath path: String) -> Bool
  func fileExists(atPath path: String, isDirectory: inout Bool) -> Bool
  func isReadableFile(atPath path: String) -> Bool
  func isWritableFile(atPath path: String) -> Bool
  func isExecutableFile(atPath path: String) -> Bool
  func isDeletableFile(atPath path: String) -> Bool
  func contentsEqual(atPath path1: String, andPath path2: String) -> Bool
  func contents(atPath path: String) -> Data?
  func createFile(atPath path: String, contents data: Data?, attributes attr: [FileAttributeKey : Any]? = nil) -> Bool
  func string(withFileSystemRepresentation str: UnsafePointer<Int8>, length len: Int) -> String
  func withFileSystemRepresentation<R>(for path: String, _ body: (UnsafePointer<Int8>?) throws -> R) rethrows -> R
  var temporaryDirectory: URL { get }
  var homeDirectoryForCurrentUser: URL { get }
  func homeDirectory(forUser userName: String) -> URL?
}

protocol FileManagerDelegate : AnyObject, Sendable {
  func fileManager(_ fileManager: FileManager, shouldCopyItemAtPath srcPath: String, toPath dstPath: String) -> Bool
  func fileManager(_ fileManager: FileManager, shouldProceedAfterError error: any Error, copyingItemAtPath srcPath: String, toPath dstPath: String) -> Bool
  func fileManager(_ fileManager: FileManager, shouldMoveItemAtPath srcPath: String, toPath dstPath: String) -> Bool
  func fileManager(_ fileManager: FileManager, shouldProceedAfterError error: any Error, movingItemAtPath srcPath: String, toPath dstPath: String) -> Bool
  func fileManager(_ fileManager: FileManager, shouldLinkItemAtPath srcPath: String, toPath dstPath: String) -> Bool
  func fileManager(_ fileManager: FileManager, shouldProceedAfterError error: any Error, linkingItemAtPath srcPath: String, toPath dstPath: String) -> Bool
  func fileManager(_ fileManager: FileManager, shouldRemoveItemAtPath path: String) -> Bool
  func fileManager(_ fileManager: FileManager, shouldProceedAfterError error: any Error, removingItemAtPath path: String) -> Bool
  func fileManager(_ fileManager: FileManager, shouldCopyItemAt srcURL: URL, to dstURL: URL) -> Bool
  func fileManager(_ fileManager: FileManager, shouldProceedAfterError error: any Error, copyingItemAt srcURL: URL, to dstURL: URL) -> Bool
  func fileManager(_ fileManager: FileManager, shouldMoveItemAt srcURL: URL, to dstURL: URL) -> Bool
  func fileManager(_ fileManager: FileManager, shouldProceedAfterError error: any Error, movingItemAt srcURL: URL, to dstURL: URL) -> Bool
  func fileManager(_ fileManager: FileManager, shouldLinkItemAt srcURL: URL, to dstURL: URL) -> Bool
  func fileManager(_ fileManager: FileManager, shouldProceedAfterError error: any Error, linkingItemAt srcURL: URL, to dstURL: URL) -> Bool
  func fileManager(_ fileManager: FileManager, shouldRemoveItemAt URL: URL) -> Bool
  func fileManager(_ fileManager: FileManager, shouldProceedAfterError error: any Error, removingItemAt URL: URL) -> Bool
}

extension Date {
  struct ISO8601FormatStyle : Sendable {
    enum TimeZoneSeparator : String, Decodable & Encodable, Sendable {
      case colon
      case omitted
      typealias RawValue = String
    }
    enum DateSeparator : String, Decodable & Encodable, Sendable {
      case dash
      case omitted
      typealias RawValue = String
    }
    enum TimeSeparator : String, Decodable & Encodable, Sendable {
      case colon
      case omitted
      typealias RawValue = String
    }
    enum DateTimeSeparator : String, Decodable & Encodable, Sendable {
      case space
      case standard
      typealias RawValue = String
    }
    var componentsFormatStyle: DateComponents.ISO8601FormatStyle
  }
}

extension Date.ISO8601FormatStyle : FormatStyle {
  typealias FormatInput = Date
  typealias FormatOutput = String
}

extension Date.ISO8601FormatStyle : ParseStrategy {
  typealias ParseInput = String
  typealias ParseOutput = Date
}

extension Date.ISO8601FormatStyle : ParseableFormatStyle {
  typealias Strategy = Date.ISO8601FormatStyle
}

extension Date.ISO8601FormatStyle : CustomConsumingRegexComponent {
  typealias RegexOutput = Date
}

extension DateComponents {
  struct ISO8601FormatStyle : Hashable, Sendable, Decodable & Encodable {
    internal(set) var timeSeparator: Date.ISO8601FormatStyle.TimeSeparator
    internal(set) var includingFractionalSeconds: Bool
    internal(set) var timeZoneSeparator: Date.ISO8601FormatStyle.TimeZoneSeparator
    internal(set) var dateSeparator: Date.ISO8601FormatStyle.DateSeparator
    internal(set) var dateTimeSeparator: Date.ISO8601FormatStyle.DateTimeSeparator
    struct Fields : Decodable & Encodable, Hashable, OptionSet {
      var rawValue: UInt
      typealias ArrayLiteralElement = DateComponents.ISO8601FormatStyle.Fields
      typealias Element = DateComponents.ISO8601FormatStyle.Fields
      typealias RawValue = UInt
    }
    var _formatFields: DateComponents.ISO8601FormatStyle.Fields
    private(set) var _calendar: Calendar
    enum CodingKeys : String, CodingKey {
      case timeZoneSeparator
      case timeZone
      case fields
      case dateTimeSeparator
      case includingFractionalSeconds
      case dateSeparator
      case timeSeparator
      typealias RawValue = String
    }
    var timeZone: TimeZone
  }
}

extension DateComponents.ISO8601FormatStyle : FormatStyle {
  typealias FormatInput = DateComponents
  typealias FormatOutput = String
}

extension DateComponents.ISO8601FormatStyle {
  struct ComponentsParseResult {
    var consumed: Int
    var components: DateComponents
  }
}

extension DateComponents.ISO8601FormatStyle : ParseStrategy {
  typealias ParseInput = String
  typealias ParseOutput = DateComponents
}

extension DateComponents.ISO8601FormatStyle : ParseableFormatStyle {
  typealias Strategy = DateComponents.ISO8601FormatStyle
}

extension DateComponents.ISO8601FormatStyle : CustomConsumingRegexComponent {
  typealias RegexOutput = DateComponents
}

protocol DiscreteFormatStyle<FormatInput, FormatOutput> : FormatStyle {
  func discreteInput(before input: Self.FormatInput) -> Self.FormatInput?
  func discreteInput(after input: Self.FormatInput) -> Self.FormatInput?
  func input(before input: Self.FormatInput) -> Self.FormatInput?
  func input(after input: Self.FormatInput) -> Self.FormatInput?
}

protocol FormatStyle<FormatInput, FormatOutput> : Decodable, Encodable, Hashable {
  associatedtype FormatInput
  associatedtype FormatOutput
  func format(_ value: Self.FormatInput) -> Self.FormatOutput
  func locale(_ locale: Locale) -> Self
}

struct FormatterCache<Format, FormattingType> : Sendable where Format : Hashable, Format : Sendable, FormattingType : Sendable {
  let countLimit: Int
  let _lock: LockedState<[Format : FormattingType]>
}

protocol ParseStrategy : Decodable, Encodable, Hashable {
  associatedtype ParseInput
  associatedtype ParseOutput
  func parse(_ value: Self.ParseInput) throws -> Self.ParseOutput
}

protocol ParseableFormatStyle : FormatStyle {
  associatedtype Strategy : ParseStrategy where Self.FormatInput == Self.Strategy.ParseOutput, Self.FormatOutput == Self.Strategy.ParseInput
  var parseStrategy: Self.Strategy { get }
}

struct BufferView<Element> {
  let start: BufferViewIndex<Element>
  let count: Int
}

extension BufferView : Sequence {}

extension BufferView : Sendable {}

extension BufferView : Collection, BidirectionalCollection, RandomAccessCollection {
  typealias Element = Element
  typealias Index = BufferViewIndex<Element>
  typealias SubSequence = BufferView<Element>
  typealias Indices = Range<BufferViewIndex<Element>>
  typealias Iterator = BufferViewIterator<Element>
}

struct BufferViewIndex<Element> {
  let _rawValue: UnsafeRawPointer
}

extension BufferViewIndex : Equatable {}

extension BufferViewIndex : Hashable {}

extension BufferViewIndex : Strideable {
  typealias Stride = Int
}

extension BufferViewIndex : Comparable {}

extension BufferViewIndex : Sendable {}

struct BufferViewIterator<Element> {
  var curPointer: UnsafeRawPointer
  let endPointer: UnsafeRawPointer
}

extension BufferViewIterator : IteratorProtocol {
  typealias Element = Element
}

struct JSON5Scanner {
  let options: JSON5Scanner.Options
  var reader: JSON5Scanner.DocumentReader
  var depth: Int
  var partialMap: JSON5Scanner.JSONPartialMapData
  struct Options {
    var assumesTopLevelDictionary: Bool
  }
  struct JSONPartialMapData {
    var mapData: [Int]
    var prevMapDataSize: Int
  }
}

extension JSON5Scanner {
  struct DocumentReader {
    let bytes: BufferView<UInt8>
    private(set) var readIndex: BufferViewIndex<UInt8>
    let endIndex: BufferViewIndex<UInt8>
  }
}

class JSONDecoder {
  enum DateDecodingStrategy : Sendable {
    case deferredToDate
    case secondsSince1970
    case millisecondsSince1970
    case iso8601
    case custom(@Sendable (any Decoder) throws -> Date)
  }
  enum DataDecodingStrategy : Sendable {
    case deferredToData
    case base64
    case custom(@Sendable (any Decoder) throws -> Data)
  }
  enum NonConformingFloatDecodingStrategy : Sendable {
    case `throw`
    case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
  }
  enum KeyDecodingStrategy : Sendable {
    case useDefaultKeys
    case convertFromSnakeCase
    case custom(@Sendable ([any CodingKey]) -> any CodingKey)
  }
  var dateDecodingStrategy: JSONDecoder.DateDecodingStrategy { get set _modify }
  var dataDecodingStrategy: JSONDecoder.DataDecodingStrategy { get set _modify }
  var nonConformingFloatDecodingStrategy: JSONDecoder.NonConformingFloatDecodingStrategy { get set _modify }
  var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy { get set _modify }
  var userInfo: [CodingUserInfoKey : any Sendable] { get set _modify }
  var allowsJSON5: Bool { get set }
  final let assumesTopLevelDictionaryKey: CodingUserInfoKey
  var assumesTopLevelDictionary: Bool { get set }
  struct _Options {
    var dateDecodingStrategy: JSONDecoder.DateDecodingStrategy
    var dataDecodingStrategy: JSONDecoder.DataDecodingStrategy
    var nonConformingFloatDecodingStrategy: JSONDecoder.NonConformingFloatDecodingStrategy
    var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy
    var userInfo: [CodingUserInfoKey : any Sendable]
    var json5: Bool
  }
  var options: JSONDecoder._Options
  final let optionsLock: LockedState<()>
  init()
  var scannerOptions: JSONScanner.Options { get }
  var json5ScannerOptions: JSON5Scanner.Options { get }
  func decode<T>(_ type: T.Type, from data: Data) throws -> T where T : Decodable
  func decode<T>(_ type: T.Type, from data: Data, configuration: T.DecodingConfiguration) throws -> T where T : DecodableWithConfiguration
  func decode<T, C>(_ type: T.Type, from data: Data, configuration: C.Type) throws -> T where T : DecodableWithConfiguration, C : DecodingConfigurationProviding, T.DecodingConfiguration == C.DecodingConfiguration
  func _decode<T>(_ unwrap: (JSONDecoderImpl, JSONMap.Value) throws -> T, from data: Data) throws -> T
}

class JSONDecoderImpl {
  var values: [JSONMap.Value]
  final let userInfo: [CodingUserInfoKey : Any]
  var jsonMap: JSONMap
  final let options: JSONDecoder._Options
  var codingPathNode: _CodingPathNode
  var codingPath: [any CodingKey] { get }
  var topValue: JSONMap.Value { get }
  func push(value: __owned JSONMap.Value)
  func popValue()
  init(userInfo: [CodingUserInfoKey : Any], from map: JSONMap, codingPathNode: _CodingPathNode, options: JSONDecoder._Options)
  func withBuffer<T>(for region: JSONMap.Region, perform closure: @Sendable (BufferView<UInt8>, BufferView<UInt8>) throws -> T) rethrows -> T
  func takeOwnershipOfBackingDataIfNeeded(selfIsUniquelyReferenced: Bool)
}

extension JSONDecoderImpl : Decoder {}

extension JSONDecoderImpl : SingleValueDecodingContainer {}

extension JSONDecoderImpl {
  struct KeyedContainer<K> : KeyedDecodingContainerProtocol where K : CodingKey {
    typealias Key = K
    let impl: JSONDecoderImpl
    let codingPathNode: _CodingPathNode
    let dictionary: [String : JSONMap.Value]
  }
}

extension JSONDecoderImpl {
  struct UnkeyedContainer : UnkeyedDecodingContainer {
    let impl: JSONDecoderImpl
    var valueIterator: JSONMap.ArrayIterator
    var peekedValue: JSONMap.Value?
    let count: Int?
    var currentIndex: Int
    let codingPathNode: _CodingPathNode
  }
}

extension JSONDecoder : @unchecked Sendable {}

class JSONEncoder {
  struct OutputFormatting : OptionSet, Sendable {
    let rawValue: UInt
    typealias ArrayLiteralElement = JSONEncoder.OutputFormatting
    typealias Element = JSONEncoder.OutputFormatting
    typealias RawValue = UInt
  }
  enum DateEncodingStrategy : Sendable {
    case deferredToDate
    case secondsSince1970
    case millisecondsSince1970
    case iso8601
    case custom(@Sendable (Date, any Encoder) throws -> ())
  }
  enum DataEncodingStrategy : Sendable {
    case deferredToData
    case base64
    case custom(@Sendable (Data, any Encoder) throws -> ())
  }
  enum NonConformingFloatEncodingStrategy : Sendable {
    case `throw`
    case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
  }
  enum KeyEncodingStrategy : Sendable {
    case useDefaultKeys
    case convertToSnakeCase
    case custom(@Sendable ([any CodingKey]) -> any CodingKey)
  }
  var outputFormatting: JSONEncoder.OutputFormatting { get set _modify }
  var dateEncodingStrategy: JSONEncoder.DateEncodingStrategy { get set _modify }
  var dataEncodingStrategy: JSONEncoder.DataEncodingStrategy { get set _modify }
  var nonConformingFloatEncodingStrategy: JSONEncoder.NonConformingFloatEncodingStrategy { get set _modify }
  var keyEncodingStrategy: JSONEncoder.KeyEncodingStrategy { get set _modify }
  var userInfo: [CodingUserInfoKey : any Sendable] { get set _modify }
  struct _Options {
    var outputFormatting: JSONEncoder.OutputFormatting
    var dateEncodingStrategy: JSONEncoder.DateEncodingStrategy
    var dataEncodingStrategy: JSONEncoder.DataEncodingStrategy
    var nonConformingFloatEncodingStrategy: JSONEncoder.NonConformingFloatEncodingStrategy
    var keyEncodingStrategy: JSONEncoder.KeyEncodingStrategy
    var userInfo: [CodingUserInfoKey : any Sendable]
  }
  var options: JSONEncoder._Options
  final let optionsLock: LockedState<()>
  init()
  func encode<T>(_ value: T) throws -> Data where T : Encodable
  func encode<T>(_ value: T, configuration: T.EncodingConfiguration) throws -> Data where T : EncodableWithConfiguration
  func encode<T, C>(_ value: T, configuration: C.Type) throws -> Data where T : EncodableWithConfiguration, C : EncodingConfigurationProviding, T.EncodingConfiguration == C.EncodingConfiguration
  func _encode<T>(_ wrap: (__JSONEncoder) throws -> JSONEncoderValue?, value: T) throws -> Data
}

class __JSONEncoder : Encoder {
  var singleValue: JSONEncoderValue?
  var array: JSONFuture.RefArray?
  var object: JSONFuture.RefObject?
  func takeValue() -> JSONEncoderValue?
  final let options: JSONEncoder._Options
  var ownerEncoder: __JSONEncoder?
  var sharedSubEncoder: __JSONEncoder?
  var codingKey: (any CodingKey)?
  var userInfo: [CodingUserInfoKey : Any] { get }
  var codingPath: [any CodingKey] { get }
  init(options: JSONEncoder._Options, ownerEncoder: __JSONEncoder?, codingKey: (any CodingKey)? = _CodingKey?.none)
  func container<Key>(keyedBy: Key.Type) -> KeyedEncodingContainer<Key> where Key : CodingKey
  func unkeyedContainer() -> any UnkeyedEncodingContainer
  func singleValueContainer() -> any SingleValueEncodingContainer
}

enum JSONEncoderValue : Equatable {
  case string(String)
  case number(String)
  case bool(Bool)
  case null
  case array([JSONEncoderValue])
  case object([String : JSONEncoderValue])
  case directArray([UInt8], lengths: [Int])
  case nonPrettyDirectArray([UInt8])
}

enum JSONFuture {
  case value(JSONEncoderValue)
  case nestedArray(JSONFuture.RefArray)
  case nestedObject(JSONFuture.RefObject)
  class RefArray {
    private(set) var array: [JSONFuture]
    init()
    init(array: [JSONFuture])
    func append(_ element: JSONEncoderValue)
    func insert(_ element: JSONEncoderValue, at index: Int)
    func appendArray() -> JSONFuture.RefArray
    func appendObject() -> JSONFuture.RefObject
    var values: [JSONEncoderValue] { get }
  }
  class RefObject {
    var dict: [String : JSONFuture]
    init()
    init(dict: [String : JSONFuture])
    func set(_ value: JSONEncoderValue, for key: String)
    func setArray(for key: String) -> JSONFuture.RefArray
    func setObject(for key: String) -> JSONFuture.RefObject
    var values: [String : JSONEncoderValue] { get }
  }
}

extension __JSONEncoder : SingleValueEncodingContainer {}

extension JSONEncoder : @unchecked Sendable {}

class JSONMap {
  enum TypeDescriptor : Int {
    case string
    case number
    case null
    case `true`
    case `false`
    case object
    case array
    case collectionEnd
    case simpleString
    case numberContainingExponent
    typealias RawValue = Int
  }
  struct Region {
    let startOffset: Int
    let count: Int
  }
  enum Value {
    case string(JSONMap.Region, isSimple: Bool)
    case number(JSONMap.Region, containsExponent: Bool)
    case bool(Bool)
    case null
    case object(JSONMap.Region)
    case array(JSONMap.Region)
  }
  final let mapBuffer: [Int]
  var dataLock: LockedState<(buffer: BufferView<UInt8>, allocation: UnsafeRawPointer?)>
  init(mapBuffer: [Int], dataBuffer: BufferView<UInt8>)
  func copyInBuffer()
  func withBuffer<T>(for region: JSONMap.Region, perform closure: @Sendable (BufferView<UInt8>, BufferView<UInt8>) throws -> T) rethrows -> T
  func loadValue(at mapOffset: Int) -> JSONMap.Value?
  func offset(after previousValueOffset: Int) -> Int
  struct ArrayIterator {
    var currentOffset: Int
    let map: JSONMap
  }
  func makeArrayIterator(from offset: Int) -> JSONMap.ArrayIterator
  struct ObjectIterator {
    var currentOffset: Int
    let map: JSONMap
  }
  func makeObjectIterator(from offset: Int) -> JSONMap.ObjectIterator
}

struct JSONScanner {
  let options: JSONScanner.Options
  var reader: JSONScanner.DocumentReader
  var depth: Int
  var partialMap: JSONScanner.JSONPartialMapData
  struct Options {
    var assumesTopLevelDictionary: Bool
  }
  struct JSONPartialMapData {
    var mapData: [Int]
    var prevMapDataSize: Int
  }
}

extension JSONScanner {
  struct DocumentReader {
    let bytes: BufferView<UInt8>
    private(set) var readIndex: BufferViewIndex<UInt8>
    let endIndex: BufferViewIndex<UInt8>
  }
}

extension Locale {
  struct Components : Hashable, Decodable & Encodable, Sendable {
    var languageComponents: Locale.Language.Components
    var calendar: Calendar.Identifier?
    var collation: Locale.Collation?
    var currency: Locale.Currency?
    var numberingSystem: Locale.NumberingSystem?
    var firstDayOfWeek: Locale.Weekday?
    var hourCycle: Locale.HourCycle?
    var measurementSystem: Locale.MeasurementSystem?
    var region: Locale.Region?
    var subdivision: Locale.Subdivision?
    var timeZone: TimeZone?
    var variant: Locale.Variant?
    enum CodingKeys : CodingKey {
      case languageComponents
      case calendar
      case collation
      case currency
      case numberingSystem
      case firstDayOfWeek
      case hourCycle
      case measurementSystem
      case region
      case subdivision
      case timeZone
      case variant
    }
  }
}

extension Locale.LanguageCode : CustomDebugStringConvertible {}

extension Locale.Script : CustomDebugStringConvertible {}

extension Locale.Region : CustomDebugStringConvertible {}

extension Locale.Currency : CustomDebugStringConvertible {}

extension Locale.Collation : CustomDebugStringConvertible {}

extension Locale.NumberingSystem : CustomDebugStringConvertible {}

extension Locale.Subdivision : CustomDebugStringConvertible {}

extension Locale.Variant : CustomDebugStringConvertible {}

extension Locale.MeasurementSystem : CustomDebugStringConvertible {}

extension Locale {
  struct LanguageCode : Hashable, Decodable & Encodable, Sendable, ExpressibleByStringLiteral {
    var _identifier: String
    var _normalizedIdentifier: String
    enum IdentifierType : Sendable {
      case alpha2
      case alpha3
    }
    enum CodingKeys : CodingKey {
      case _normalizedIdentifier
      case _identifier
    }
    typealias ExtendedGraphemeClusterLiteralType = String
    typealias StringLiteralType = String
    typealias UnicodeScalarLiteralType = String
  }
  struct Script : Hashable, Decodable & Encodable, Sendable, ExpressibleByStringLiteral {
    var _identifier: String
    var _normalizedIdentifier: String
    enum CodingKeys : CodingKey {
      case _normalizedIdentifier
      case _identifier
    }
    typealias ExtendedGraphemeClusterLiteralType = String
    typealias StringLiteralType = String
    typealias UnicodeScalarLiteralType = String
  }
  struct Region : Hashable, Decodable & Encodable, Sendable, ExpressibleByStringLiteral {
    var _identifier: String
    var _normalizedIdentifier: String
    enum CodingKeys : CodingKey {
      case _normalizedIdentifier
      case _identifier
    }
    typealias ExtendedGraphemeClusterLiteralType = String
    typealias StringLiteralType = String
    typealias UnicodeScalarLiteralType = String
  }
  struct Collation : Hashable, Decodable & Encodable, Sendable, ExpressibleByStringLiteral {
    var _identifier: String
    var _normalizedIdentifier: String
    enum CodingKeys : CodingKey {
      case _normalizedIdentifier
      case _identifier
    }
    typealias ExtendedGraphemeClusterLiteralType = String
    typealias StringLiteralType = String
    typealias UnicodeScalarLiteralType = String
  }
  struct Currency : Hashable, Decodable & Encodable, Sendable, ExpressibleByStringLiteral {
    var _identifier: String
    var _normalizedIdentifier: String
    enum CodingKeys : CodingKey {
      case _normalizedIdentifier
      case _identifier
    }
    typealias ExtendedGraphemeClusterLiteralType = String
    typealias StringLiteralType = String
    typealias UnicodeScalarLiteralType = String
  }
  struct NumberingSystem : Hashable, Decodable & Encodable, Sendable, ExpressibleByStringLiteral {
    var _identifier: String
    var _normalizedIdentifier: String
    enum CodingKeys : CodingKey {
      case _normalizedIdentifier
      case _identifier
    }
    typealias ExtendedGraphemeClusterLiteralType = String
    typealias StringLiteralType = String
    typealias UnicodeScalarLiteralType = String
  }
  enum Weekday : String, Decodable & Encodable, Hashable, Sendable {
    case sunday
    case monday
    case tuesday
    case wednesday
    case thursday
    case friday
    case saturday
    typealias RawValue = String
  }
  enum HourCycle : String, Decodable & Encodable, Hashable, Sendable {
    case zeroToEleven
    case oneToTwelve
    case zeroToTwentyThree
    case oneToTwentyFour
    typealias RawValue = String
  }
  struct MeasurementSystem : Decodable & Encodable, Hashable, Sendable, ExpressibleByStringLiteral {
    var _identifier: String
    var _normalizedIdentifier: String
    enum CodingKeys : CodingKey {
      case _normalizedIdentifier
      case _identifier
    }
    typealias ExtendedGraphemeClusterLiteralType = String
    typealias StringLiteralType = String
    typealias UnicodeScalarLiteralType = String
  }
  struct Subdivision : Hashable, Decodable & Encodable, Sendable, ExpressibleByStringLiteral {
    var _identifier: String
    var _normalizedIdentifier: String
    enum CodingKeys : CodingKey {
      case _normalizedIdentifier
      case _identifier
    }
    typealias ExtendedGraphemeClusterLiteralType = String
    typealias StringLiteralType = String
    typealias UnicodeScalarLiteralType = String
  }
  struct Variant : Decodable & Encodable, Hashable, Sendable, ExpressibleByStringLiteral {
    var _identifier: String
    var _normalizedIdentifier: String
    enum CodingKeys : CodingKey {
      case _normalizedIdentifier
      case _identifier
    }
    typealias ExtendedGraphemeClusterLiteralType = String
    typealias StringLiteralType = String
    typealias UnicodeScalarLiteralType = String
  }
}

struct ICULegacyKey : Hashable {
  let key: String
}

struct ICUCLDRKey : Hashable {
  let key: String
}

extension Locale {
  struct Language : Hashable, Decodable & Encodable, Sendable {
    struct Components : Hashable, Decodable & Encodable, Sendable {
      var languageCode: Locale.LanguageCode?
      var script: Locale.Script?
      var region: Locale.Region?
      enum CodingKeys : CodingKey {
        case languageCode
        case script
        case region
      }
    }
    var components: Locale.Language.Components
    enum CodingKeys : CodingKey {
      case components
    }
  }
}

struct Locale : Hashable, Equatable, Sendable {
  enum LanguageDirection : UInt, Sendable {
    case unknown
    case leftToRight
    case rightToLeft
    case topToBottom
    case bottomToTop
    typealias RawValue = UInt
  }
  enum IdentifierType : Sendable {
    case icu
    case bcp47
    case cldr
  }
  var _locale: any _LocaleProtocol
}

extension Locale : CustomDebugStringConvertible, CustomStringConvertible, CustomReflectable {}

extension Locale : Decodable & Encodable {
  enum CodingKeys : Int, CodingKey {
    case identifier
    case current
    typealias RawValue = Int
  }
  enum Current : Int, Decodable & Encodable {
    case fixed
    case current
    case autoupdatingCurrent
    typealias RawValue = Int
  }
}

struct LocalePreferences : Hashable, Sendable {
  enum MeasurementUnit {
    case centimeters
    case inches
  }
  enum TemperatureUnit {
    case fahrenheit
    case celsius
  }
  var metricUnits: Bool?
  var languages: [String]?
  var locale: String?
  var collationOrder: String?
  var firstWeekday: [Calendar.Identifier : Int]?
  var minDaysInFirstWeek: [Calendar.Identifier : Int]?
  var numberSymbols: [UInt32 : String]?
  var country: String?
  var measurementUnits: LocalePreferences.MeasurementUnit?
  var temperatureUnit: LocalePreferences.TemperatureUnit?
  var force24Hour: Bool?
  var force12Hour: Bool?
}

protocol _LocaleProtocol : AnyObject, CustomDebugStringConvertible, Sendable {
  init(identifier: String, prefs: LocalePreferences?)
  init(name: String?, prefs: LocalePreferences, disableBundleMatching: Bool)
  init(components: Locale.Components)
  func copy(newCalendarIdentifier identifier: Calendar.Identifier) -> any _LocaleProtocol
  override var debugDescription: String { get }
  var isAutoupdating: Bool { get }
  var isBridged: Bool { get }
  var identifier: String { get }
  func identifierDisplayName(for value: String) -> String?
  func languageCodeDisplayName(for value: String) -> String?
  func countryCodeDisplayName(for regionCode: String) -> String?
  func scriptCodeDisplayName(for scriptCode: String) -> String?
  func variantCodeDisplayName(for variantCode: String) -> String?
  func calendarIdentifierDisplayName(for value: Calendar.Identifier) -> String?
  func currencyCodeDisplayName(for value: String) -> String?
  func currencySymbolDisplayName(for value: String) -> String?
  func collationIdentifierDisplayName(for value: String) -> String?
  func collatorIdentifierDisplayName(for collatorIdentifier: String) -> String?
  var languageCode: String? { get }
  var scriptCode: String? { get }
  var variantCode: String? { get }
  var regionCode: String? { get }
  var calendar: Calendar { get }
  var calendarIdentifier: Calendar.Identifier { get }
  var collationIdentifier: String? { get }
  var usesMetricSystem: Bool { get }
  var decimalSeparator: String? { get }
  var groupingSeparator: String? { get }
  var currencySymbol: String? { get }
  var currencyCode: String? { get }
  var collatorIdentifier: String? { get }
  var quotationBeginDelimiter: String? { get }
  var quotationEndDelimiter: String? { get }
  var alternateQuotationBeginDelimiter: String? { get }
  var alternateQuotationEndDelimiter: String? { get }
  var measurementSystem: Locale.MeasurementSystem { get }
  var currency: Locale.Currency? { get }
  var numberingSystem: Locale.NumberingSystem { get }
  var availableNumberingSystems: [Locale.NumberingSystem] { get }
  var firstDayOfWeek: Locale.Weekday { get }
  var weekendRange: WeekendRange? { get }
  var minimumDaysInFirstWeek: Int { get }
  var language: Locale.Language { get }
  var hourCycle: Locale.HourCycle { get }
  var collation: Locale.Collation { get }
  var region: Locale.Region? { get }
  var timeZone: TimeZone? { get }
  var subdivision: Locale.Subdivision? { get }
  var variant: Locale.Variant? { get }
  var temperatureUnit: LocalePreferences.TemperatureUnit { get }
  func identifier(_ type: Locale.IdentifierType) -> String
  var forceHourCycle: Locale.HourCycle? { get }
  func forceFirstWeekday(_ calendar: Calendar.Identifier) -> Locale.Weekday?
  func forceMinDaysInFirstWeek(_ calendar: Calendar.Identifier) -> Int?
  var forceMeasurementSystem: Locale.MeasurementSystem? { get }
  var forceTemperatureUnit: LocalePreferences.TemperatureUnit? { get }
  var prefs: LocalePreferences? { get }
  var identifierCapturingPreferences: String { get }
}

extension PredicateExpressions {
  struct SequenceMaximum<Elements> : PredicateExpression where Elements : PredicateExpression, Elements.Output : Sequence, Elements.Output.Element : Comparable {
    typealias Output = Optional<Elements.Output.Element>
    let elements: Elements
    enum CodingKeys : CodingKey {
      case elements
    }
  }
}

extension PredicateExpressions.SequenceMaximum : StandardPredicateExpression where Elements : StandardPredicateExpression {}

extension PredicateExpressions.SequenceMaximum : CustomStringConvertible {}

extension PredicateExpressions.SequenceMaximum : Decodable & Encodable where Elements : Decodable, Elements : Encodable {}

extension PredicateExpressions.SequenceMaximum : Sendable where Elements : Sendable {}

extension PredicateExpressions {
  struct SequenceMinimum<Elements> : PredicateExpression where Elements : PredicateExpression, Elements.Output : Sequence, Elements.Output.Element : Comparable {
    typealias Output = Optional<Elements.Output.Element>
    let elements: Elements
    enum CodingKeys : CodingKey {
      case elements
    }
  }
}

extension PredicateExpressions.SequenceMinimum : StandardPredicateExpression where Elements : StandardPredicateExpression {}

extension PredicateExpressions.SequenceMinimum : CustomStringConvertible {}

extension PredicateExpressions.SequenceMinimum : Decodable & Encodable where Elements : Decodable, Elements : Encodable {}

extension PredicateExpressions.SequenceMinimum : Sendable where Elements : Sendable {}

extension PredicateExpressions {
  enum ArithmeticOperator : Decodable & Encodable, Sendable {
    case add
    case subtract
    case multiply
    enum AddCodingKeys : CodingKey {}
    enum CodingKeys : CodingKey {
      case add
      case subtract
      case multiply
    }
    enum MultiplyCodingKeys : CodingKey {}
    enum SubtractCodingKeys : CodingKey {}
  }
  struct Arithmetic<LHS, RHS> : PredicateExpression where LHS : PredicateExpression, RHS : PredicateExpression, LHS.Output : Numeric, LHS.Output == RHS.Output {
    typealias Output = LHS.Output
    let op: PredicateExpressions.ArithmeticOperator
    let lhs: LHS
    let rhs: RHS
  }
}

extension PredicateExpressions.Arithmetic : StandardPredicateExpression where LHS : StandardPredicateExpression, RHS : StandardPredicateExpression {}

extension PredicateExpressions.Arithmetic : CustomStringConvertible {}

extension PredicateExpressions.Arithmetic : Decodable & Encodable where LHS : Decodable, LHS : Encodable, RHS : Decodable, RHS : Encodable {}

extension PredicateExpressions.Arithmetic : Sendable where LHS : Sendable, RHS : Sendable {}

extension PredicateExpressions {
  struct CollectionIndexSubscript<Wrapped, Index> : PredicateExpression where Wrapped : PredicateExpression, Index : PredicateExpression, Wrapped.Output : Collection, Index.Output == Wrapped.Output.Index {
    typealias Output = Wrapped.Output.Element
    let wrapped: Wrapped
    let index: Index
  }
}

extension PredicateExpressions.CollectionIndexSubscript : Sendable where Wrapped : Sendable, Index : Sendable {}

extension PredicateExpressions.CollectionIndexSubscript : CustomStringConvertible {}

extension PredicateExpressions.CollectionIndexSubscript : Decodable & Encodable where Wrapped : Decodable, Wrapped : Encodable, Index : Decodable, Index : Encodable {}

extension PredicateExpressions.CollectionIndexSubscript : StandardPredicateExpression where Wrapped : StandardPredicateExpression, Index : StandardPredicateExpression {}

extension PredicateExpressions {
  struct CollectionRangeSubscript<Wrapped, Range> : PredicateExpression where Wrapped : PredicateExpression, Range : PredicateExpression, Wrapped.Output : Collection, Range.Output == Range<Wrapped.Output.Index> {
    typealias Output = Wrapped.Output.SubSequence
    let wrapped: Wrapped
    let range: Range
  }
}

extension PredicateExpressions.CollectionRangeSubscript : CustomStringConvertible {}

extension PredicateExpressions.CollectionRangeSubscript : Sendable where Wrapped : Sendable, Range : Sendable {}

extension PredicateExpressions.CollectionRangeSubscript : Decodable & Encodable where Wrapped : Decodable, Wrapped : Encodable, Range : Decodable, Range : Encodable {}

extension PredicateExpressions.CollectionRangeSubscript : StandardPredicateExpression where Wrapped : StandardPredicateExpression, Range : StandardPredicateExpression {}

extension PredicateExpressions {
  struct CollectionContainsCollection<Base, Other> : PredicateExpression where Base : PredicateExpression, Other : PredicateExpression, Base.Output : Collection, Other.Output : Collection, Base.Output.Element : Equatable, Base.Output.Element == Other.Output.Element {
    typealias Output = Bool
    let base: Base
    let other: Other
  }
}

extension PredicateExpressions.CollectionContainsCollection : CustomStringConvertible {}

extension PredicateExpressions.CollectionContainsCollection : Sendable where Base : Sendable, Other : Sendable {}

extension PredicateExpressions.CollectionContainsCollection : Decodable & Encodable where Base : Decodable, Base : Encodable, Other : Decodable, Other : Encodable {}

extension PredicateExpressions.CollectionContainsCollection : StandardPredicateExpression where Base : StandardPredicateExpression, Other : StandardPredicateExpression {}

extension PredicateExpressions {
  enum ComparisonOperator : Decodable & Encodable, Sendable {
    case lessThan
    case lessThanOrEqual
    case greaterThan
    case greaterThanOrEqual
    enum CodingKeys : CodingKey {
      case lessThan
      case lessThanOrEqual
      case greaterThan
      case greaterThanOrEqual
    }
    enum GreaterThanCodingKeys : CodingKey {}
    enum GreaterThanOrEqualCodingKeys : CodingKey {}
    enum LessThanCodingKeys : CodingKey {}
    enum LessThanOrEqualCodingKeys : CodingKey {}
  }
  struct Comparison<LHS, RHS> : PredicateExpression where LHS : PredicateExpression, RHS : PredicateExpression, LHS.Output : Comparable, LHS.Output == RHS.Output {
    typealias Output = Bool
    let op: PredicateExpressions.ComparisonOperator
    let lhs: LHS
    let rhs: RHS
  }
}

extension PredicateExpressions.Comparison : CustomStringConvertible {}

extension PredicateExpressions.Comparison : StandardPredicateExpression where LHS : StandardPredicateExpression, RHS : StandardPredicateExpression {}

extension PredicateExpressions.Comparison : Decodable & Encodable where LHS : Decodable, LHS : Encodable, RHS : Decodable, RHS : Encodable {}

extension PredicateExpressions.Comparison : Sendable where LHS : Sendable, RHS : Sendable {}

extension PredicateExpressions {
  struct Conditional<Test, If, Else> : PredicateExpression where Test : PredicateExpression, If : PredicateExpression, Else : PredicateExpression, Test.Output == Bool, If.Output == Else.Output {
    typealias Output = If.Output
    let test: Test
    let trueBranch: If
    let falseBranch: Else
  }
}

extension PredicateExpressions.Conditional : CustomStringConvertible {}

extension PredicateExpressions.Conditional : StandardPredicateExpression where Test : StandardPredicateExpression, If : StandardPredicateExpression, Else : StandardPredicateExpression {}

extension PredicateExpressions.Conditional : Decodable & Encodable where Test : Decodable, Test : Encodable, If : Decodable, If : Encodable, Else : Decodable, Else : Encodable {}

extension PredicateExpressions.Conditional : Sendable where Test : Sendable, If : Sendable, Else : Sendable {}

extension PredicateExpressions {
  struct Conjunction<LHS, RHS> : PredicateExpression where LHS : PredicateExpression, RHS : PredicateExpression, LHS.Output == Bool, RHS.Output == Bool {
    typealias Output = Bool
    let lhs: LHS
    let rhs: RHS
  }
}

extension PredicateExpressions.Conjunction : CustomStringConvertible {}

extension PredicateExpressions.Conjunction : StandardPredicateExpression where LHS : StandardPredicateExpression, RHS : StandardPredicateExpression {}

extension PredicateExpressions.Conjunction : Decodable & Encodable where LHS : Decodable, LHS : Encodable, RHS : Decodable, RHS : Encodable {}

extension PredicateExpressions.Conjunction : Sendable where LHS : Sendable, RHS : Sendable {}

extension PredicateExpressions {
  struct DictionaryKeySubscript<Wrapped, Key, Value> : PredicateExpression where Wrapped : PredicateExpression, Key : PredicateExpression, Wrapped.Output == [Key.Output : Value], Key.Output : Hashable {
    typealias Output = Optional<Value>
    let wrapped: Wrapped
    let key: Key
  }
}

extension PredicateExpressions.DictionaryKeySubscript : CustomStringConvertible {}

extension PredicateExpressions.DictionaryKeySubscript : Sendable where Wrapped : Sendable, Key : Sendable {}

extension PredicateExpressions.DictionaryKeySubscript : Decodable & Encodable where Wrapped : Decodable, Wrapped : Encodable, Key : Decodable, Key : Encodable {}

extension PredicateExpressions.DictionaryKeySubscript : StandardPredicateExpression where Wrapped : StandardPredicateExpression, Key : StandardPredicateExpression {}

extension PredicateExpressions {
  struct DictionaryKeyDefaultValueSubscript<Wrapped, Key, Default> : PredicateExpression where Wrapped : PredicateExpression, Key : PredicateExpression, Default : PredicateExpression, Wrapped.Output == [Key.Output : Default.Output], Key.Output : Hashable {
    typealias Output = Default.Output
    let wrapped: Wrapped
    let key: Key
    let `default`: Default
  }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript : CustomStringConvertible {}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript : Sendable where Wrapped : Sendable, Key : Sendable, Default : Sendable {}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript : Decodable & Encodable where Wrapped : Decodable, Wrapped : Encodable, Key : Decodable, Key : Encodable, Default : Decodable, Default : Encodable {}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript : StandardPredicateExpression where Wrapped : StandardPredicateExpression, Key : StandardPredicateExpression, Default : StandardPredicateExpression {}

extension PredicateExpressions {
  struct Disjunction<LHS, RHS> : PredicateExpression where LHS : PredicateExpression, RHS : PredicateExpression, LHS.Output == Bool, RHS.Output == Bool {
    typealias Output = Bool
    let lhs: LHS
    let rhs: RHS
  }
}

extension PredicateExpressions.Disjunction : CustomStringConvertible {}

extension PredicateExpressions.Disjunction : StandardPredicateExpression where LHS : StandardPredicateExpression, RHS : StandardPredicateExpression {}

extension PredicateExpressions.Disjunction : Decodable & Encodable where LHS : Decodable, LHS : Encodable, RHS : Decodable, RHS : Encodable {}

extension PredicateExpressions.Disjunction : Sendable where LHS : Sendable, RHS : Sendable {}

extension PredicateExpressions {
  struct IntDivision<LHS, RHS> : PredicateExpression where LHS : PredicateExpression, RHS : PredicateExpression, LHS.Output : BinaryInteger, LHS.Output == RHS.Output {
    typealias Output = LHS.Output
    let lhs: LHS
    let rhs: RHS
  }
  struct IntRemainder<LHS, RHS> : PredicateExpression where LHS : PredicateExpression, RHS : PredicateExpression, LHS.Output : BinaryInteger, LHS.Output == RHS.Output {
    typealias Output = LHS.Output
    let lhs: LHS
    let rhs: RHS
  }
  struct FloatDivision<LHS, RHS> : PredicateExpression where LHS : PredicateExpression, RHS : PredicateExpression, LHS.Output : FloatingPoint, LHS.Output == RHS.Output {
    typealias Output = LHS.Output
    let lhs: LHS
    let rhs: RHS
  }
}

extension PredicateExpressions.FloatDivision : CustomStringConvertible {}

extension PredicateExpressions.IntDivision : CustomStringConvertible {}

extension PredicateExpressions.IntRemainder : CustomStringConvertible {}

extension PredicateExpressions.FloatDivision : StandardPredicateExpression where LHS : StandardPredicateExpression, RHS : StandardPredicateExpression {}

extension PredicateExpressions.IntRemainder : StandardPredicateExpression where LHS : StandardPredicateExpression, RHS : StandardPredicateExpression {}

extension PredicateExpressions.IntDivision : StandardPredicateExpression where LHS : StandardPredicateExpression, RHS : StandardPredicateExpression {}

extension PredicateExpressions.FloatDivision : Decodable & Encodable where LHS : Decodable, LHS : Encodable, RHS : Decodable, RHS : Encodable {}

extension PredicateExpressions.IntRemainder : Decodable & Encodable where LHS : Decodable, LHS : Encodable, RHS : Decodable, RHS : Encodable {}

extension PredicateExpressions.IntDivision : Decodable & Encodable where LHS : Decodable, LHS : Encodable, RHS : Decodable, RHS : Encodable {}

extension PredicateExpressions.FloatDivision : Sendable where LHS : Sendable, RHS : Sendable {}

extension PredicateExpressions.IntRemainder : Sendable where LHS : Sendable, RHS : Sendable {}

extension PredicateExpressions.IntDivision : Sendable where LHS : Sendable, RHS : Sendable {}

extension PredicateExpressions {
  struct Equal<LHS, RHS> : PredicateExpression where LHS : PredicateExpression, RHS : PredicateExpression, LHS.Output : Equatable, LHS.Output == RHS.Output {
    typealias Output = Bool
    let lhs: LHS
    let rhs: RHS
  }
}

extension PredicateExpressions.Equal : CustomStringConvertible {}

extension PredicateExpressions.Equal : StandardPredicateExpression where LHS : StandardPredicateExpression, RHS : StandardPredicateExpression {}

extension PredicateExpressions.Equal : Decodable & Encodable where LHS : Decodable, LHS : Encodable, RHS : Decodable, RHS : Encodable {}

extension PredicateExpressions.Equal : Sendable where LHS : Sendable, RHS : Sendable {}

extension PredicateExpressions {
  struct ExpressionEvaluate<Transformation, each Input, Output> : PredicateExpression where Transformation : PredicateExpression, repeat each Input : PredicateExpression, Transformation.Output == Expression<repeat (each Input).Output, Output> {
    let expression: Transformation
    let input: (repeat each Input)
    typealias Output = Output
  }
}

extension PredicateExpressions.ExpressionEvaluate : CustomStringConvertible {}

extension PredicateExpressions.ExpressionEvaluate : StandardPredicateExpression where Transformation : StandardPredicateExpression, repeat each Input : StandardPredicateExpression {}

extension PredicateExpressions.ExpressionEvaluate : Decodable & Encodable where Transformation : Decodable, Transformation : Encodable, repeat each Input : Decodable, repeat each Input : Encodable {}

extension PredicateExpressions.ExpressionEvaluate : Sendable where Transformation : Sendable, repeat each Input : Sendable {}

extension PredicateExpressions {
  struct Filter<LHS, RHS> : PredicateExpression where LHS : PredicateExpression, RHS : PredicateExpression, LHS.Output : Sequence, RHS.Output == Bool {
    typealias Element = LHS.Output.Element
    typealias Output = [LHS.Output.Element]
    let sequence: LHS
    let filter: RHS
    let variable: PredicateExpressions.Variable<LHS.Output.Element>
  }
}

extension PredicateExpressions.Filter : CustomStringConvertible {}

extension PredicateExpressions.Filter : StandardPredicateExpression where LHS : StandardPredicateExpression, RHS : StandardPredicateExpression {}

extension PredicateExpressions.Filter : Decodable & Encodable where LHS : Decodable, LHS : Encodable, RHS : Decodable, RHS : Encodable {}

extension PredicateExpressions.Filter : Sendable where LHS : Sendable, RHS : Sendable {}

extension PredicateExpressions {
  struct NotEqual<LHS, RHS> : PredicateExpression where LHS : PredicateExpression, RHS : PredicateExpression, LHS.Output : Equatable, LHS.Output == RHS.Output {
    typealias Output = Bool
    let lhs: LHS
    let rhs: RHS
  }
}

extension PredicateExpressions.NotEqual : CustomStringConvertible {}

extension PredicateExpressions.NotEqual : StandardPredicateExpression where LHS : StandardPredicateExpression, RHS : StandardPredicateExpression {}

extension PredicateExpressions.NotEqual : Decodable & Encodable where LHS : Decodable, LHS : Encodable, RHS : Decodable, RHS : Encodable {}

extension PredicateExpressions.NotEqual : Sendable where LHS : Sendable, RHS : Sendable {}

extension PredicateExpressions {
  struct Negation<Wrapped> : PredicateExpression where Wrapped : PredicateExpression, Wrapped.Output == Bool {
    typealias Output = Bool
    let wrapped: Wrapped
  }
}

extension PredicateExpressions.Negation : CustomStringConvertible {}

extension PredicateExpressions.Negation : StandardPredicateExpression where Wrapped : StandardPredicateExpression {}

extension PredicateExpressions.Negation : Decodable & Encodable where Wrapped : Decodable, Wrapped : Encodable {}

extension PredicateExpressions.Negation : Sendable where Wrapped : Sendable {}

extension PredicateExpressions {
  struct OptionalFlatMap<LHS, Wrapped, RHS, Result> : PredicateExpression where LHS : PredicateExpression, RHS : PredicateExpression, LHS.Output == Wrapped? {
    typealias Output = Optional<Result>
    let wrapped: LHS
    let transform: RHS
    let variable: PredicateExpressions.Variable<Wrapped>
  }
  struct NilCoalesce<LHS, RHS> : PredicateExpression where LHS : PredicateExpression, RHS : PredicateExpression, LHS.Output == RHS.Output? {
    typealias Output = RHS.Output
    let lhs: LHS
    let rhs: RHS
  }
  struct ForcedUnwrap<Inner, Wrapped> : PredicateExpression where Inner : PredicateExpression, Inner.Output == Wrapped? {
    typealias Output = Wrapped
    let inner: Inner
  }
}

extension PredicateExpressions.OptionalFlatMap : CustomStringConvertible {}

extension PredicateExpressions.NilCoalesce : CustomStringConvertible {}

extension PredicateExpressions.ForcedUnwrap : CustomStringConvertible {}

extension PredicateExpressions.OptionalFlatMap : StandardPredicateExpression where LHS : StandardPredicateExpression, RHS : StandardPredicateExpression {}

extension PredicateExpressions.NilCoalesce : StandardPredicateExpression where LHS : StandardPredicateExpression, RHS : StandardPredicateExpression {}

extension PredicateExpressions.ForcedUnwrap : StandardPredicateExpression where Inner : StandardPredicateExpression {}

extension PredicateExpressions.OptionalFlatMap : Decodable & Encodable where LHS : Decodable, LHS : Encodable, RHS : Decodable, RHS : Encodable {}

extension PredicateExpressions.NilCoalesce : Decodable & Encodable where LHS : Decodable, LHS : Encodable, RHS : Decodable, RHS : Encodable {}

extension PredicateExpressions.ForcedUnwrap : Decodable & Encodable where Inner : Decodable, Inner : Encodable {}

extension PredicateExpressions.OptionalFlatMap : Sendable where LHS : Sendable, RHS : Sendable {}

extension PredicateExpressions.NilCoalesce : Sendable where LHS : Sendable, RHS : Sendable {}

extension PredicateExpressions.ForcedUnwrap : Sendable where Inner : Sendable {}

extension PredicateExpressions {
  struct NilLiteral<Wrapped> : StandardPredicateExpression, Decodable & Encodable, Sendable {
    typealias Output = Optional<Wrapped>
  }
}

extension PredicateExpressions {
  struct Range<LHS, RHS> : PredicateExpression where LHS : PredicateExpression, RHS : PredicateExpression, LHS.Output : Comparable, LHS.Output == RHS.Output {
    typealias Output = Range<LHS.Output>
    let lower: LHS
    let upper: RHS
  }
}

extension PredicateExpressions.Range : CustomStringConvertible {}

extension PredicateExpressions.Range : StandardPredicateExpression where LHS : StandardPredicateExpression, RHS : StandardPredicateExpression {}

extension PredicateExpressions.Range : Decodable & Encodable where LHS : Decodable, LHS : Encodable, RHS : Decodable, RHS : Encodable {}

extension PredicateExpressions.Range : Sendable where LHS : Sendable, RHS : Sendable {}

extension PredicateExpressions {
  struct ClosedRange<LHS, RHS> : PredicateExpression where LHS : PredicateExpression, RHS : PredicateExpression, LHS.Output : Comparable, LHS.Output == RHS.Output {
    typealias Output = ClosedRange<LHS.Output>
    let lower: LHS
    let upper: RHS
  }
}

extension PredicateExpressions.ClosedRange : CustomStringConvertible {}

extension PredicateExpressions.ClosedRange : StandardPredicateExpression where LHS : StandardPredicateExpression, RHS : StandardPredicateExpression {}

extension PredicateExpressions.ClosedRange : Decodable & Encodable where LHS : Decodable, LHS : Encodable, RHS : Decodable, RHS : Encodable {}

extension PredicateExpressions.ClosedRange : Sendable where LHS : Sendable, RHS : Sendable {}

extension PredicateExpressions {
  struct RangeExpressionContains<RangeExpression, Element> : PredicateExpression where RangeExpression : PredicateExpression, Element : PredicateExpression, RangeExpression.Output : RangeExpression, Element.Output == RangeExpression.Output.Bound {
    typealias Output = Bool
    let range: RangeExpression
    let element: Element
  }
}

extension PredicateExpressions.RangeExpressionContains : CustomStringConvertible {}

extension PredicateExpressions.RangeExpressionContains : StandardPredicateExpression where RangeExpression : StandardPredicateExpression, Element : StandardPredicateExpression {}

extension PredicateExpressions.RangeExpressionContains : Decodable & Encodable where RangeExpression : Decodable, RangeExpression : Encodable, Element : Decodable, Element : Encodable {}

extension PredicateExpressions.RangeExpressionContains : Sendable where RangeExpression : Sendable, Element : Sendable {}

extension PredicateExpressions {
  struct StringContainsRegex<Subject, Regex> : PredicateExpression, CustomStringConvertible where Subject : PredicateExpression, Regex : PredicateExpression, Subject.Output : BidirectionalCollection, Regex.Output : RegexComponent, Subject.Output.SubSequence == Substring {
    typealias Output = Bool
    let subject: Subject
    let regex: Regex
  }
}

extension PredicateExpressions {
  struct PredicateRegex : Sendable, Decodable & Encodable, RegexComponent, CustomStringConvertible {
    struct _Storage : @unchecked Sendable {
      let regex: Regex<AnyRegexOutput>
    }
    let _storage: PredicateExpressions.PredicateRegex._Storage
    let stringRepresentation: String
    typealias RegexOutput = AnyRegexOutput
  }
}

extension PredicateExpressions.StringContainsRegex : Sendable where Subject : Sendable, Regex : Sendable {}

extension PredicateExpressions.StringContainsRegex : Decodable & Encodable where Subject : Decodable, Subject : Encodable, Regex : Decodable, Regex : Encodable {}

extension PredicateExpressions.StringContainsRegex : StandardPredicateExpression where Subject : StandardPredicateExpression, Regex : StandardPredicateExpression {}

extension PredicateExpressions {
  struct SequenceContains<LHS, RHS> : PredicateExpression where LHS : PredicateExpression, RHS : PredicateExpression, LHS.Output : Sequence, RHS.Output : Equatable, RHS.Output == LHS.Output.Element {
    typealias Output = Bool
    let sequence: LHS
    let element: RHS
  }
  struct SequenceContainsWhere<LHS, RHS> : PredicateExpression where LHS : PredicateExpression, RHS : PredicateExpression, LHS.Output : Sequence, RHS.Output == Bool {
    typealias Element = LHS.Output.Element
    typealias Output = Bool
    let sequence: LHS
    let test: RHS
    let variable: PredicateExpressions.Variable<LHS.Output.Element>
  }
  struct SequenceAllSatisfy<LHS, RHS> : PredicateExpression where LHS : PredicateExpression, RHS : PredicateExpression, LHS.Output : Sequence, RHS.Output == Bool {
    typealias Element = LHS.Output.Element
    typealias Output = Bool
    let sequence: LHS
    let test: RHS
    let variable: PredicateExpressions.Variable<LHS.Output.Element>
  }
  struct SequenceStartsWith<Base, Prefix> : PredicateExpression where Base : PredicateExpression, Prefix : PredicateExpression, Base.Output : Sequence, Prefix.Output : Sequence, Base.Output.Element : Equatable, Base.Output.Element == Prefix.Output.Element {
    typealias Output = Bool
    let base: Base
    let prefix: Prefix
  }
}

extension PredicateExpressions.SequenceContains : CustomStringConvertible {}

extension PredicateExpressions.SequenceContainsWhere : CustomStringConvertible {}

extension PredicateExpressions.SequenceAllSatisfy : CustomStringConvertible {}

extension PredicateExpressions.SequenceContains : StandardPredicateExpression where LHS : StandardPredicateExpression, RHS : StandardPredicateExpression {}

extension PredicateExpressions.SequenceContainsWhere : StandardPredicateExpression where LHS : StandardPredicateExpression, RHS : StandardPredicateExpression {}

extension PredicateExpressions.SequenceAllSatisfy : StandardPredicateExpression where LHS : StandardPredicateExpression, RHS : StandardPredicateExpression {}

extension PredicateExpressions.SequenceStartsWith : StandardPredicateExpression where Base : StandardPredicateExpression, Prefix : StandardPredicateExpression {}

extension PredicateExpressions.SequenceContains : Decodable & Encodable where LHS : Decodable, LHS : Encodable, RHS : Decodable, RHS : Encodable {}

extension PredicateExpressions.SequenceContainsWhere : Decodable & Encodable where LHS : Decodable, LHS : Encodable, RHS : Decodable, RHS : Encodable {}

extension PredicateExpressions.SequenceAllSatisfy : Decodable & Encodable where LHS : Decodable, LHS : Encodable, RHS : Decodable, RHS : Encodable {}

extension PredicateExpressions.SequenceStartsWith : Decodable & Encodable where Base : Decodable, Base : Encodable, Prefix : Decodable, Prefix : Encodable {}

extension PredicateExpressions.SequenceContains : Sendable where LHS : Sendable, RHS : Sendable {}

extension PredicateExpressions.SequenceContainsWhere : Sendable where LHS : Sendable, RHS : Sendable {}

extension PredicateExpressions.SequenceAllSatisfy : Sendable where LHS : Sendable, RHS : Sendable {}

extension PredicateExpressions.SequenceStartsWith : Sendable where Base : Sendable, Prefix : Sendable {}

extension PredicateExpressions {
  struct ConditionalCast<Input, Desired> : PredicateExpression where Input : PredicateExpression {
    typealias Output = Optional<Desired>
    let input: Input
  }
  struct ForceCast<Input, Desired> : PredicateExpression where Input : PredicateExpression {
    typealias Output = Desired
    let input: Input
  }
  struct TypeCheck<Input, Desired> : PredicateExpression where Input : PredicateExpression {
    typealias Output = Bool
    let input: Input
  }
}

extension PredicateExpressions.ConditionalCast : CustomStringConvertible {}

extension PredicateExpressions.ForceCast : CustomStringConvertible {}

extension PredicateExpressions.TypeCheck : CustomStringConvertible {}

extension PredicateExpressions.ConditionalCast : StandardPredicateExpression where Input : StandardPredicateExpression {}

extension PredicateExpressions.ForceCast : StandardPredicateExpression where Input : StandardPredicateExpression {}

extension PredicateExpressions.TypeCheck : StandardPredicateExpression where Input : StandardPredicateExpression {}

extension PredicateExpressions.ConditionalCast : Decodable & Encodable where Input : Decodable, Input : Encodable {}

extension PredicateExpressions.ForceCast : Decodable & Encodable where Input : Decodable, Input : Encodable {}

extension PredicateExpressions.TypeCheck : Decodable & Encodable where Input : Decodable, Input : Encodable {}

extension PredicateExpressions.ConditionalCast : Sendable where Input : Sendable {}

extension PredicateExpressions.ForceCast : Sendable where Input : Sendable {}

extension PredicateExpressions.TypeCheck : Sendable where Input : Sendable {}

extension PredicateExpressions {
  struct UnaryMinus<Wrapped> : PredicateExpression where Wrapped : PredicateExpression, Wrapped.Output : SignedNumeric {
    typealias Output = Wrapped.Output
    let wrapped: Wrapped
  }
}

extension PredicateExpressions.UnaryMinus : CustomStringConvertible {}

extension PredicateExpressions.UnaryMinus : StandardPredicateExpression where Wrapped : StandardPredicateExpression {}

extension PredicateExpressions.UnaryMinus : Decodable & Encodable where Wrapped : Decodable, Wrapped : Encodable {}

extension PredicateExpressions.UnaryMinus : Sendable where Wrapped : Sendable {}

struct Expression<each Input, Output> : Sendable {
  let expression: any StandardPredicateExpression<Output>
  let variable: (repeat PredicateExpressions.Variable<each Input>)
}

struct DebugStringConversionState {
  var variables: [PredicateExpressions.VariableID : String]
  var nextVariable: Int
  var captures: [String]
  var nextCapture: Int
}

protocol DebugStringConvertiblePredicateExpression : StandardPredicateExpression {
  func debugString(state: inout DebugStringConversionState) -> String
}

extension PredicateExpressions.Variable : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.KeyPath : DebugStringConvertiblePredicateExpression where Root : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.Value : DebugStringConvertiblePredicateExpression where Output : Decodable, Output : Encodable {}

extension PredicateExpressions.Conjunction : DebugStringConvertiblePredicateExpression where LHS : DebugStringConvertiblePredicateExpression, RHS : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.Disjunction : DebugStringConvertiblePredicateExpression where LHS : DebugStringConvertiblePredicateExpression, RHS : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.Equal : DebugStringConvertiblePredicateExpression where LHS : DebugStringConvertiblePredicateExpression, RHS : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.NotEqual : DebugStringConvertiblePredicateExpression where LHS : DebugStringConvertiblePredicateExpression, RHS : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.Arithmetic : DebugStringConvertiblePredicateExpression where LHS : DebugStringConvertiblePredicateExpression, RHS : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.Comparison : DebugStringConvertiblePredicateExpression where LHS : DebugStringConvertiblePredicateExpression, RHS : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.UnaryMinus : DebugStringConvertiblePredicateExpression where Wrapped : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.SequenceMinimum : DebugStringConvertiblePredicateExpression where Elements : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.SequenceMaximum : DebugStringConvertiblePredicateExpression where Elements : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.ClosedRange : DebugStringConvertiblePredicateExpression where LHS : DebugStringConvertiblePredicateExpression, RHS : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.Range : DebugStringConvertiblePredicateExpression where LHS : DebugStringConvertiblePredicateExpression, RHS : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.Conditional : DebugStringConvertiblePredicateExpression where Test : DebugStringConvertiblePredicateExpression, If : DebugStringConvertiblePredicateExpression, Else : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.CollectionIndexSubscript : DebugStringConvertiblePredicateExpression where Wrapped : DebugStringConvertiblePredicateExpression, Index : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.CollectionRangeSubscript : DebugStringConvertiblePredicateExpression where Wrapped : DebugStringConvertiblePredicateExpression, Range : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.CollectionContainsCollection : DebugStringConvertiblePredicateExpression where Base : DebugStringConvertiblePredicateExpression, Other : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.ConditionalCast : DebugStringConvertiblePredicateExpression where Input : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.ForceCast : DebugStringConvertiblePredicateExpression where Input : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.TypeCheck : DebugStringConvertiblePredicateExpression where Input : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.ForcedUnwrap : DebugStringConvertiblePredicateExpression where Inner : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.OptionalFlatMap : DebugStringConvertiblePredicateExpression where LHS : DebugStringConvertiblePredicateExpression, RHS : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.DictionaryKeySubscript : DebugStringConvertiblePredicateExpression where Wrapped : DebugStringConvertiblePredicateExpression, Key : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript : DebugStringConvertiblePredicateExpression where Wrapped : DebugStringConvertiblePredicateExpression, Key : DebugStringConvertiblePredicateExpression, Default : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.FloatDivision : DebugStringConvertiblePredicateExpression where LHS : DebugStringConvertiblePredicateExpression, RHS : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.IntDivision : DebugStringConvertiblePredicateExpression where LHS : DebugStringConvertiblePredicateExpression, RHS : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.IntRemainder : DebugStringConvertiblePredicateExpression where LHS : DebugStringConvertiblePredicateExpression, RHS : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.Negation : DebugStringConvertiblePredicateExpression where Wrapped : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.NilCoalesce : DebugStringConvertiblePredicateExpression where LHS : DebugStringConvertiblePredicateExpression, RHS : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.NilLiteral : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.RangeExpressionContains : DebugStringConvertiblePredicateExpression where RangeExpression : DebugStringConvertiblePredicateExpression, Element : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.SequenceContains : DebugStringConvertiblePredicateExpression where LHS : DebugStringConvertiblePredicateExpression, RHS : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.SequenceStartsWith : DebugStringConvertiblePredicateExpression where Base : DebugStringConvertiblePredicateExpression, Prefix : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.SequenceContainsWhere : DebugStringConvertiblePredicateExpression where LHS : DebugStringConvertiblePredicateExpression, RHS : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.SequenceAllSatisfy : DebugStringConvertiblePredicateExpression where LHS : DebugStringConvertiblePredicateExpression, RHS : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.Filter : DebugStringConvertiblePredicateExpression where LHS : DebugStringConvertiblePredicateExpression, RHS : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.StringContainsRegex : DebugStringConvertiblePredicateExpression where Subject : DebugStringConvertiblePredicateExpression, Regex : DebugStringConvertiblePredicateExpression {}

extension PredicateExpressions.ExpressionEvaluate : DebugStringConvertiblePredicateExpression where Transformation : DebugStringConvertiblePredicateExpression, repeat each Input : DebugStringConvertiblePredicateExpression {}

extension Predicate : CustomStringConvertible {}

extension Expression : CustomStringConvertible {}

extension Predicate : CustomDebugStringConvertible {}

extension Expression : CustomDebugStringConvertible {}

struct Predicate<each Input> : Sendable {
  let expression: any StandardPredicateExpression<Bool>
  let variable: (repeat PredicateExpressions.Variable<each Input>)
}

@frozen enum PredicateExpressions {}

extension PredicateExpressions : Sendable {}

struct PredicateBindings {
  var storage: [(id: PredicateExpressions.VariableID, value: Any)]
}

extension PredicateBindings : Sendable {}

protocol PredicateExpression<Output> {
  associatedtype Output
  func evaluate(_ bindings: PredicateBindings) throws -> Self.Output
}

protocol StandardPredicateExpression<Output> : PredicateExpression, Decodable, Encodable, Sendable {}

struct PredicateError : Error, Hashable, CustomDebugStringConvertible {
  enum _Error : Hashable, Sendable {
    case undefinedVariable
    case forceUnwrapFailure(String?)
    case forceCastFailure(String?)
    case invalidInput(String?)
  }
  let _error: PredicateError._Error
}

extension PredicateExpressions {
  struct VariableID : Hashable, Decodable & Encodable, Sendable {
    let id: UInt
  }
  struct Variable<Output> : StandardPredicateExpression {
    let key: PredicateExpressions.VariableID
    enum CodingKeys : CodingKey {
      case key
    }
    typealias Output = Output
  }
  struct KeyPath<Root, Output> : PredicateExpression where Root : PredicateExpression {
    let root: Root
    let keyPath: any KeyPath<Root.Output, Output> & Sendable
    typealias Output = Output
  }
  struct Value<Output> : PredicateExpression {
    let value: Output
    typealias Output = Output
  }
}

extension PredicateExpressions.KeyPath : Decodable & Encodable where Root : Decodable, Root : Encodable {
  enum CodingKeys : CodingKey {
    case root
    case identifier
  }
}

extension PredicateExpressions.KeyPath : Sendable where Root : Sendable {}

extension PredicateExpressions.KeyPath : StandardPredicateExpression where Root : StandardPredicateExpression {}

extension PredicateExpressions.KeyPath : CustomStringConvertible {}

extension PredicateExpressions.Value : Decodable & Encodable where Output : Decodable, Output : Encodable {}

extension PredicateExpressions.Value : Sendable where Output : Sendable {}

extension PredicateExpressions.Value : StandardPredicateExpression where Output : Decodable, Output : Encodable {}

extension PredicateExpressions.Value : CustomStringConvertible {}

extension PredicateExpressions.Variable : CustomStringConvertible {}

extension PredicateExpressions.KeyPath {
  enum CommonKeyPathKind : Hashable, Sendable {
    case collectionCount
    case collectionIsEmpty
    case collectionFirst
    case bidirectionalCollectionLast
  }
}

final class ProcessInfo : Sendable {
  final let _processInfo: _ProcessInfo
  init()
}

struct OperatingSystemVersion : Hashable, Decodable & Encodable, Sendable {
  let majorVersion: Int
  let minorVersion: Int
  let patchVersion: Int
  enum CodingKeys : CodingKey {
    case majorVersion
    case minorVersion
    case patchVersion
  }
}

final class _ProcessInfo : Sendable {
  final let state: LockedState<_ProcessInfo.State>
  final let _hostName: LockedState<String?>
  init()
}

extension _ProcessInfo {
  struct State {
    var processName: String?
    var arguments: [String]?
  }
}

struct _BPlistEncodingFormat : PlistEncodingFormat {
  final class Reference : PlistEncodingReference {
    enum Backing {
      case string(String, hash: Int, isASCII: Bool)
      case `true`
      case `false`
      case null
      case uint64(UInt64)
      case shorterOrSignedInteger(Int64)
      case double(Double)
      case float(Float)
      case array(ContiguousArray<_BPlistEncodingFormat.Reference>)
      case dictionary(OrderedDictionary<_BPlistEncodingFormat.Reference, _BPlistEncodingFormat.Reference>)
      case dateAsTimeInterval(Double)
      case data(Data)
    }
    final var backing: _BPlistEncodingFormat.Reference.Backing
    final var bplistObjectIdx: Int
    init(_ backing: _BPlistEncodingFormat.Reference.Backing)
  }
  struct Writer : PlistWriting {
    enum Marker : UInt8 {
      case `false`
      case `true`
      case int
      case real
      case date
      case data
      case asciiString
      case utf16String
      case array
      case dict
      typealias RawValue = UInt8
    }
    var objectOffsets: [Int]
    var objectRefSize: UInt8
    var scratchBuffer: UnsafeMutableBufferPointer<UInt8>
    var scratchUsed: Int
    var data: Data
    typealias Reference = _BPlistEncodingFormat.Reference
  }
  let null: _BPlistEncodingFormat.Reference
  let `true`: _BPlistEncodingFormat.Reference
  let `false`: _BPlistEncodingFormat.Reference
  var uniquingSet: Set<_BPlistEncodingFormat.Reference>
  var uniquingTester: _BPlistEncodingFormat.Reference
}

extension _BPlistEncodingFormat.Reference : Hashable {}

class PropertyListDecoder {
  enum PropertyListFormat : UInt, Sendable {
    case xml
    case binary
    case openStep
    typealias RawValue = UInt
  }
  var userInfo: [CodingUserInfoKey : any Sendable] { get set _modify }
  struct _Options {
    var userInfo: [CodingUserInfoKey : any Sendable]
  }
  var options: PropertyListDecoder._Options
  final let optionsLock: LockedState<()>
  init()
  func decode<T>(_ type: T.Type, from data: Data) throws -> T where T : Decodable
  func decode<T>(_ type: T.Type, from data: Data, format: inout PropertyListDecoder.PropertyListFormat) throws -> T where T : Decodable
  func decode<T>(_ type: T.Type, from data: Data, configuration: T.DecodingConfiguration) throws -> T where T : DecodableWithConfiguration
  func decode<T, C>(_ type: T.Type, from data: Data, configuration: C.Type) throws -> T where T : DecodableWithConfiguration, C : DecodingConfigurationProviding, T.DecodingConfiguration == C.DecodingConfiguration
  func decode<T, C>(_ type: T.Type, from data: Data, format: inout PropertyListDecoder.PropertyListFormat, configuration: C.Type) throws -> T where T : DecodableWithConfiguration, C : DecodingConfigurationProviding, T.DecodingConfiguration == C.DecodingConfiguration
  func decode<T>(_ type: T.Type, from data: Data, format: inout PropertyListDecoder.PropertyListFormat, configuration: T.DecodingConfiguration) throws -> T where T : DecodableWithConfiguration
  func _decode<T>(_ doDecode: (any _PlistDecoderEntryPointProtocol) throws -> T, from data: Data, format: inout PropertyListDecoder.PropertyListFormat) throws -> T
}

extension PropertyListDecoder : @unchecked Sendable {}

protocol _PlistDecoderEntryPointProtocol {
  func decode<T>(_ type: T.Type) throws -> T where T : Decodable
  func decode<T>(_ type: T.Type, configuration: T.DecodingConfiguration) throws -> T where T : DecodableWithConfiguration
}

class PropertyListEncoder {
  var outputFormat: PropertyListDecoder.PropertyListFormat { get set _modify }
  var userInfo: [CodingUserInfoKey : any Sendable] { get set _modify }
  struct _Options {
    var outputFormat: PropertyListDecoder.PropertyListFormat
    var userInfo: [CodingUserInfoKey : any Sendable]
  }
  var options: PropertyListEncoder._Options
  final let optionsLock: LockedState<()>
  init()
  func encode<Value>(_ value: Value) throws -> Data where Value : Encodable
  func _encodeBPlist<Value>(_ value: Value) throws -> Data where Value : Encodable
  func _encodeXML<Value>(_ value: Value) throws -> Data where Value : Encodable
  func encode<T>(_ value: T, configuration: T.EncodingConfiguration) throws -> Data where T : EncodableWithConfiguration
  func _encodeBPlist<T>(_ value: T, configuration: T.EncodingConfiguration) throws -> Data where T : EncodableWithConfiguration
  func _encodeXML<T>(_ value: T, configuration: T.EncodingConfiguration) throws -> Data where T : EncodableWithConfiguration
  func encode<T, C>(_ value: T, configuration: C.Type) throws -> Data where T : EncodableWithConfiguration, C : EncodingConfigurationProviding, T.EncodingConfiguration == C.EncodingConfiguration
  func encodeToTopLevelContainerBPlist<Value>(_ value: Value) throws -> _BPlistEncodingFormat.Reference where Value : Encodable
  func encodeToTopLevelContainerXML<Value>(_ value: Value) throws -> _XMLPlistEncodingFormat.Reference where Value : Encodable
  func encodeToTopLevelContainerBPlist<Value>(_ value: Value, configuration: Value.EncodingConfiguration) throws -> _BPlistEncodingFormat.Reference where Value : EncodableWithConfiguration
  func encodeToTopLevelContainerXML<Value>(_ value: Value, configuration: Value.EncodingConfiguration) throws -> _XMLPlistEncodingFormat.Reference where Value : EncodableWithConfiguration
}

extension PropertyListEncoder : @unchecked Sendable {}

protocol PlistEncodingReference {
  static var emptyArray: Self { get }
  static var emptyDictionary: Self { get }
  func insert(_ ref: Self, for key: Self)
  func insert(_ ref: Self, at index: Int)
  func insert(_ ref: Self)
  var count: Int { get }
  subscript(key: Self) -> Self? { get }
  var isBool: Bool { get }
  var isString: Bool { get }
  var isNumber: Bool { get }
  var isDate: Bool { get }
  var isDictionary: Bool { get }
  var isArray: Bool { get }
}

protocol PlistWriting<Reference> {
  associatedtype Reference : PlistEncodingReference
  init()
  mutating func serializePlist(_ ref: Self.Reference) throws -> Data
}

protocol PlistEncodingFormat {
  associatedtype Reference where Self.Reference == Self.Writer.Reference
  associatedtype Writer : PlistWriting
  init()
  var null: Self.Reference { get }
  var `true`: Self.Reference { get }
  var `false`: Self.Reference { get }
  mutating func string(_ str: String) -> Self.Reference
  mutating func number(from num: some FixedWidthInteger) -> Self.Reference
  mutating func number(from num: some BinaryFloatingPoint) -> Self.Reference
  mutating func date(_ date: Date) -> Self.Reference
  mutating func data(_ data: Data) -> Self.Reference
}

struct _XMLPlistEncodingFormat : PlistEncodingFormat {
  enum Reference : PlistEncodingReference {
    class Box<T> {
      var boxed: T
      init(_ t: T)
    }
    case null
    case `true`
    case `false`
    case string(String)
    case unsignedInteger(UInt64)
    case signedInteger(Int64)
    case floatingPoint(Double)
    case date(Date)
    case data(Data)
    case array(_XMLPlistEncodingFormat.Reference.Box<ContiguousArray<_XMLPlistEncodingFormat.Reference>>)
    case dictionary(_XMLPlistEncodingFormat.Reference.Box<[_XMLPlistEncodingFormat.Reference : _XMLPlistEncodingFormat.Reference]>)
  }
  struct Writer : PlistWriting {
    var scratchBuffer: UnsafeMutableBufferPointer<UInt8>
    var scratchUsed: Int
    var data: Data
    typealias Reference = _XMLPlistEncodingFormat.Reference
  }
  let null: _XMLPlistEncodingFormat.Reference
  let `true`: _XMLPlistEncodingFormat.Reference
  let `false`: _XMLPlistEncodingFormat.Reference
}

extension _XMLPlistEncodingFormat.Reference : Hashable {}

extension _XMLPlistEncodingFormat.Reference : Comparable {}

extension String {
  struct Encoding : RawRepresentable, Sendable, Equatable {
    var rawValue: UInt
    typealias RawValue = UInt
  }
}

extension String.Encoding : Hashable {}

extension String.Encoding : CustomStringConvertible {}

extension String {
  struct CompareOptions : OptionSet, Sendable {
    let rawValue: UInt
    typealias ArrayLiteralElement = String.CompareOptions
    typealias Element = String.CompareOptions
    typealias RawValue = UInt
  }
}

extension String {
  enum _NormalizationType {
    case canonical
    case hfsPlus
  }
}

extension UnsafeBufferPointer {
  enum DecompositionError : Error {
    case insufficientSpace
    case illegalScalar
    case decodingError
  }
}

extension String {
  struct _BlockSearchingOptions : OptionSet {
    let rawValue: Int
    typealias ArrayLiteralElement = String._BlockSearchingOptions
    typealias Element = String._BlockSearchingOptions
    typealias RawValue = Int
  }
}

extension UInt8 {
  typealias UTF8Representation = (UInt8, UInt8, UInt8)
}

struct TimeZone : Hashable, Equatable, Sendable {
  var _tz: any _TimeZoneProtocol
}

extension TimeZone {
  enum NameStyle : Int, Sendable {
    case standard
    case shortStandard
    case daylightSaving
    case shortDaylightSaving
    case generic
    case shortGeneric
    typealias RawValue = Int
  }
}

extension TimeZone : CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension TimeZone : Decodable & Encodable {
  enum CodingKeys : Int, CodingKey {
    case identifier
    case autoupdating
    typealias RawValue = Int
  }
}

extension TimeZone {
  enum DaylightSavingTimePolicy {
    case former
    case latter
  }
}

final class _TimeZoneGMT : _TimeZoneProtocol, @unchecked Sendable {
  final let offset: Int
  final let name: String
  required init?(identifier: String)
  required init?(secondsFromGMT: Int)
}

protocol _TimeZoneProtocol : AnyObject, CustomDebugStringConvertible, Sendable {
  init?(secondsFromGMT: Int)
  init?(identifier: String)
  var identifier: String { get }
  func secondsFromGMT(for date: Date) -> Int
  var fixedOffsetFromGMT: Int? { get }
  func rawAndDaylightSavingTimeOffset(for date: Date, repeatedTimePolicy: TimeZone.DaylightSavingTimePolicy, skippedTimePolicy: TimeZone.DaylightSavingTimePolicy) -> (rawOffset: Int, daylightSavingOffset: Double)
  func abbreviation(for date: Date) -> String?
  func isDaylightSavingTime(for date: Date) -> Bool
  func daylightSavingTimeOffset(for date: Date) -> Double
  func nextDaylightSavingTimeTransition(after date: Date) -> Date?
  func localizedName(for style: TimeZone.NameStyle, locale: Locale?) -> String?
  var data: Data? { get }
  var isAutoupdating: Bool { get }
  override var debugDescription: String { get }
  func hash(into hasher: inout Hasher)
}

struct URLResourceKey {}

struct URL : Equatable, Sendable, Hashable {
  let _url: _SwiftURL
  var _padding: URLParseInfo?
}

extension URL {
  enum PathStyle : Sendable {
    case posix
    case windows
  }
}

extension URL {
  enum DirectoryHint : Sendable {
    case isDirectory
    case notDirectory
    case checkFileSystem
    case inferFromPath
  }
}

extension URL : CustomStringConvertible, CustomDebugStringConvertible {}

extension URL : Decodable & Encodable {
  enum CodingKeys : Int, CodingKey {
    case base
    case relative
    typealias RawValue = Int
  }
}

final class _SwiftURL : Sendable, Hashable, Equatable {
  typealias Parser = RFC3986Parser
  final let _parseInfo: URLParseInfo
  final let _baseURL: URL?
  final let _encoding: String.Encoding
  init?(stringOrEmpty: String, relativeTo base: URL? = nil, encodingInvalidCharacters: Bool = true, encoding: String.Encoding = .utf8, compatibility: Bool = false, forceBaseURL: Bool = false)
  convenience init?(string: String)
  convenience init?(string: String, relativeTo base: URL?)
  convenience init?(string: String, encodingInvalidCharacters: Bool)
  convenience init?(stringOrEmpty: String, relativeTo base: URL?)
  convenience init(fileURLWithPath path: String, isDirectory: Bool, relativeTo base: URL?)
  convenience init(fileURLWithPath path: String, relativeTo base: URL?)
  convenience init(fileURLWithPath path: String, isDirectory: Bool)
  convenience init(fileURLWithPath path: String)
  convenience init(filePath path: String, directoryHint: URL.DirectoryHint = .inferFromPath, relativeTo base: URL? = nil)
  init(filePath path: String, pathStyle: URL.PathStyle, directoryHint: URL.DirectoryHint = .inferFromPath, relativeTo base: URL? = nil)
  init(url: _SwiftURL)
  convenience init?(dataRepresentation: Data, relativeTo base: URL?, isAbsolute: Bool)
  convenience init(fileURLWithFileSystemRepresentation path: UnsafePointer<Int8>, isDirectory: Bool, relativeTo base: URL?)
  struct URLStringBuilder {
    typealias Parser = RFC3986Parser
    var scheme: String?
    var user: String?
    var password: String?
    var host: String?
    var portString: String?
    var path: String
    var query: String?
    var fragment: String?
  }
}

struct URLComponents : Hashable, Equatable, Sendable {
  var components: URLComponents._URLComponents
  enum InvalidComponentError : Error {
    case scheme
    case user
    case password
    case host
    case port
    case path
    case query
    case queryItem
    case fragment
  }
  enum Component {
    case scheme
    case user
    case password
    case host
    case port
    case path
    case query
    case queryItem
    case fragment
  }
  struct _URLComponents : Sendable {
    typealias Parser = RFC3986Parser
    var urlParseInfo: URLParseInfo?
    var parseInfoIsValidForAllRanges: Bool
    var parseInfoIsValidForScheme: Bool
    var parseInfoIsValidForUser: Bool
    var parseInfoIsValidForPassword: Bool
    var parseInfoIsValidForHost: Bool
    var parseInfoIsValidForPort: Bool
    var parseInfoIsValidForPath: Bool
    var parseInfoIsValidForQuery: Bool
    var parseInfoIsValidForFragment: Bool
    var _scheme: String?
    var _user: String?
    var _password: String?
    var _host: String?
    var _port: Int?
    var _path: String?
    var _query: String?
    var _fragment: String?
    var didPercentEncodeHost: Bool
    var didSetInvalidHost: Bool
  }
}

extension URLComponents : CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

struct URLQueryItem : Hashable, Equatable, Sendable {
  var name: String
  var value: String?
}

extension URLQueryItem : CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension URLComponents : Decodable & Encodable {
  enum CodingKeys : Int, CodingKey {
    case scheme
    case user
    case password
    case host
    case port
    case path
    case query
    case fragment
    typealias RawValue = Int
  }
}

final class URLParseInfo : Sendable {
  final let urlString: String
  final let schemeRange: Range<String.Index>?
  final let userRange: Range<String.Index>?
  final let passwordRange: Range<String.Index>?
  final let hostRange: Range<String.Index>?
  final let portRange: Range<String.Index>?
  final let pathRange: Range<String.Index>?
  final let queryRange: Range<String.Index>?
  final let fragmentRange: Range<String.Index>?
  final let isIPLiteral: Bool
  final let didPercentEncodeHost: Bool
  final let pathHasFileID: Bool
  struct EncodedComponentSet : OptionSet {
    let rawValue: UInt8
    typealias ArrayLiteralElement = URLParseInfo.EncodedComponentSet
    typealias Element = URLParseInfo.EncodedComponentSet
    typealias RawValue = UInt8
  }
  final let encodedComponents: URLParseInfo.EncodedComponentSet
  init(urlString: String, schemeRange: Range<String.Index>?, userRange: Range<String.Index>?, passwordRange: Range<String.Index>?, hostRange: Range<String.Index>?, portRange: Range<String.Index>?, pathRange: Range<String.Index>?, queryRange: Range<String.Index>?, fragmentRange: Range<String.Index>?, isIPLiteral: Bool, didPercentEncodeHost: Bool, pathHasFileID: Bool, encodedComponents: URLParseInfo.EncodedComponentSet)
}

protocol UIDNAHook {
  static func encode(_ host: some StringProtocol) -> String?
  static func decode(_ host: some StringProtocol) -> String?
}

struct RFC3986Parser {
  typealias InvalidComponentSet = URLParseInfo.EncodedComponentSet
}

extension URL.Template {
  struct Expression : Sendable, Hashable {
    var `operator`: URL.Template.Expression.Operator?
    var elements: [URL.Template.Expression.Element]
    struct Element : Sendable, Hashable {
      var name: URL.Template.VariableName
      var maximumLength: Int?
      var explode: Bool
    }
    enum Operator : String, Sendable, Hashable {
      case reserved
      case fragment
      case nameLabel
      case pathSegment
      case pathParameter
      case queryComponent
      case continuation
      typealias RawValue = String
    }
  }
}

extension URL.Template {
  struct InvalidExpression : Error {
    var text: String
  }
}

extension URL.Template.Expression : CustomStringConvertible {}

extension URL.Template.Expression.Element : CustomStringConvertible {}

extension URL.Template {
  final class Global : @unchecked Sendable {
    final let operatorRegex: Regex<(Substring, Substring?)>
    final let separatorRegex: Regex<Substring>
    final let elementRegex: Regex<(Substring, Substring, Substring?, Substring?)>
    final let uriTemplateRegex: Regex<(Substring, Substring)>
    init()
  }
}

extension URL.Template.Expression.Operator {
  enum AllowedCharacters {
    case unreserved
    case unreservedReserved
  }
}

extension URL.Template {
  struct Value : Sendable, Hashable {
    let underlying: URL.Template.Value.Underlying
  }
}

extension URL.Template.Value : ExpressibleByStringLiteral {
  typealias ExtendedGraphemeClusterLiteralType = String
  typealias StringLiteralType = String
  typealias UnicodeScalarLiteralType = String
}

extension URL.Template.Value : ExpressibleByArrayLiteral {
  typealias ArrayLiteralElement = String
}

extension URL.Template.Value : ExpressibleByDictionaryLiteral {
  typealias Key = String
  typealias Value = String
}

extension URL.Template.Value : CustomStringConvertible {}

extension URL.Template.Value {
  enum Underlying : Sendable, Hashable {
    case text(String)
    case list([String])
    case associativeList(OrderedDictionary<String, String>)
  }
}

extension URL.Template {
  struct VariableName : Sendable, Hashable {
    let key: String
  }
}

extension URL.Template.VariableName : CustomStringConvertible {}

extension URL {
  struct Template : Sendable, Hashable {
    var elements: [URL.Template.Element]
    enum Element : Sendable, Hashable {
      case literal(String)
      case expression(URL.Template.Expression)
    }
  }
}

extension URL.Template : CustomStringConvertible {}

extension URL.Template.Element : CustomStringConvertible {}


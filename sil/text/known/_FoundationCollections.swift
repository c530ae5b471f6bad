// _FoundationCollections, of Linux: written by scripts/known-declarations.

@frozen struct _HashTable {
  var _storage: _HashTable.Storage
}

extension _HashTable {
  final class Storage : ManagedBuffer<_HashTable.Header, UInt64> {}
}

extension _HashTable {
  @frozen struct Bucket {
    var offset: Int
  }
}

extension _HashTable.Bucket : Equatable {}

extension _HashTable {
  struct BucketIterator {
    typealias Bucket = _HashTable.Bucket
    let _hashTable: _HashTable.UnsafeHandle
    var _currentBucket: _HashTable.Bucket
    var _currentRawValue: UInt64
    var _nextBits: UInt64
    var _remainingBitCount: Int
    var _wrappedAround: Bool
  }
}

extension _HashTable.UnsafeHandle {
  typealias BucketIterator = _HashTable.BucketIterator
}

extension _HashTable.Header : CustomStringConvertible {}

extension _HashTable.UnsafeHandle : CustomStringConvertible {}

extension _HashTable : CustomStringConvertible {}

extension _HashTable.Storage : CustomStringConvertible {}

extension _HashTable {
  struct Header {
    var _scaleAndSeed: UInt64
    var _reservedScaleAndBias: UInt64
  }
}

extension _HashTable.Bucket : CustomStringConvertible {}

extension _HashTable.BucketIterator : CustomStringConvertible {}

extension _HashTable {
  @frozen struct UnsafeHandle {
    typealias Bucket = _HashTable.Bucket
    var _header: UnsafeMutablePointer<_HashTable.Header>
    var _buckets: UnsafeMutablePointer<UInt64>
  }
}

@frozen struct OrderedDictionary<Key, Value> where Key : Hashable {
  var _keys: OrderedSet<Key>
  var _values: ContiguousArray<Value>
}

extension OrderedDictionary {
  typealias Index = Int
}

extension OrderedDictionary : Encodable where Key : Encodable, Value : Encodable {}

extension OrderedDictionary : Decodable where Key : Decodable, Value : Decodable {}

extension OrderedDictionary : CustomReflectable {}

extension OrderedDictionary : CustomStringConvertible {}

extension OrderedDictionary : CustomDebugStringConvertible {}

extension OrderedDictionary.Elements {
  @frozen struct SubSequence {
    var _base: OrderedDictionary<Key, Value>
    var _bounds: Range<Int>
  }
}

extension OrderedDictionary.Elements.SubSequence : Sendable where Key : Sendable, Value : Sendable {}

extension OrderedDictionary.Elements.SubSequence : CustomStringConvertible {}

extension OrderedDictionary.Elements.SubSequence : CustomDebugStringConvertible {}

extension OrderedDictionary.Elements.SubSequence : Sequence {
  typealias Element = (key: Key, value: Value)
  @frozen struct Iterator : IteratorProtocol {
    var _base: OrderedDictionary<Key, Value>
    var _end: Int
    var _index: Int
    typealias Element = (key: Key, value: Value)
  }
}

extension OrderedDictionary.Elements.SubSequence.Iterator : Sendable where Key : Sendable, Value : Sendable {}

extension OrderedDictionary.Elements.SubSequence : RandomAccessCollection {
  typealias Index = Int
  typealias Indices = Range<Int>
  typealias SubSequence = OrderedDictionary<Key, Value>.Elements.SubSequence
}

extension OrderedDictionary {
  @frozen struct Elements {
    var _base: OrderedDictionary<Key, Value>
  }
}

extension OrderedDictionary.Elements : Sendable where Key : Sendable, Value : Sendable {}

extension OrderedDictionary.Elements : Sequence {
  typealias Element = (key: Key, value: Value)
  typealias Iterator = OrderedDictionary<Key, Value>.Iterator
}

extension OrderedDictionary.Elements : RandomAccessCollection {
  typealias Index = Int
  typealias Indices = Range<Int>
}

extension OrderedDictionary.Elements : CustomStringConvertible {}

extension OrderedDictionary.Elements : CustomDebugStringConvertible {}

extension OrderedDictionary.Elements : CustomReflectable {}

extension OrderedDictionary.Elements : Equatable where Value : Equatable {}

extension OrderedDictionary.Elements : Hashable where Value : Hashable {}

extension OrderedDictionary : Equatable where Value : Equatable {}

extension OrderedDictionary : ExpressibleByDictionaryLiteral {
  typealias Key = Key
  typealias Value = Value
}

extension OrderedDictionary : Hashable where Value : Hashable {}

extension OrderedDictionary : @unchecked Sendable where Key : Sendable, Value : Sendable {}

extension OrderedDictionary : Sequence {
  typealias Element = (key: Key, value: Value)
  @frozen struct Iterator : IteratorProtocol {
    let _base: OrderedDictionary<Key, Value>
    var _position: Int
    typealias Element = (key: Key, value: Value)
  }
}

extension OrderedDictionary.Iterator : Sendable where Key : Sendable, Value : Sendable {}

extension OrderedDictionary {
  @frozen struct Values {
    var _base: OrderedDictionary<Key, Value>
  }
}

extension OrderedDictionary.Values : Sendable where Key : Sendable, Value : Sendable {}

extension OrderedDictionary.Values : CustomStringConvertible {}

extension OrderedDictionary.Values : CustomDebugStringConvertible {}

extension OrderedDictionary.Values : Sequence {
  typealias Element = Value
  typealias Iterator = IndexingIterator<OrderedDictionary<Key, Value>.Values>
}

extension OrderedDictionary.Values : RandomAccessCollection {
  typealias Index = Int
  typealias Indices = Range<Int>
}

extension OrderedDictionary.Values : MutableCollection {
  typealias SubSequence = Slice<OrderedDictionary<Key, Value>.Values>
}

extension OrderedDictionary.Values : Equatable where Value : Equatable {}

extension OrderedDictionary.Values : Hashable where Value : Hashable {}

extension OrderedSet : Encodable where Element : Encodable {}

extension OrderedSet : Decodable where Element : Decodable {}

extension OrderedSet : CustomReflectable {}

extension OrderedSet : CustomStringConvertible {}

extension OrderedSet : CustomDebugStringConvertible {}

extension OrderedSet : Equatable {}

extension OrderedSet : ExpressibleByArrayLiteral {
  typealias ArrayLiteralElement = Element
}

extension OrderedSet : Hashable {}

extension OrderedSet : Sequence {
  typealias Iterator = IndexingIterator<OrderedSet<Element>>
  typealias Element = Element
}

extension OrderedSet : RandomAccessCollection {
  typealias Index = Int
  typealias Indices = Range<Int>
}

extension OrderedSet : _UniqueCollection {}

extension OrderedSet : @unchecked Sendable where Element : Sendable {}

extension OrderedSet {
  @frozen struct SubSequence {
    var _base: OrderedSet<Element>
    var _bounds: Range<Int>
  }
}

extension OrderedSet.SubSequence : Sendable where Element : Sendable {}

extension OrderedSet.SubSequence : CustomStringConvertible {}

extension OrderedSet.SubSequence : CustomDebugStringConvertible {}

extension OrderedSet.SubSequence : Sequence {
  typealias Element = Element
  typealias Iterator = IndexingIterator<OrderedSet<Element>.SubSequence>
}

extension OrderedSet.SubSequence : _UniqueCollection {}

extension OrderedSet.SubSequence : RandomAccessCollection {
  typealias Index = Int
  typealias Indices = Range<Int>
  typealias SubSequence = OrderedSet<Element>.SubSequence
}

extension OrderedSet.SubSequence : Equatable {}

extension OrderedSet.SubSequence : Hashable {}

extension OrderedSet {
  @frozen struct UnorderedView {
    var _base: OrderedSet<Element>
  }
}

extension OrderedSet.UnorderedView : Sendable where Element : Sendable {}

extension OrderedSet.UnorderedView : CustomStringConvertible {}

extension OrderedSet.UnorderedView : CustomDebugStringConvertible {}

extension OrderedSet.UnorderedView : CustomReflectable {}

extension OrderedSet.UnorderedView : Equatable {}

extension OrderedSet.UnorderedView : Hashable {}

extension OrderedSet.UnorderedView : ExpressibleByArrayLiteral {
  typealias ArrayLiteralElement = Element
}

extension OrderedSet.UnorderedView : SetAlgebra {
  typealias Element = Element
}

extension OrderedSet {
  @frozen struct _UnstableInternals {
    typealias _Bucket = _HashTable.Bucket
    var base: OrderedSet<Element>
  }
}

extension OrderedSet._UnstableInternals : Sendable where Element : Sendable {}

@frozen struct OrderedSet<Element> where Element : Hashable {
  typealias _Bucket = _HashTable.Bucket
  var __storage: _HashTable.Storage?
  var _elements: ContiguousArray<Element>
}

protocol _StringMetric : RopeMetric where Self.Element == BigString._Chunk {
  func distance(from start: String.Index, to end: String.Index, in chunk: BigString._Chunk) -> Int
  func formIndex(_ i: inout String.Index, offsetBy distance: inout Int, in chunk: BigString._Chunk) -> (found: Bool, forward: Bool)
}

extension BigString {
  struct _CharacterMetric : _StringMetric {
    typealias Element = BigString._Chunk
    typealias Summary = BigString.Summary
  }
  struct _UnicodeScalarMetric : _StringMetric {
    typealias Element = BigString._Chunk
  }
  struct _UTF8Metric : _StringMetric {
    typealias Element = BigString._Chunk
  }
  struct _UTF16Metric : _StringMetric {
    typealias Element = BigString._Chunk
  }
}

extension BigString {
  struct Index : Sendable {
    typealias _Rope = Rope<BigString._Chunk>
    var _rawBits: UInt64
    var _rope: Rope<BigString._Chunk>.Index?
  }
}

extension BigString.Index : Equatable {}

extension BigString.Index : Comparable {}

extension BigString.Index : Hashable {}

extension BigString.Index : CustomStringConvertible {}

extension BigString {
  struct Summary {
    private(set) var characters: Int
    private(set) var unicodeScalars: Int
    private(set) var utf16: Int
    private(set) var utf8: Int
  }
}

extension BigString.Summary : CustomStringConvertible {}

extension BigString.Summary : RopeSummary {}

struct BigString : Sendable {
  typealias _Rope = Rope<BigString._Chunk>
  var _rope: Rope<BigString._Chunk>
}

extension BigString {
  struct ChunkIterator {
    var base: Rope<BigString._Chunk>.Iterator
  }
}

extension BigString.ChunkIterator : IteratorProtocol {
  typealias Element = String
}

extension BigString {
  struct _Ingester {
    typealias _Chunk = BigString._Chunk
    typealias Counts = BigString._Chunk.Counts
    var input: Substring
    var start: String.Index
    var state: Unicode._CharacterRecognizer
  }
}

extension BigString {
  struct Builder {
    typealias _Chunk = BigString._Chunk
    typealias _Ingester = BigString._Ingester
    typealias _Rope = Rope<BigString._Chunk>
    var base: Rope<BigString._Chunk>.Builder
    var suffixStartState: Unicode._CharacterRecognizer
    var prefixEndState: Unicode._CharacterRecognizer
  }
}

extension BigString._Chunk {
  typealias States = (increment: Int, old: Unicode._CharacterRecognizer, new: Unicode._CharacterRecognizer)
  enum InsertResult {
    case inline((increment: Int, old: Unicode._CharacterRecognizer, new: Unicode._CharacterRecognizer)?)
    case split(spawn: BigString._Chunk, endStates: (increment: Int, old: Unicode._CharacterRecognizer, new: Unicode._CharacterRecognizer)?)
    case large
  }
}

extension BigString._Chunk {
  struct Counts : Equatable {
    var utf8: UInt8
    var utf16: UInt8
    var unicodeScalars: UInt8
    var _characters: UInt8
    var _prefix: UInt8
    var _suffix: UInt8
  }
}

extension BigString {
  struct _Chunk {
    typealias Slice = (string: Substring, characters: Int, prefix: Int, suffix: Int)
    var string: String
    var counts: BigString._Chunk.Counts
  }
}

extension BigString._Chunk : CustomStringConvertible {}

extension BigString._Chunk : RopeElement {
  typealias Summary = BigString.Summary
  typealias Index = String.Index
}

extension BigString {
  struct UnicodeScalarView : Sendable {
    var _base: BigString
  }
}

extension BigString.UnicodeScalarView : ExpressibleByStringLiteral {
  typealias ExtendedGraphemeClusterLiteralType = String
  typealias StringLiteralType = String
  typealias UnicodeScalarLiteralType = String
}

extension BigString.UnicodeScalarView : CustomStringConvertible {}

extension BigString.UnicodeScalarView : CustomDebugStringConvertible {}

extension BigString.UnicodeScalarView : Equatable {}

extension BigString.UnicodeScalarView : Hashable {}

extension BigString.UnicodeScalarView : Sequence {
  typealias Element = Unicode.Scalar
  struct Iterator {
    let _base: BigString
    var _index: BigString.Index
  }
}

extension BigString.UnicodeScalarView.Iterator : IteratorProtocol {
  typealias Element = Unicode.Scalar
}

extension BigString.UnicodeScalarView : BidirectionalCollection {
  typealias Index = BigString.Index
  typealias SubSequence = BigSubstring.UnicodeScalarView
  typealias Indices = DefaultIndices<BigString.UnicodeScalarView>
}

extension BigString.UnicodeScalarView : RangeReplaceableCollection {}

extension BigString {
  struct UTF8View : Sendable {
    var _base: BigString
  }
}

extension BigString.UTF8View : Equatable {}

extension BigString.UTF8View : Hashable {}

extension BigString.UTF8View : Sequence {
  typealias Element = UInt8
  struct Iterator {
    let _base: BigString
    var _index: BigString.Index
  }
}

extension BigString.UTF8View.Iterator : IteratorProtocol {
  typealias Element = UInt8
}

extension BigString.UTF8View : BidirectionalCollection {
  typealias Index = BigString.Index
  typealias SubSequence = BigSubstring.UTF8View
  typealias Indices = DefaultIndices<BigString.UTF8View>
}

extension BigSubstring {
  struct UnicodeScalarView : Sendable {
    var _base: BigString
    var _bounds: Range<BigString.Index>
  }
}

extension BigSubstring.UnicodeScalarView : ExpressibleByStringLiteral {
  typealias ExtendedGraphemeClusterLiteralType = String
  typealias StringLiteralType = String
  typealias UnicodeScalarLiteralType = String
}

extension BigSubstring.UnicodeScalarView : CustomStringConvertible {}

extension BigSubstring.UnicodeScalarView : CustomDebugStringConvertible {}

extension BigSubstring.UnicodeScalarView : Equatable {}

extension BigSubstring.UnicodeScalarView : Hashable {}

extension BigSubstring.UnicodeScalarView : Sequence {
  typealias Element = Unicode.Scalar
  struct Iterator : IteratorProtocol {
    var _it: BigString.UnicodeScalarView.Iterator
    let _end: BigString.Index
    typealias Element = Unicode.Scalar
  }
}

extension BigSubstring.UnicodeScalarView : BidirectionalCollection {
  typealias Index = BigString.Index
  typealias SubSequence = BigSubstring.UnicodeScalarView
  typealias Indices = DefaultIndices<BigSubstring.UnicodeScalarView>
}

extension BigSubstring.UnicodeScalarView : RangeReplaceableCollection {}

struct BigSubstring : Sendable {
  var _base: BigString
  var _bounds: Range<BigString.Index>
}

extension BigSubstring : CustomStringConvertible {}

extension BigSubstring : CustomDebugStringConvertible {}

extension BigSubstring : ExpressibleByStringLiteral {
  typealias ExtendedGraphemeClusterLiteralType = String
  typealias StringLiteralType = String
  typealias UnicodeScalarLiteralType = String
}

extension BigSubstring : LosslessStringConvertible {}

extension BigSubstring : Equatable {}

extension BigSubstring : Hashable {}

extension BigSubstring : Comparable {}

extension BigSubstring : Sequence {
  typealias Element = Character
  struct Iterator : IteratorProtocol {
    let _end: BigString.Index
    var _it: BigString.Iterator
    typealias Element = Character
  }
}

extension BigSubstring : BidirectionalCollection {
  typealias Index = BigString.Index
  typealias SubSequence = BigSubstring
  typealias Indices = DefaultIndices<BigSubstring>
}

extension BigSubstring : RangeReplaceableCollection {}

extension BigSubstring {
  struct UTF16View : Sendable {
    var _base: BigString
    var _bounds: Range<BigString.Index>
  }
}

extension BigSubstring.UTF16View : Equatable {}

extension BigSubstring.UTF16View : Hashable {}

extension BigSubstring.UTF16View : Sequence {
  typealias Element = UInt16
  struct Iterator : IteratorProtocol {
    var _it: BigString.UTF16View.Iterator
    var _end: BigString.Index
    typealias Element = UInt16
  }
}

extension BigSubstring.UTF16View : BidirectionalCollection {
  typealias Index = BigString.Index
  typealias SubSequence = BigSubstring.UTF16View
  typealias Indices = DefaultIndices<BigSubstring.UTF16View>
}

extension BigString {
  struct UTF16View : Sendable {
    var _base: BigString
  }
}

extension BigString.UTF16View : Equatable {}

extension BigString.UTF16View : Hashable {}

extension BigString.UTF16View : Sequence {
  typealias Element = UInt16
  struct Iterator {
    let _base: BigString
    var _index: BigString.Index
  }
}

extension BigString.UTF16View.Iterator : IteratorProtocol {
  typealias Element = UInt16
}

extension BigString.UTF16View : BidirectionalCollection {
  typealias Index = BigString.Index
  typealias SubSequence = BigSubstring.UTF16View
  typealias Indices = DefaultIndices<BigString.UTF16View>
}

extension BigSubstring {
  struct UTF8View : Sendable {
    var _base: BigString
    var _bounds: Range<BigString.Index>
  }
}

extension BigSubstring.UTF8View : Equatable {}

extension BigSubstring.UTF8View : Hashable {}

extension BigSubstring.UTF8View : Sequence {
  typealias Element = UInt8
  struct Iterator : IteratorProtocol {
    var _it: BigString.UTF8View.Iterator
    var _end: BigString.Index
    typealias Element = UInt8
  }
}

extension BigSubstring.UTF8View : BidirectionalCollection {
  typealias Index = BigString.Index
  typealias SubSequence = BigSubstring.UTF8View
  typealias Indices = DefaultIndices<BigSubstring.UTF8View>
}

extension BigString : Hashable {}

extension BigString : CustomStringConvertible {}

extension BigString : BidirectionalCollection {
  typealias SubSequence = BigSubstring
  typealias Indices = DefaultIndices<BigString>
}

extension BigString : CustomDebugStringConvertible {}

extension BigString : Equatable {}

extension BigString : TextOutputStream {}

extension BigString : TextOutputStreamable {}

extension BigString : LosslessStringConvertible {}

extension BigString : Sequence {
  typealias Element = Character
}

extension BigString {
  struct Iterator {
    let _base: BigString
    var _utf8BaseOffset: Int
    var _ropeIndex: Rope<BigString._Chunk>.Index
    var _chunkIndex: String.Index
    var _next: String.Index
  }
}

extension BigString.Iterator : IteratorProtocol {
  typealias Element = Character
}

extension BigString : ExpressibleByStringLiteral {
  typealias ExtendedGraphemeClusterLiteralType = String
  typealias StringLiteralType = String
  typealias UnicodeScalarLiteralType = String
}

extension BigString : RangeReplaceableCollection {}

extension BigString : Comparable {}

protocol RopeMetric<Element> : Sendable {
  associatedtype Element : RopeElement
  func size(of summary: Self.Element.Summary) -> Int
  func index(at offset: Int, in element: Self.Element) -> Self.Element.Index
}

protocol _RopeItem<Summary> {
  associatedtype Summary : RopeSummary
  var summary: Self.Summary { get }
}

extension Rope : _RopeItem {
  typealias Summary = Element.Summary
}

extension Rope {
  @frozen struct _Item {
    var value: Element
  }
}

extension Rope._Item : _RopeItem {
  typealias Summary = Element.Summary
}

extension Rope._Item : CustomStringConvertible {}

extension Rope._Item {
  typealias Index = Element.Index
}

extension Rope._UnmanagedLeaf : CustomStringConvertible {}

extension Rope._Node : CustomStringConvertible {}

@frozen struct _RopeVersion {
  var _value: UInt
}

extension _RopeVersion : Equatable {}

protocol RopeElement {
  associatedtype Summary : RopeSummary
  associatedtype Index : Comparable
  var summary: Self.Summary { get }
  var isEmpty: Bool { get }
  var isUndersized: Bool { get }
  func invariantCheck()
  mutating func rebalance(nextNeighbor right: inout Self) -> Bool
  mutating func rebalance(prevNeighbor left: inout Self) -> Bool
  mutating func split(at index: Self.Index) -> Self
}

@frozen struct Rope<Element> where Element : RopeElement {
  var _root: Rope<Element>._Node?
  var _version: _RopeVersion
}

extension Rope : Sendable where Element : Sendable {}

extension Rope {
  @frozen struct _UnsafeHandle<Child> where Child : _RopeItem, Element.Summary == Child.Summary {
    typealias Summary = Element.Summary
    let _header: UnsafeMutablePointer<_RopeStorageHeader>
    let _start: UnsafeMutablePointer<Child>
  }
}

@frozen struct _RopeStorageHeader {
  var _childCount: UInt16
  let height: UInt8
}

extension Rope {
  final class _Storage<Child> : ManagedBuffer<_RopeStorageHeader, Child> where Child : _RopeItem, Element.Summary == Child.Summary {
    typealias Summary = Element.Summary
    typealias _UnsafeHandle = Rope<Element>._UnsafeHandle
  }
}

extension Rope {
  @frozen struct _UnmanagedLeaf {
    typealias _Item = Rope<Element>._Item
    typealias _Leaf = Rope<Element>._Storage<Rope<Element>._Item>
    typealias _UnsafeHandle = Rope<Element>._UnsafeHandle
    var _ref: Unmanaged<Rope<Element>._Storage<Rope<Element>._Item>>
  }
}

extension Rope._UnmanagedLeaf : Equatable {}

protocol RopeSummary : Equatable, Sendable {
  static var maxNodeSize: Int { get }
  static var nodeSizeBitWidth: Int { get }
  static var zero: Self { get }
  var isZero: Bool { get }
  mutating func add(_ other: Self)
  mutating func subtract(_ other: Self)
}

extension Rope {
  @frozen struct Builder {
    var _prefixTrees: [Rope<Element>]
    var _prefixLeaf: Rope<Element>._Node?
    var _prefix: Rope<Element>._Item?
    var _suffix: Rope<Element>._Item?
    var _suffixTrees: [Rope<Element>]
  }
}

@frozen struct _RopePath<Summary> where Summary : RopeSummary {
  var _value: UInt64
}

extension Rope {
  typealias _Path = _RopePath<Element.Summary>
}

extension _RopePath : Equatable {}

extension _RopePath : Hashable {}

extension _RopePath : Comparable {}

extension _RopePath : CustomStringConvertible {}

extension Rope {
  @frozen struct _Node : _RopeItem {
    typealias Summary = Element.Summary
    typealias Index = Rope<Element>.Index
    typealias _Item = Rope<Element>._Item
    typealias _Storage = Rope<Element>._Storage
    typealias _UnsafeHandle = Rope<Element>._UnsafeHandle
    typealias _Path = _RopePath<Element.Summary>
    typealias _UnmanagedLeaf = Rope<Element>._UnmanagedLeaf
    var object: AnyObject
    var summary: Element.Summary
  }
}

extension Rope._Node : @unchecked Sendable where Element : Sendable {}

extension Rope._Node {
  @frozen struct _ModifyState {
    var path: _RopePath<Element.Summary>
    var item: Rope<Element>._Item
    var summary: Element.Summary
  }
}

extension Rope {
  @frozen struct Index : @unchecked Sendable {
    typealias Summary = Element.Summary
    typealias _Path = _RopePath<Element.Summary>
    var _version: _RopeVersion
    var _path: _RopePath<Element.Summary>
    var _leaf: Rope<Element>._UnmanagedLeaf?
  }
}

extension Rope.Index : Equatable {}

extension Rope.Index : Hashable {}

extension Rope.Index : Comparable {}

extension Rope.Index : CustomStringConvertible {}

extension Rope : Sequence {
  @frozen struct Iterator : IteratorProtocol {
    let _rope: Rope<Element>
    var _index: Rope<Element>.Index
    typealias Element = Element
  }
}

extension Rope : BidirectionalCollection {
  typealias SubSequence = Slice<Rope<Element>>
  typealias Element = Element
  typealias Indices = DefaultIndices<Rope<Element>>
}

typealias _CharacterRecognizer = Unicode._CharacterRecognizer

extension _UnsafeBitSet {
  @frozen struct Index : Comparable, Hashable {
    typealias _Word = _UnsafeBitSet._Word
    var value: UInt
  }
}

extension _UnsafeBitSet {
  @frozen struct _Word {
    var value: UInt
  }
}

extension _UnsafeBitSet._Word : CustomStringConvertible {}

extension _UnsafeBitSet._Word : Sequence, IteratorProtocol {
  typealias Element = UInt
  typealias Iterator = _UnsafeBitSet._Word
}

extension _UnsafeBitSet._Word : Equatable {}

extension _UnsafeBitSet._Word : Hashable {}

@frozen struct _UnsafeBitSet {
  let _words: UnsafeBufferPointer<_UnsafeBitSet._Word>
}

extension _UnsafeBitSet : Sequence {
  typealias Element = UInt
  @frozen struct Iterator : IteratorProtocol {
    let _bitset: _UnsafeBitSet
    var _index: Int
    var _word: _UnsafeBitSet._Word
    typealias Element = UInt
  }
}

extension _UnsafeBitSet : BidirectionalCollection {
  typealias Indices = DefaultIndices<_UnsafeBitSet>
  typealias SubSequence = Slice<_UnsafeBitSet>
}

protocol _UniqueCollection {}

extension Set : _UniqueCollection {}

extension Dictionary.Keys : _UniqueCollection {}

extension Slice : _UniqueCollection where Base : _UniqueCollection {}


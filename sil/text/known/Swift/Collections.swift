// Swift: the sequence and collection protocols, ranges, strides and small collections.

#if !$Embedded
typealias _BridgingBuffer = ManagedBufferPointer<_BridgingBufferHeader, AnyObject>
#endif
typealias CountableClosedRange<Bound> = ClosedRange<Bound> where Bound : Strideable, Bound.Stride : SignedInteger
typealias UnboundedRange = (UnboundedRange_) -> ()
typealias CountableRange<Bound> = Range<Bound> where Bound : Strideable, Bound.Stride : SignedInteger
typealias CountablePartialRangeFrom<Bound> = PartialRangeFrom<Bound> where Bound : Strideable, Bound.Stride : SignedInteger
typealias UnfoldFirstSequence<T> = UnfoldSequence<T, (T?, Bool)>

protocol BidirectionalCollection<Element> : Collection where Self.Indices : BidirectionalCollection, Self.SubSequence : BidirectionalCollection {
  override associatedtype Element
  override associatedtype Index
  override associatedtype SubSequence
  override associatedtype Indices
  func index(before i: Self.Index) -> Self.Index
  func formIndex(before i: inout Self.Index)
  override func index(after i: Self.Index) -> Self.Index
  override func formIndex(after i: inout Self.Index)
  func index(_ i: Self.Index, offsetBy distance: Int) -> Self.Index
  func index(_ i: Self.Index, offsetBy distance: Int, limitedBy limit: Self.Index) -> Self.Index?
  func distance(from start: Self.Index, to end: Self.Index) -> Int
  override var indices: Self.Indices { get }
  override subscript(bounds: Range<Self.Index>) -> Self.SubSequence { get }
  @_borrowed override subscript(position: Self.Index) -> Self.Element { get }
  override var startIndex: Self.Index { get }
  override var endIndex: Self.Index { get }
}

#if !$Embedded
struct _BridgingBufferHeader {
  var count: Int
}

final class __BridgingBufferStorage : ManagedBuffer<_BridgingBufferHeader, AnyObject> {
  override init(_doNotCallMe: ())
}
#endif
@frozen struct IndexingIterator<Elements> : IteratorProtocol, Sequence where Elements : Collection {
  let _elements: Elements
  var _position: Elements.Index
  typealias Element = Elements.Element
  typealias Iterator = IndexingIterator<Elements>
  typealias SubSequence = AnySequence<Elements.Element>
}
extension IndexingIterator : Sendable where Elements : Sendable, Elements.Index : Sendable {}

protocol Collection<Element> : Sequence where Self.Element == Self.SubSequence.Element, Self.Index : Comparable, Self.Index == Self.Indices.Element, Self.Indices : Collection, Self.Indices == Self.Indices.SubSequence, Self.SubSequence : Collection, Self.SubSequence == Self.SubSequence.SubSequence, Self.Indices.Element == Self.Indices.Index, Self.Indices.Index == Self.SubSequence.Index {
  typealias IndexDistance = Int
  override associatedtype Element
  associatedtype Index
  var startIndex: Self.Index { get }
  var endIndex: Self.Index { get }
  override associatedtype Iterator = IndexingIterator<Self>
  override __consuming func makeIterator() -> Self.Iterator
  associatedtype SubSequence = Slice<Self>
  @_borrowed subscript(position: Self.Index) -> Self.Element { get }
  subscript(bounds: Range<Self.Index>) -> Self.SubSequence { get }
  associatedtype Indices = DefaultIndices<Self>
  var indices: Self.Indices { get }
  var isEmpty: Bool { get }
  var count: Int { get }
  func _customIndexOfEquatableElement(_ element: Self.Element) -> Self.Index??
  func _customLastIndexOfEquatableElement(_ element: Self.Element) -> Self.Index??
  func index(_ i: Self.Index, offsetBy distance: Int) -> Self.Index
  func index(_ i: Self.Index, offsetBy distance: Int, limitedBy limit: Self.Index) -> Self.Index?
  func distance(from start: Self.Index, to end: Self.Index) -> Int
  func _failEarlyRangeCheck(_ index: Self.Index, bounds: Range<Self.Index>)
  func _failEarlyRangeCheck(_ index: Self.Index, bounds: ClosedRange<Self.Index>)
  func _failEarlyRangeCheck(_ range: Range<Self.Index>, bounds: Range<Self.Index>)
  func index(after i: Self.Index) -> Self.Index
  func formIndex(after i: inout Self.Index)
}

@frozen struct ClosedRange<Bound> : RangeExpression, Equatable, CustomStringConvertible, CustomDebugStringConvertible where Bound : Comparable {
  let lowerBound: Bound
  let upperBound: Bound
}
#if !$Embedded
extension ClosedRange : CustomReflectable {}
#endif
extension ClosedRange : Sequence, Collection, BidirectionalCollection, RandomAccessCollection where Bound : Strideable, Bound.Stride : SignedInteger {
  typealias Element = Bound
  typealias Iterator = IndexingIterator<ClosedRange<Bound>>
  typealias SubSequence = Slice<ClosedRange<Bound>>
  typealias Indices = DefaultIndices<ClosedRange<Bound>>
  @frozen enum Index : Comparable {
    case pastEnd
    case inRange(Bound)
  }
}
extension ClosedRange : Hashable where Bound : Hashable {}
extension ClosedRange : Decodable where Bound : Decodable {}
extension ClosedRange : Encodable where Bound : Encodable {}
extension ClosedRange : Sendable where Bound : Sendable {}
extension ClosedRange.Index : Hashable where Bound : Hashable {}
extension ClosedRange.Index : Sendable where Bound : Sendable {}

@frozen struct EmptyCollection<Element> : Sequence, RandomAccessCollection, MutableCollection, Equatable, Sendable {
  typealias Index = Int
  typealias Indices = Range<Int>
  typealias SubSequence = EmptyCollection<Element>
  @frozen struct Iterator : IteratorProtocol, Sequence, Sendable {
    typealias Iterator = EmptyCollection<Element>.Iterator
  }
}

@frozen struct DefaultIndices<Elements> : Collection where Elements : Collection {
  var _elements: Elements
  var _startIndex: Elements.Index
  var _endIndex: Elements.Index
  typealias Index = Elements.Index
  typealias Element = Elements.Index
  typealias Indices = DefaultIndices<Elements>
  typealias SubSequence = DefaultIndices<Elements>
  typealias Iterator = IndexingIterator<DefaultIndices<Elements>>
}
extension DefaultIndices : BidirectionalCollection where Elements : BidirectionalCollection {}
extension DefaultIndices : RandomAccessCollection where Elements : RandomAccessCollection {}
extension DefaultIndices : Sendable where Elements : Sendable, Elements.Index : Sendable {}

@frozen struct KeyValuePairs<Key, Value> : ExpressibleByDictionaryLiteral, RandomAccessCollection, CustomStringConvertible, CustomDebugStringConvertible {
  let _elements: [(Key, Value)]
  typealias Element = (key: Key, value: Value)
  typealias Index = Int
  typealias Indices = Range<Int>
  typealias SubSequence = Slice<KeyValuePairs<Key, Value>>
  typealias Iterator = IndexingIterator<KeyValuePairs<Key, Value>>
}
extension KeyValuePairs : Sendable where Key : Sendable, Value : Sendable {}

protocol MutableCollection<Element> : Collection where Self.SubSequence : MutableCollection {
  override associatedtype Element
  override associatedtype Index
  override associatedtype SubSequence
  @_borrowed override subscript(position: Self.Index) -> Self.Element { get set }
  override subscript(bounds: Range<Self.Index>) -> Self.SubSequence { get set }
  mutating func partition(by belongsInSecondPartition: (Self.Element) throws -> Bool) rethrows -> Self.Index
  mutating func swapAt(_ i: Self.Index, _ j: Self.Index)
  mutating func _withUnsafeMutableBufferPointerIfSupported<R>(_ body: (inout UnsafeMutableBufferPointer<Self.Element>) throws -> R) rethrows -> R?
  mutating func withContiguousMutableStorageIfAvailable<R>(_ body: (inout UnsafeMutableBufferPointer<Self.Element>) throws -> R) rethrows -> R?
}

protocol RandomAccessCollection<Element> : BidirectionalCollection where Self.Indices : RandomAccessCollection, Self.SubSequence : RandomAccessCollection {
  override associatedtype Element
  override associatedtype Index
  override associatedtype SubSequence
  override associatedtype Indices
  override var indices: Self.Indices { get }
  override subscript(bounds: Range<Self.Index>) -> Self.SubSequence { get }
  @_borrowed override subscript(position: Self.Index) -> Self.Element { get }
  override var startIndex: Self.Index { get }
  override var endIndex: Self.Index { get }
  override func index(before i: Self.Index) -> Self.Index
  override func formIndex(before i: inout Self.Index)
  override func index(after i: Self.Index) -> Self.Index
  override func formIndex(after i: inout Self.Index)
  func index(_ i: Self.Index, offsetBy distance: Int) -> Self.Index
  func index(_ i: Self.Index, offsetBy distance: Int, limitedBy limit: Self.Index) -> Self.Index?
  func distance(from start: Self.Index, to end: Self.Index) -> Int
}

protocol RangeExpression<Bound> where Self.Bound : Comparable {
  associatedtype Bound
  func relative<C>(to collection: C) -> Range<Self.Bound> where C : Collection, Self.Bound == C.Index
  func contains(_ element: Self.Bound) -> Bool
}

@frozen struct Range<Bound> : RangeExpression, CustomStringConvertible, CustomDebugStringConvertible, Equatable where Bound : Comparable {
  let lowerBound: Bound
  let upperBound: Bound
}
#if !$Embedded
extension Range : CustomReflectable {}
#endif
extension Range : Sequence, Collection, BidirectionalCollection, RandomAccessCollection where Bound : Strideable, Bound.Stride : SignedInteger {
  typealias Element = Bound
  typealias Iterator = IndexingIterator<Range<Bound>>
  typealias Index = Bound
  typealias Indices = Range<Bound>
  typealias SubSequence = Range<Bound>
}
extension Range : Hashable where Bound : Hashable {}
extension Range : Decodable where Bound : Decodable {}
extension Range : Encodable where Bound : Encodable {}
extension Range : Sendable where Bound : Sendable {}

@frozen struct PartialRangeUpTo<Bound> : RangeExpression where Bound : Comparable {
  let upperBound: Bound
}
extension PartialRangeUpTo : Decodable where Bound : Decodable {}
extension PartialRangeUpTo : Encodable where Bound : Encodable {}
extension PartialRangeUpTo : Sendable where Bound : Sendable {}

@frozen struct PartialRangeThrough<Bound> : RangeExpression where Bound : Comparable {
  let upperBound: Bound
}
extension PartialRangeThrough : Decodable where Bound : Decodable {}
extension PartialRangeThrough : Encodable where Bound : Encodable {}
extension PartialRangeThrough : Sendable where Bound : Sendable {}

@frozen struct PartialRangeFrom<Bound> : RangeExpression where Bound : Comparable {
  let lowerBound: Bound
}
extension PartialRangeFrom : Sequence where Bound : Strideable, Bound.Stride : SignedInteger {
  typealias Element = Bound
  @frozen struct Iterator : IteratorProtocol {
    var _current: Bound
    typealias Element = Bound
  }
}
extension PartialRangeFrom : Decodable where Bound : Decodable {}
extension PartialRangeFrom : Encodable where Bound : Encodable {}
extension PartialRangeFrom : Sendable where Bound : Sendable {}
extension PartialRangeFrom.Iterator : Sendable where Bound : Sendable {}

@frozen enum UnboundedRange_ {}

protocol RangeReplaceableCollection<Element> : Collection where Self.SubSequence : RangeReplaceableCollection {
  override associatedtype SubSequence
  init()
  mutating func replaceSubrange<C>(_ subrange: Range<Self.Index>, with newElements: __owned C) where C : Collection, Self.Element == C.Element
  mutating func reserveCapacity(_ n: Int)
  init(repeating repeatedValue: Self.Element, count: Int)
  init<S>(_ elements: S) where S : Sequence, Self.Element == S.Element
  mutating func append(_ newElement: __owned Self.Element)
  mutating func append<S>(contentsOf newElements: __owned S) where S : Sequence, Self.Element == S.Element
  mutating func insert(_ newElement: __owned Self.Element, at i: Self.Index)
  mutating func insert<S>(contentsOf newElements: __owned S, at i: Self.Index) where S : Collection, Self.Element == S.Element
  mutating func remove(at i: Self.Index) -> Self.Element
  mutating func removeSubrange(_ bounds: Range<Self.Index>)
  mutating func _customRemoveLast() -> Self.Element?
  mutating func _customRemoveLast(_ n: Int) -> Bool
  mutating func removeFirst() -> Self.Element
  mutating func removeFirst(_ k: Int)
  mutating func removeAll(keepingCapacity keepCapacity: Bool)
  mutating func removeAll(where shouldBeRemoved: (Self.Element) throws -> Bool) rethrows
  @_borrowed override subscript(position: Self.Index) -> Self.Element { get }
  override subscript(bounds: Range<Self.Index>) -> Self.SubSequence { get }
}

struct RangeSet<Bound> : Equatable, CustomStringConvertible where Bound : Comparable {
  var _ranges: RangeSet<Bound>.Ranges
  struct Ranges : Sequence, Collection, RandomAccessCollection, Equatable, CustomStringConvertible {
    var _storage: ContiguousArray<Range<Bound>>
    typealias Element = Range<Bound>
    typealias Iterator = IndexingIterator<RangeSet<Bound>.Ranges>
    typealias Index = Int
    typealias Indices = Range<Int>
    typealias SubSequence = Slice<RangeSet<Bound>.Ranges>
  }
}
extension RangeSet : Hashable where Bound : Hashable {}
extension RangeSet : Sendable where Bound : Sendable {}
extension RangeSet.Ranges : Hashable where Bound : Hashable {}
extension RangeSet.Ranges : Sendable where Bound : Sendable {}

struct _Pair<Element> : RandomAccessCollection {
  var pair: (first: Element, second: Element)
  typealias Index = Int
  typealias Indices = Range<Int>
  typealias Iterator = IndexingIterator<_Pair<Element>>
  typealias SubSequence = Slice<_Pair<Element>>
}

@frozen struct Repeated<Element> : RandomAccessCollection {
  let count: Int
  let repeatedValue: Element
  typealias Indices = Range<Int>
  typealias Index = Int
  typealias Iterator = IndexingIterator<Repeated<Element>>
  typealias SubSequence = Slice<Repeated<Element>>
}
extension Repeated : Sendable where Element : Sendable {}

protocol IteratorProtocol<Element> {
  associatedtype Element
  mutating func next() -> Self.Element?
}

protocol Sequence<Element> where Self.Element == Self.Iterator.Element, Self.Iterator : IteratorProtocol {
  associatedtype Element
  associatedtype Iterator
  __consuming func makeIterator() -> Self.Iterator
  var underestimatedCount: Int { get }
  func _customContainsEquatableElement(_ element: Self.Element) -> Bool?
  __consuming func _copyToContiguousArray() -> ContiguousArray<Self.Element>
  __consuming func _copyContents(initializing ptr: UnsafeMutableBufferPointer<Self.Element>) -> (Self.Iterator, Int)
  func withContiguousStorageIfAvailable<R>(_ body: (UnsafeBufferPointer<Self.Element>) throws -> R) rethrows -> R?
}

@frozen struct DropFirstSequence<Base> : Sequence where Base : Sequence {
  let _base: Base
  let _limit: Int
  typealias Element = Base.Element
  typealias Iterator = Base.Iterator
  typealias SubSequence = AnySequence<Base.Element>
}
extension DropFirstSequence : Sendable where Base : Sendable {}

@frozen struct PrefixSequence<Base> : Sequence where Base : Sequence {
  var _base: Base
  let _maxLength: Int
  typealias Element = Base.Element
  @frozen struct Iterator : IteratorProtocol {
    var _base: Base.Iterator
    var _remaining: Int
    typealias Element = Base.Element
  }
}
extension PrefixSequence : Sendable where Base : Sendable {}
extension PrefixSequence.Iterator : Sendable where Base.Iterator : Sendable {}

@frozen struct DropWhileSequence<Base> : Sequence where Base : Sequence {
  typealias Element = Base.Element
  var _iterator: Base.Iterator
  var _nextElement: Base.Element?
  @frozen struct Iterator : IteratorProtocol {
    var _iterator: Base.Iterator
    var _nextElement: Base.Element?
    typealias Element = Base.Element
  }
}
extension DropWhileSequence : Sendable where Base.Element : Sendable, Base.Iterator : Sendable {}
extension DropWhileSequence.Iterator : Sendable where Base.Element : Sendable, Base.Iterator : Sendable {}

@frozen struct IteratorSequence<Base> : IteratorProtocol, Sequence where Base : IteratorProtocol {
  var _base: Base
  typealias Element = Base.Element
  typealias Iterator = IteratorSequence<Base>
}
extension IteratorSequence : Sendable where Base : Sendable {}

protocol Strideable<Stride> : Comparable where Self.Stride : Comparable, Self.Stride : SignedNumeric {
  associatedtype Stride
  func distance(to other: Self) -> Self.Stride
  func advanced(by n: Self.Stride) -> Self
  static func _step(after current: (index: Int?, value: Self), from start: Self, by distance: Self.Stride) -> (index: Int?, value: Self)
}

@frozen struct StrideToIterator<Element> : IteratorProtocol where Element : Strideable {
  let _start: Element
  let _end: Element
  let _stride: Element.Stride
  var _current: (index: Int?, value: Element)
}
extension StrideToIterator : Sendable where Element : Sendable, Element.Stride : Sendable {}

@frozen struct StrideTo<Element> : Sequence where Element : Strideable {
  let _start: Element
  let _end: Element
  let _stride: Element.Stride
  typealias Iterator = StrideToIterator<Element>
}
#if !$Embedded
extension StrideTo : CustomReflectable {}
#endif
extension StrideTo : Sendable where Element : Sendable, Element.Stride : Sendable {}

@frozen struct StrideThroughIterator<Element> : IteratorProtocol where Element : Strideable {
  let _start: Element
  let _end: Element
  let _stride: Element.Stride
  var _current: (index: Int?, value: Element)
  var _didReturnEnd: Bool
}
extension StrideThroughIterator : Sendable where Element : Sendable, Element.Stride : Sendable {}

@frozen struct StrideThrough<Element> : Sequence where Element : Strideable {
  let _start: Element
  let _end: Element
  let _stride: Element.Stride
  typealias Iterator = StrideThroughIterator<Element>
}
#if !$Embedded
extension StrideThrough : CustomReflectable {}
#endif
extension StrideThrough : Sendable where Element : Sendable, Element.Stride : Sendable {}

@frozen struct _UIntBuffer<Element> : Sequence, Collection, BidirectionalCollection, RandomAccessCollection, RangeReplaceableCollection where Element : FixedWidthInteger, Element : UnsignedInteger {
  typealias Storage = UInt32
  var _storage: UInt32
  var _bitCount: UInt8
  typealias SubSequence = Slice<_UIntBuffer<Element>>
  typealias Indices = DefaultIndices<_UIntBuffer<Element>>
  @frozen struct Iterator : IteratorProtocol, Sequence {
    var _impl: _UIntBuffer<Element>
    typealias Iterator = _UIntBuffer<Element>.Iterator
  }
  @frozen struct Index : Comparable {
    var bitOffset: UInt8
  }
}
extension _UIntBuffer : Sendable where Element : Sendable {}
extension _UIntBuffer.Iterator : Sendable where Element : Sendable {}

struct CollectionDifference<ChangeElement> : Collection {
  let insertions: [CollectionDifference<ChangeElement>.Change]
  let removals: [CollectionDifference<ChangeElement>.Change]
  typealias Element = CollectionDifference<ChangeElement>.Change
  typealias Indices = DefaultIndices<CollectionDifference<ChangeElement>>
  typealias Iterator = IndexingIterator<CollectionDifference<ChangeElement>>
  typealias SubSequence = Slice<CollectionDifference<ChangeElement>>
  @frozen enum Change {
    case insert(offset: Int, element: ChangeElement, associatedWith: Int?)
    case remove(offset: Int, element: ChangeElement, associatedWith: Int?)
  }
  @frozen struct Index : Equatable, Comparable, Hashable {
    let _offset: Int
  }
}
extension CollectionDifference : Equatable where ChangeElement : Equatable {}
extension CollectionDifference : Hashable where ChangeElement : Hashable {}
#if !$Embedded
extension CollectionDifference : Decodable, Encodable where ChangeElement : Decodable, ChangeElement : Encodable {
  enum _CodingKeys : String, CodingKey, Equatable, Hashable, RawRepresentable {
    case insertions
    case removals
    typealias RawValue = String
  }
}
#endif
extension CollectionDifference : Sendable where ChangeElement : Sendable {}
extension CollectionDifference.Change : Equatable where ChangeElement : Equatable {}
extension CollectionDifference.Change : Hashable where ChangeElement : Hashable {}
#if !$Embedded
extension CollectionDifference.Change : Decodable, Encodable where ChangeElement : Decodable, ChangeElement : Encodable {
  enum _CodingKeys : String, CodingKey, Equatable, Hashable, RawRepresentable {
    case offset
    case element
    case associatedOffset
    case isRemove
    typealias RawValue = String
  }
}
#endif
extension CollectionDifference.Change : Sendable where ChangeElement : Sendable {}
extension CollectionDifference.Index : Sendable where ChangeElement : Sendable {}

@frozen @_addressableForDependencies struct CollectionOfOne<Element> : RandomAccessCollection, MutableCollection, CustomDebugStringConvertible {
  var _element: Element
  typealias Index = Int
  typealias Indices = Range<Int>
  typealias SubSequence = Slice<CollectionOfOne<Element>>
  @frozen struct Iterator : IteratorProtocol {
    var _elements: Element?
  }
}
typealias IteratorOverOne<T> = CollectionOfOne<T>.Iterator
#if !$Embedded
extension CollectionOfOne : CustomReflectable {}
#endif
extension CollectionOfOne : Sendable where Element : Sendable {}
extension CollectionOfOne.Iterator : Sendable where Element : Sendable {}

enum _ApplicationError : Error, Equatable, Hashable {
  case failed
}

struct _V {
  var a: [Int]
}

@frozen struct UnfoldSequence<Element, State> : Sequence, IteratorProtocol {
  var _state: State
  let _next: (inout State) -> Element?
  var _done: Bool
  typealias Iterator = UnfoldSequence<Element, State>
}
extension UnfoldSequence : Sendable where Element : Sendable, State : Sendable {}

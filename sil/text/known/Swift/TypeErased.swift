// Swift: AnySequence, AnyCollection and their boxes.

@frozen struct AnyIterator<Element> : IteratorProtocol, Sequence {
  let _box: _AnyIteratorBoxBase<Element>
  typealias Iterator = AnyIterator<Element>
}

@frozen struct _ClosureBasedIterator<Element> : IteratorProtocol {
  let _body: () -> Element?
}

@_fixed_layout class _AnyIteratorBoxBase<Element> : IteratorProtocol {
  init()
  func next() -> Element?
}

@_fixed_layout final class _IteratorBox<Base> : _AnyIteratorBoxBase<Base.Element> where Base : IteratorProtocol {
  init(_ base: Base)
  var _base: Base
  override init()
}

@_fixed_layout class _AnySequenceBox<Element> {
  init()
  func _makeIterator() -> AnyIterator<Element>
  var _underestimatedCount: Int { get }
  func _map<T>(_ transform: (Element) throws -> T) throws -> [T]
  func _filter(_ isIncluded: (Element) throws -> Bool) rethrows -> [Element]
  func _forEach(_ body: (Element) throws -> ()) rethrows
  func __customContainsEquatableElement(_ element: Element) -> Bool?
  func __copyToContiguousArray() -> ContiguousArray<Element>
  func __copyContents(initializing buf: UnsafeMutableBufferPointer<Element>) -> (AnyIterator<Element>, Int)
  func _drop(while predicate: (Element) throws -> Bool) rethrows -> _AnySequenceBox<Element>
  func _dropFirst(_ n: Int) -> _AnySequenceBox<Element>
  func _dropLast(_ n: Int) -> [Element]
  func _prefix(_ maxLength: Int) -> _AnySequenceBox<Element>
  func _prefix(while predicate: (Element) throws -> Bool) rethrows -> [Element]
  func _suffix(_ maxLength: Int) -> [Element]
}

@_fixed_layout class _AnyCollectionBox<Element> : _AnySequenceBox<Element> {
  override func _drop(while predicate: (Element) throws -> Bool) rethrows -> _AnyCollectionBox<Element>
  override func _dropFirst(_ n: Int) -> _AnyCollectionBox<Element>
  func _dropLast(_ n: Int) -> _AnyCollectionBox<Element>
  override func _prefix(_ maxLength: Int) -> _AnyCollectionBox<Element>
  func _prefix(while predicate: (Element) throws -> Bool) rethrows -> _AnyCollectionBox<Element>
  func _suffix(_ maxLength: Int) -> _AnyCollectionBox<Element>
  subscript(i: any _AnyIndexBox) -> Element { get }
  func _index(after i: any _AnyIndexBox) -> any _AnyIndexBox
  func _formIndex(after i: any _AnyIndexBox)
  func _index(_ i: any _AnyIndexBox, offsetBy n: Int) -> any _AnyIndexBox
  func _index(_ i: any _AnyIndexBox, offsetBy n: Int, limitedBy limit: any _AnyIndexBox) -> (any _AnyIndexBox)?
  func _formIndex(_ i: inout any _AnyIndexBox, offsetBy n: Int)
  func _formIndex(_ i: inout any _AnyIndexBox, offsetBy n: Int, limitedBy limit: any _AnyIndexBox) -> Bool
  func _distance(from start: any _AnyIndexBox, to end: any _AnyIndexBox) -> Int
  var _count: Int { get }
  init(_startIndex: any _AnyIndexBox, endIndex: any _AnyIndexBox)
  final let _startIndex: any _AnyIndexBox
  final let _endIndex: any _AnyIndexBox
  subscript(start start: any _AnyIndexBox, end end: any _AnyIndexBox) -> _AnyCollectionBox<Element> { get }
  override init()
}

@_fixed_layout class _AnyBidirectionalCollectionBox<Element> : _AnyCollectionBox<Element> {
  override func _drop(while predicate: (Element) throws -> Bool) rethrows -> _AnyBidirectionalCollectionBox<Element>
  override func _dropFirst(_ n: Int) -> _AnyBidirectionalCollectionBox<Element>
  override func _dropLast(_ n: Int) -> _AnyBidirectionalCollectionBox<Element>
  override func _prefix(_ maxLength: Int) -> _AnyBidirectionalCollectionBox<Element>
  override func _prefix(while predicate: (Element) throws -> Bool) rethrows -> _AnyBidirectionalCollectionBox<Element>
  override func _suffix(_ maxLength: Int) -> _AnyBidirectionalCollectionBox<Element>
  override subscript(start start: any _AnyIndexBox, end end: any _AnyIndexBox) -> _AnyBidirectionalCollectionBox<Element> { get }
  func _index(before i: any _AnyIndexBox) -> any _AnyIndexBox
  func _formIndex(before i: any _AnyIndexBox)
  override init(_startIndex: any _AnyIndexBox, endIndex: any _AnyIndexBox)
}

@_fixed_layout class _AnyRandomAccessCollectionBox<Element> : _AnyBidirectionalCollectionBox<Element> {
  override func _drop(while predicate: (Element) throws -> Bool) rethrows -> _AnyRandomAccessCollectionBox<Element>
  override func _dropFirst(_ n: Int) -> _AnyRandomAccessCollectionBox<Element>
  override func _dropLast(_ n: Int) -> _AnyRandomAccessCollectionBox<Element>
  override func _prefix(_ maxLength: Int) -> _AnyRandomAccessCollectionBox<Element>
  override func _prefix(while predicate: (Element) throws -> Bool) rethrows -> _AnyRandomAccessCollectionBox<Element>
  override func _suffix(_ maxLength: Int) -> _AnyRandomAccessCollectionBox<Element>
  override subscript(start start: any _AnyIndexBox, end end: any _AnyIndexBox) -> _AnyRandomAccessCollectionBox<Element> { get }
  override init(_startIndex: any _AnyIndexBox, endIndex: any _AnyIndexBox)
}

@_fixed_layout final class _SequenceBox<S> : _AnySequenceBox<S.Element> where S : Sequence {
  typealias Element = S.Element
  init(_base: S)
  var _base: S
  override init()
}

@_fixed_layout final class _CollectionBox<S> : _AnyCollectionBox<S.Element> where S : Collection {
  typealias Element = S.Element
  init(_base: S)
  var _base: S
  override init(_startIndex: any _AnyIndexBox, endIndex: any _AnyIndexBox)
}

@_fixed_layout final class _BidirectionalCollectionBox<S> : _AnyBidirectionalCollectionBox<S.Element> where S : BidirectionalCollection {
  typealias Element = S.Element
  init(_base: S)
  var _base: S
  override init(_startIndex: any _AnyIndexBox, endIndex: any _AnyIndexBox)
}

@_fixed_layout final class _RandomAccessCollectionBox<S> : _AnyRandomAccessCollectionBox<S.Element> where S : RandomAccessCollection {
  typealias Element = S.Element
  init(_base: S)
  var _base: S
  override init(_startIndex: any _AnyIndexBox, endIndex: any _AnyIndexBox)
}

@frozen struct _ClosureBasedSequence<Iterator> : Sequence where Iterator : IteratorProtocol {
  var _makeUnderlyingIterator: () -> Iterator
  typealias Element = Iterator.Element
}

@frozen struct AnySequence<Element> : Sequence {
  let _box: _AnySequenceBox<Element>
  typealias Iterator = AnyIterator<Element>
}

protocol _AnyIndexBox : AnyObject {
  var _typeID: ObjectIdentifier { get }
  func _unbox<T>() -> T? where T : Comparable
  func _isEqual(to rhs: any _AnyIndexBox) -> Bool
  func _isLess(than rhs: any _AnyIndexBox) -> Bool
}

@_fixed_layout final class _IndexBox<BaseIndex> : _AnyIndexBox where BaseIndex : Comparable {
  var _base: BaseIndex
  init(_base: BaseIndex)
}

@frozen struct AnyIndex : Comparable {
  var _box: any _AnyIndexBox
}

protocol _AnyCollectionProtocol : Collection {
  var _boxID: ObjectIdentifier { get }
}

@frozen struct AnyCollection<Element> : Collection, _AnyCollectionProtocol {
  let _box: _AnyCollectionBox<Element>
  typealias Indices = DefaultIndices<AnyCollection<Element>>
  typealias Iterator = AnyIterator<Element>
  typealias Index = AnyIndex
  typealias SubSequence = AnyCollection<Element>
}

@frozen struct AnyBidirectionalCollection<Element> : BidirectionalCollection, _AnyCollectionProtocol {
  let _box: _AnyBidirectionalCollectionBox<Element>
  typealias Indices = DefaultIndices<AnyBidirectionalCollection<Element>>
  typealias Iterator = AnyIterator<Element>
  typealias Index = AnyIndex
  typealias SubSequence = AnyBidirectionalCollection<Element>
}

@frozen struct AnyRandomAccessCollection<Element> : RandomAccessCollection, _AnyCollectionProtocol {
  let _box: _AnyRandomAccessCollectionBox<Element>
  typealias Indices = DefaultIndices<AnyRandomAccessCollection<Element>>
  typealias Iterator = AnyIterator<Element>
  typealias Index = AnyIndex
  typealias SubSequence = AnyRandomAccessCollection<Element>
}

// Swift: lazy and eager wrappers of sequences and collections: maps, filters, slices, zips.

typealias LazyDropWhileCollection<T> = LazyDropWhileSequence<T> where T : Collection
typealias LazyFilterCollection<T> = LazyFilterSequence<T> where T : Collection
typealias FlattenCollection<T> = FlattenSequence<T> where T : Collection, T.Element : Collection
typealias LazyCollection<T> = LazySequence<T> where T : Collection
typealias LazyMapCollection<T, U> = LazyMapSequence<T, U> where T : Collection
typealias LazyPrefixWhileCollection<T> = LazyPrefixWhileSequence<T> where T : Collection

struct DiscontiguousSlice<Base> : CustomStringConvertible, Sequence, Collection where Base : Collection {
  var _base: Base
  let subranges: RangeSet<Base.Index>
  typealias Element = Base.Element
  typealias Iterator = IndexingIterator<DiscontiguousSlice<Base>>
  typealias SubSequence = DiscontiguousSlice<Base>
  typealias Indices = DefaultIndices<DiscontiguousSlice<Base>>
  struct Index : Equatable, Comparable, CustomStringConvertible {
    let _rangeOffset: Int
    let base: Base.Index
  }
}
extension DiscontiguousSlice : Sendable where Base : Sendable, Base.Index : Sendable {}
extension DiscontiguousSlice : Equatable where Base.Element : Equatable {}
extension DiscontiguousSlice : Hashable where Base.Element : Hashable {}
extension DiscontiguousSlice : BidirectionalCollection where Base : BidirectionalCollection {}
extension DiscontiguousSlice.Index : Hashable where Base.Index : Hashable {}
extension DiscontiguousSlice.Index : Sendable where Base.Index : Sendable {}

@frozen struct LazyDropWhileSequence<Base> : Sequence, LazySequenceProtocol where Base : Sequence {
  typealias Element = Base.Element
  var _base: Base
  let _predicate: (Base.Element) -> Bool
  typealias Elements = LazyDropWhileSequence<Base>
  @frozen struct Iterator : IteratorProtocol {
    typealias Element = Base.Element
    var _predicateHasFailed: Bool
    var _base: Base.Iterator
    let _predicate: (Base.Element) -> Bool
  }
}
extension LazyDropWhileSequence : Collection, LazyCollectionProtocol where Base : Collection {
  typealias SubSequence = Slice<LazyDropWhileSequence<Base>>
  typealias Index = Base.Index
  typealias Indices = DefaultIndices<LazyDropWhileSequence<Base>>
}
extension LazyDropWhileSequence : BidirectionalCollection where Base : BidirectionalCollection {}

@frozen struct EnumeratedSequence<Base> : Sequence where Base : Sequence {
  var _base: Base
  typealias Element = (offset: Int, element: Base.Element)
  @frozen struct Iterator : IteratorProtocol, Sequence {
    var _base: Base.Iterator
    var _count: Int
    typealias Element = (offset: Int, element: Base.Element)
    typealias Iterator = EnumeratedSequence<Base>.Iterator
  }
}
extension EnumeratedSequence : Sendable where Base : Sendable {}
extension EnumeratedSequence : Collection where Base : Collection {
  typealias Indices = DefaultIndices<EnumeratedSequence<Base>>
  typealias SubSequence = Slice<EnumeratedSequence<Base>>
  @frozen struct Index : Comparable {
    let base: Base.Index
    let _offset: Int
  }
}
extension EnumeratedSequence : BidirectionalCollection, RandomAccessCollection where Base : RandomAccessCollection {}
extension EnumeratedSequence.Iterator : Sendable where Base.Iterator : Sendable {}

@frozen struct LazyFilterSequence<Base> : Sequence, LazySequenceProtocol where Base : Sequence {
  var _base: Base
  let _predicate: (Base.Element) -> Bool
  typealias Element = Base.Element
  typealias Elements = LazyFilterSequence<Base>
  @frozen struct Iterator : IteratorProtocol, Sequence {
    var _base: Base.Iterator
    let _predicate: (Base.Element) -> Bool
    typealias Element = Base.Element
    typealias Iterator = LazyFilterSequence<Base>.Iterator
  }
}
extension LazyFilterSequence : Collection, LazyCollectionProtocol where Base : Collection {
  typealias SubSequence = LazyFilterSequence<Base.SubSequence>
  typealias Index = Base.Index
  typealias Indices = DefaultIndices<LazyFilterSequence<Base>>
}
extension LazyFilterSequence : BidirectionalCollection where Base : BidirectionalCollection {}

@frozen struct FlattenSequence<Base> : Sequence where Base : Sequence, Base.Element : Sequence {
  var _base: Base
  typealias Element = Base.Element.Element
  @frozen struct Iterator : IteratorProtocol, Sequence {
    var _base: Base.Iterator
    var _inner: Base.Element.Iterator?
    typealias Element = Base.Element.Element
    typealias Iterator = FlattenSequence<Base>.Iterator
  }
}
extension FlattenSequence : Sendable where Base : Sendable {}
extension FlattenSequence : Collection where Base : Collection, Base.Element : Collection {
  typealias Indices = DefaultIndices<FlattenSequence<Base>>
  typealias SubSequence = Slice<FlattenSequence<Base>>
  @frozen struct Index : Equatable, Comparable {
    let _outer: Base.Index
    let _inner: Base.Element.Index?
  }
}
extension FlattenSequence : BidirectionalCollection where Base : BidirectionalCollection, Base.Element : BidirectionalCollection {}
extension FlattenSequence.Iterator : Sendable where Base.Iterator : Sendable, Base.Element.Iterator : Sendable {}
extension FlattenSequence.Index : Sendable where Base.Index : Sendable, Base.Element.Index : Sendable {}
extension FlattenSequence.Index : Hashable where Base.Index : Hashable, Base.Element.Index : Hashable {}

@frozen struct JoinedSequence<Base> : Sequence where Base : Sequence, Base.Element : Sequence {
  typealias Element = Base.Element.Element
  var _base: Base
  var _separator: ContiguousArray<Base.Element.Element>
  @frozen struct Iterator : IteratorProtocol {
    var _base: Base.Iterator
    var _inner: Base.Element.Iterator?
    var _separatorData: ContiguousArray<Base.Element.Element>
    var _separator: IndexingIterator<ContiguousArray<Base.Element.Element>>?
    var _state: JoinedSequence<Base>.Iterator._JoinIteratorState
    typealias Element = Base.Element.Element
    @frozen enum _JoinIteratorState : Equatable, Hashable {
      case start
      case generatingElements
      case generatingSeparator
      case end
    }
  }
}
extension JoinedSequence : Sendable where Base : Sendable, Base.Element.Element : Sendable {}
extension JoinedSequence.Iterator : Sendable where Base.Iterator : Sendable, Base.Element.Element : Sendable, Base.Element.Iterator : Sendable {}

protocol LazyCollectionProtocol : Collection, LazySequenceProtocol where Self.Elements : Collection {}

protocol LazySequenceProtocol : Sequence where Self.Element == Self.Elements.Element, Self.Elements : Sequence {
  associatedtype Elements = Self
  var elements: Self.Elements { get }
}

@frozen struct LazySequence<Base> : Sequence, LazySequenceProtocol where Base : Sequence {
  var _base: Base
  typealias Element = Base.Element
  typealias Iterator = Base.Iterator
  typealias Elements = Base
}
extension LazySequence : Collection, LazyCollectionProtocol where Base : Collection {
  typealias Index = Base.Index
  typealias Indices = Base.Indices
  typealias SubSequence = Slice<LazySequence<Base>>
}
extension LazySequence : BidirectionalCollection where Base : BidirectionalCollection {}
extension LazySequence : RandomAccessCollection where Base : RandomAccessCollection {}
extension LazySequence : Sendable where Base : Sendable {}

@frozen struct LazyMapSequence<Base, Element> : LazySequenceProtocol where Base : Sequence {
  typealias Elements = LazyMapSequence<Base, Element>
  var _base: Base
  let _transform: (Base.Element) -> Element
  @frozen struct Iterator : IteratorProtocol, Sequence {
    var _base: Base.Iterator
    let _transform: (Base.Element) -> Element
    typealias Iterator = LazyMapSequence<Base, Element>.Iterator
  }
}
extension LazyMapSequence : Collection, LazyCollectionProtocol where Base : Collection {
  typealias Index = Base.Index
  typealias Indices = Base.Indices
  typealias SubSequence = LazyMapSequence<Base.SubSequence, Element>
}
extension LazyMapSequence : BidirectionalCollection where Base : BidirectionalCollection {}
extension LazyMapSequence : RandomAccessCollection where Base : RandomAccessCollection {}

@frozen struct LazyPrefixWhileSequence<Base> : Sequence, LazySequenceProtocol where Base : Sequence {
  typealias Element = Base.Element
  var _base: Base
  let _predicate: (Base.Element) -> Bool
  typealias Elements = LazyPrefixWhileSequence<Base>
  @frozen struct Iterator : IteratorProtocol, Sequence {
    typealias Element = Base.Element
    var _predicateHasFailed: Bool
    var _base: Base.Iterator
    let _predicate: (Base.Element) -> Bool
    typealias Iterator = LazyPrefixWhileSequence<Base>.Iterator
  }
}
extension LazyPrefixWhileSequence : Collection, LazyCollectionProtocol where Base : Collection {
  typealias SubSequence = Slice<LazyPrefixWhileSequence<Base>>
  typealias Indices = DefaultIndices<LazyPrefixWhileSequence<Base>>
  @frozen enum _IndexRepresentation {
    case index(Base.Index)
    case pastEnd
  }
  @frozen struct Index : Comparable {
    let _value: LazyPrefixWhileSequence<Base>._IndexRepresentation
  }
}
extension LazyPrefixWhileSequence : BidirectionalCollection where Base : BidirectionalCollection {}
extension LazyPrefixWhileSequence._IndexRepresentation : Sendable where Base.Index : Sendable {}
extension LazyPrefixWhileSequence.Index : Sendable where Base.Index : Sendable {}
extension LazyPrefixWhileSequence.Index : Hashable where Base.Index : Hashable {}

@frozen struct ReversedCollection<Base> : Sequence, BidirectionalCollection where Base : BidirectionalCollection {
  let _base: Base
  typealias Element = Base.Element
  typealias Indices = DefaultIndices<ReversedCollection<Base>>
  typealias SubSequence = Slice<ReversedCollection<Base>>
  @frozen struct Iterator : IteratorProtocol, Sequence {
    let _base: Base
    var _position: Base.Index
    typealias Element = Base.Element
    typealias Iterator = ReversedCollection<Base>.Iterator
  }
  @frozen struct Index : Comparable {
    let base: Base.Index
  }
}
extension ReversedCollection : LazySequenceProtocol where Base : LazySequenceProtocol {
  typealias Elements = ReversedCollection<Base>
}
extension ReversedCollection : Sendable where Base : Sendable {}
extension ReversedCollection : RandomAccessCollection where Base : RandomAccessCollection {}
extension ReversedCollection.Iterator : Sendable where Base : Sendable, Base.Index : Sendable {}
extension ReversedCollection.Index : Sendable where Base.Index : Sendable {}
extension ReversedCollection.Index : Hashable where Base.Index : Hashable {}

@frozen struct Slice<Base> : Collection where Base : Collection {
  var _startIndex: Base.Index
  var _endIndex: Base.Index
  var _base: Base
  typealias Index = Base.Index
  typealias Indices = Base.Indices
  typealias Element = Base.Element
  typealias SubSequence = Slice<Base>
  typealias Iterator = IndexingIterator<Slice<Base>>
}
extension Slice : LazySequenceProtocol where Base : LazySequenceProtocol {
  typealias Elements = Slice<Base>
}
extension Slice : BidirectionalCollection where Base : BidirectionalCollection {}
extension Slice : MutableCollection where Base : MutableCollection {}
extension Slice : RandomAccessCollection where Base : RandomAccessCollection {}
extension Slice : RangeReplaceableCollection where Base : RangeReplaceableCollection {}
extension Slice : Sendable where Base : Sendable, Base.Index : Sendable {}

@frozen struct Zip2Sequence<Sequence1, Sequence2> : Sequence where Sequence1 : Sequence, Sequence2 : Sequence {
  let _sequence1: Sequence1
  let _sequence2: Sequence2
  typealias Element = (Sequence1.Element, Sequence2.Element)
  @frozen struct Iterator : IteratorProtocol {
    var _baseStream1: Sequence1.Iterator
    var _baseStream2: Sequence2.Iterator
    var _reachedEnd: Bool
    typealias Element = (Sequence1.Element, Sequence2.Element)
  }
}
extension Zip2Sequence : Sendable where Sequence1 : Sendable, Sequence2 : Sendable {}
extension Zip2Sequence.Iterator : Sendable where Sequence1.Iterator : Sendable, Sequence2.Iterator : Sendable {}

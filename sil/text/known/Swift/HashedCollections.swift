// Swift: Dictionary, Set and their storage classes.

typealias DictionaryIndex<Key, Value> = Dictionary<Key, Value>.Index where Key : Hashable
typealias DictionaryIterator<Key, Value> = Dictionary<Key, Value>.Iterator where Key : Hashable
typealias SetIndex<Element> = Set<Element>.Index where Element : Hashable
typealias SetIterator<Element> = Set<Element>.Iterator where Element : Hashable

@frozen @_eagerMove struct Dictionary<Key, Value> : Sequence, Collection, ExpressibleByDictionaryLiteral, CustomStringConvertible, CustomDebugStringConvertible where Key : Hashable {
  typealias Element = (key: Key, value: Value)
  var _variant: Dictionary<Key, Value>._Variant
  typealias SubSequence = Slice<Dictionary<Key, Value>>
  typealias Indices = DefaultIndices<Dictionary<Key, Value>>
  @frozen struct Keys : Collection, Equatable, CustomStringConvertible, CustomDebugStringConvertible {
    typealias Element = Key
    typealias SubSequence = Slice<Dictionary<Key, Value>.Keys>
    var _variant: Dictionary<Key, Value>._Variant
    typealias Index = Dictionary<Key, Value>.Index
    typealias Indices = DefaultIndices<Dictionary<Key, Value>.Keys>
    @frozen struct Iterator : IteratorProtocol {
      var _base: Dictionary<Key, Value>.Iterator
      typealias Element = Key
    }
  }
  @frozen struct Values : MutableCollection, CustomStringConvertible, CustomDebugStringConvertible {
    typealias Element = Value
    var _variant: Dictionary<Key, Value>._Variant
    typealias Index = Dictionary<Key, Value>.Index
    typealias Indices = DefaultIndices<Dictionary<Key, Value>.Values>
    typealias SubSequence = Slice<Dictionary<Key, Value>.Values>
    @frozen struct Iterator : IteratorProtocol {
      var _base: Dictionary<Key, Value>.Iterator
      typealias Element = Value
    }
  }
  @frozen struct Index : Equatable, Comparable, Hashable {
    var _variant: Dictionary<Key, Value>.Index._Variant
    @frozen enum _Variant : Sendable {
      case native(_HashTable.Index)
    }
  }
  @frozen struct Iterator : IteratorProtocol {
    var _variant: Dictionary<Key, Value>.Iterator._Variant
    typealias Element = (key: Key, value: Value)
    @frozen enum _Variant {
      case native(_NativeDictionary<Key, Value>.Iterator)
    }
  }
  @frozen struct _Variant : _DictionaryBuffer {
    var object: _BridgeStorage<__RawDictionaryStorage>
    typealias Element = (key: Key, value: Value)
    typealias Index = Dictionary<Key, Value>.Index
  }
}
#if !$Embedded
extension Dictionary : CustomReflectable {}
extension Dictionary : Encodable where Key : Encodable, Value : Encodable {}
extension Dictionary : Decodable where Key : Decodable, Value : Decodable {}
#endif
extension Dictionary : Equatable where Value : Equatable {}
extension Dictionary : Hashable, _HasCustomAnyHashableRepresentation where Value : Hashable {}
extension Dictionary : Sendable where Key : Sendable, Value : Sendable {}
extension Dictionary.Keys : Sendable where Key : Sendable, Value : Sendable {}
extension Dictionary.Values : Sendable where Key : Sendable, Value : Sendable {}
extension Dictionary.Keys.Iterator : Sendable where Key : Sendable, Value : Sendable {}
extension Dictionary.Values.Iterator : Sendable where Key : Sendable, Value : Sendable {}
extension Dictionary.Index : Sendable where Key : Sendable, Value : Sendable {}
#if !$Embedded
extension Dictionary.Iterator : CustomReflectable {}
#endif
extension Dictionary.Iterator : Sendable where Key : Sendable, Value : Sendable {}
extension Dictionary.Iterator._Variant : Sendable where Key : Sendable, Value : Sendable {}

struct _DictionaryAnyHashableBox<Key, Value> : _AnyHashableBox where Key : Hashable, Value : Hashable {
  let _value: Dictionary<Key, Value>
  let _canonical: Dictionary<AnyHashable, AnyHashable>
}

@frozen enum _MergeError : Error, Equatable, Hashable {
  case keyCollision
}

@frozen struct _DictionaryBuilder<Key, Value> where Key : Hashable {
  var _target: _NativeDictionary<Key, Value>
  let _requestedCount: Int
}

@_fixed_layout class __RawDictionaryStorage : __SwiftNativeNSDictionary {
  final var _count: Int
  final var _capacity: Int
  final var _scale: Int8
  final var _reservedScale: Int8
  final var _extra: Int16
  final var _age: Int32
  final var _seed: Int
  final var _rawKeys: UnsafeMutableRawPointer
  final var _rawValues: UnsafeMutableRawPointer
  init(_doNotCallMe: ())
  override init()
}

@_fixed_layout class __EmptyDictionarySingleton : __RawDictionaryStorage {
  override init(_doNotCallMe: ())
}

final class _DictionaryStorage<Key, Value> : __RawDictionaryStorage, _NSDictionaryCore where Key : Hashable {
  override init(_doNotCallMe: ())
}

protocol _DictionaryBuffer {
  associatedtype Key
  associatedtype Value
  associatedtype Index
  var startIndex: Self.Index { get }
  var endIndex: Self.Index { get }
  func index(after i: Self.Index) -> Self.Index
  func index(forKey key: Self.Key) -> Self.Index?
  var count: Int { get }
  func contains(_ key: Self.Key) -> Bool
  func lookup(_ key: Self.Key) -> Self.Value?
  func lookup(_ index: Self.Index) -> (key: Self.Key, value: Self.Value)
  func key(at index: Self.Index) -> Self.Key
  func value(at index: Self.Index) -> Self.Value
}

protocol _HashTableDelegate {
  func hashValue(at bucket: _HashTable.Bucket) -> Int
  func moveEntry(from source: _HashTable.Bucket, to target: _HashTable.Bucket)
}

@frozen struct _HashTable : Sequence {
  typealias Word = _UnsafeBitset.Word
  var words: UnsafeMutablePointer<_UnsafeBitset.Word>
  let bucketMask: Int
  typealias Element = _HashTable.Bucket
  @frozen struct Bucket : Equatable, Comparable {
    var offset: Int
  }
  @frozen struct Index : Equatable, Comparable {
    let bucket: _HashTable.Bucket
    let age: Int32
  }
  @frozen struct Iterator : IteratorProtocol {
    let hashTable: _HashTable
    var wordIndex: Int
    var word: _UnsafeBitset.Word
    typealias Element = _HashTable.Bucket
  }
}

@frozen struct _NativeDictionary<Key, Value> : _DictionaryBuffer, _HashTableDelegate, Sequence where Key : Hashable {
  typealias Element = (key: Key, value: Value)
  var _storage: __RawDictionaryStorage
  typealias Bucket = _HashTable.Bucket
  typealias Index = Dictionary<Key, Value>.Index
  @frozen struct Iterator : IteratorProtocol {
    let base: _NativeDictionary<Key, Value>
    var iterator: _HashTable.Iterator
    typealias Element = (key: Key, value: Value)
  }
}

@frozen struct _NativeSet<Element> : _SetBuffer, _HashTableDelegate, Sequence where Element : Hashable {
  var _storage: __RawSetStorage
  typealias Bucket = _HashTable.Bucket
  typealias Index = Set<Element>.Index
  @frozen struct Iterator : IteratorProtocol {
    let base: _NativeSet<Element>
    var iterator: _HashTable.Iterator
  }
}

@frozen @_eagerMove struct Set<Element> : ExpressibleByArrayLiteral, Sequence, Collection, Equatable, Hashable, _HasCustomAnyHashableRepresentation, SetAlgebra, CustomStringConvertible, CustomDebugStringConvertible where Element : Hashable {
  var _variant: Set<Element>._Variant
  typealias ArrayLiteralElement = Element
  typealias Indices = DefaultIndices<Set<Element>>
  typealias SubSequence = Slice<Set<Element>>
  @frozen struct Index : Equatable, Comparable, Hashable {
    var _variant: Set<Element>.Index._Variant
    @frozen enum _Variant {
      case native(_HashTable.Index)
    }
  }
  @frozen struct Iterator : IteratorProtocol {
    var _variant: Set<Element>.Iterator._Variant
    @frozen enum _Variant {
      case native(_NativeSet<Element>.Iterator)
    }
  }
  @frozen struct _Variant : _SetBuffer {
    var object: _BridgeStorage<__RawSetStorage>
    typealias Index = Set<Element>.Index
  }
}
#if !$Embedded
extension Set : CustomReflectable {}
extension Set : Encodable where Element : Encodable {}
extension Set : Decodable where Element : Decodable {}
#endif
extension Set : Sendable where Element : Sendable {}
extension Set.Index : Sendable where Element : Sendable {}
#if !$Embedded
extension Set.Iterator : CustomReflectable {}
#endif
extension Set.Iterator : Sendable where Element : Sendable {}

struct _SetAnyHashableBox<Element> : _AnyHashableBox where Element : Hashable {
  let _value: Set<Element>
  let _canonical: Set<AnyHashable>
}

@frozen struct _SetBuilder<Element> where Element : Hashable {
  var _target: _NativeSet<Element>
  let _requestedCount: Int
}

@_fixed_layout class __RawSetStorage : __SwiftNativeNSSet {
  final var _count: Int
  final var _capacity: Int
  final var _scale: Int8
  final var _reservedScale: Int8
  final var _extra: Int16
  final var _age: Int32
  final var _seed: Int
  final var _rawElements: UnsafeMutableRawPointer
  init(_doNotCallMe: ())
  override init()
}

@_fixed_layout class __EmptySetSingleton : __RawSetStorage, _NSSetCore {
  override init(_doNotCallMe: ())
}

final class _SetStorage<Element> : __RawSetStorage, _NSSetCore where Element : Hashable {
  override init(_doNotCallMe: ())
}

protocol _SetBuffer {
  associatedtype Element
  associatedtype Index
  var startIndex: Self.Index { get }
  var endIndex: Self.Index { get }
  func index(after i: Self.Index) -> Self.Index
  func index(for element: Self.Element) -> Self.Index?
  var count: Int { get }
  func contains(_ member: Self.Element) -> Bool
  func element(at i: Self.Index) -> Self.Element
}

// Swift: Array, ContiguousArray, ArraySlice and their storage classes.

@frozen struct _ArrayBody {
  var _storage: _SwiftArrayBodyStorage
}

protocol _ArrayBufferProtocol : MutableCollection, RandomAccessCollection where Self.Indices == Range<Int> {
  init()
  init(_buffer: _ContiguousArrayBuffer<Self.Element>, shiftedToStartIndex: Int)
  init(copying buffer: Self)
  __consuming func _copyContents(subRange bounds: Range<Int>, initializing target: UnsafeMutablePointer<Self.Element>) -> UnsafeMutablePointer<Self.Element>
  mutating func requestUniqueMutableBackingBuffer(minimumCapacity: Int) -> _ContiguousArrayBuffer<Self.Element>?
  mutating func isMutableAndUniquelyReferenced() -> Bool
  func requestNativeBuffer() -> _ContiguousArrayBuffer<Self.Element>?
  mutating func replaceSubrange<C>(_ subrange: Range<Int>, with newCount: Int, elementsOf newValues: __owned C) where C : Collection, Self.Element == C.Element
  subscript(bounds: Range<Int>) -> _SliceBuffer<Self.Element> { get }
  func withUnsafeBufferPointer<R>(_ body: (UnsafeBufferPointer<Self.Element>) throws -> R) rethrows -> R
  func withUnsafeBufferPointer<R, E>(_ body: (UnsafeBufferPointer<Self.Element>) throws(E) -> R) throws(E) -> R where E : Error
  mutating func withUnsafeMutableBufferPointer<R>(_ body: (UnsafeMutableBufferPointer<Self.Element>) throws -> R) rethrows -> R
  mutating func withUnsafeMutableBufferPointer<R, E>(_ body: (UnsafeMutableBufferPointer<Self.Element>) throws(E) -> R) throws(E) -> R where E : Error
  override var count: Int { get set }
  var capacity: Int { get }
  #if !$Embedded
  var owner: AnyObject { get }
  #else
  typealias AnyObject = Builtin.NativeObject
  var owner: Builtin.NativeObject { get }
  #endif
  var firstElementAddress: UnsafeMutablePointer<Self.Element> { get }
  var firstElementAddressIfContiguous: UnsafeMutablePointer<Self.Element>? { get }
  var subscriptBaseAddress: UnsafeMutablePointer<Self.Element> { get }
  var identity: UnsafeRawPointer { get }
}

@frozen @_eagerMove struct Array<Element> : _DestructorSafeContainer, _ArrayProtocol, RandomAccessCollection, MutableCollection, ExpressibleByArrayLiteral, RangeReplaceableCollection, CustomStringConvertible, CustomDebugStringConvertible, _HasContiguousBytes {
  #if _runtime(_ObjC)
  typealias _Buffer = _ArrayBuffer<Element>
  var _buffer: _ArrayBuffer<Element>
  #else
  typealias _Buffer = _ContiguousArrayBuffer<Element>
  var _buffer: _ContiguousArrayBuffer<Element>
  #endif
  #if $Embedded
  typealias AnyObject = Builtin.NativeObject
  #endif
  typealias Index = Int
  typealias Indices = Range<Int>
  typealias Iterator = IndexingIterator<Array<Element>>
  typealias SubSequence = ArraySlice<Element>
  typealias ArrayLiteralElement = Element
}
#if !$Embedded
extension Array : CustomReflectable {}
#endif
extension Array : Equatable where Element : Equatable {}
extension Array : Hashable, _HasCustomAnyHashableRepresentation where Element : Hashable {}
extension Array : Sendable where Element : Sendable {}
#if !$Embedded
extension Array : Encodable where Element : Encodable {}
extension Array : Decodable where Element : Decodable {}
#endif

protocol _ArrayAnyHashableProtocol : _AnyHashableBox {
  var count: Int { get }
  subscript(index: Int) -> AnyHashable { get }
}

struct _ArrayAnyHashableBox<Element> : _ArrayAnyHashableProtocol where Element : Hashable {
  let _value: [Element]
}

@frozen struct _DependenceToken {}

@frozen struct ArraySlice<Element> : _DestructorSafeContainer, _ArrayProtocol, RandomAccessCollection, MutableCollection, ExpressibleByArrayLiteral, RangeReplaceableCollection, CustomStringConvertible, CustomDebugStringConvertible {
  typealias _Buffer = _SliceBuffer<Element>
  var _buffer: _SliceBuffer<Element>
  #if $Embedded
  typealias AnyObject = Builtin.NativeObject
  #endif
  typealias Index = Int
  typealias Indices = Range<Int>
  typealias Iterator = IndexingIterator<ArraySlice<Element>>
  typealias SubSequence = ArraySlice<Element>
  typealias ArrayLiteralElement = Element
}
#if !$Embedded
extension ArraySlice : CustomReflectable {}
#endif
extension ArraySlice : Equatable where Element : Equatable {}
extension ArraySlice : Hashable where Element : Hashable {}
extension ArraySlice : Sendable where Element : Sendable {}

protocol _ArrayProtocol : ExpressibleByArrayLiteral, RangeReplaceableCollection where Self.Element == Self._Buffer.Element, Self.Indices == Range<Int>, Self._Buffer : _ArrayBufferProtocol {
  var capacity: Int { get }
  #if !$Embedded
  var _owner: AnyObject? { get }
  #else
  typealias AnyObject = Builtin.NativeObject
  var _owner: Builtin.NativeObject? { get }
  #endif
  var _baseAddressIfContiguous: UnsafeMutablePointer<Self.Element>? { get }
  override mutating func reserveCapacity(_ minimumCapacity: Int)
  override mutating func insert(_ newElement: __owned Self.Element, at i: Int)
  override mutating func remove(at index: Int) -> Self.Element
  associatedtype _Buffer
  init(_ buffer: Self._Buffer)
  var _buffer: Self._Buffer { get }
}

@frozen @_eagerMove struct ContiguousArray<Element> : _DestructorSafeContainer, _ArrayProtocol, RandomAccessCollection, MutableCollection, ExpressibleByArrayLiteral, RangeReplaceableCollection, CustomStringConvertible, CustomDebugStringConvertible, _HasContiguousBytes {
  typealias _Buffer = _ContiguousArrayBuffer<Element>
  var _buffer: _ContiguousArrayBuffer<Element>
  #if $Embedded
  typealias AnyObject = Builtin.NativeObject
  #endif
  typealias Index = Int
  typealias Indices = Range<Int>
  typealias Iterator = IndexingIterator<ContiguousArray<Element>>
  typealias SubSequence = ArraySlice<Element>
  typealias ArrayLiteralElement = Element
}
#if !$Embedded
extension ContiguousArray : CustomReflectable {}
extension ContiguousArray : Encodable where Element : Encodable {}
extension ContiguousArray : Decodable where Element : Decodable {}
#endif
extension ContiguousArray : Equatable where Element : Equatable {}
extension ContiguousArray : Hashable where Element : Hashable {}
extension ContiguousArray : Sendable where Element : Sendable {}

protocol _HasContiguousBytes {
  func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R
  var _providesContiguousBytesNoCopy: Bool { get }
}

@_fixed_layout final class __EmptyArrayStorage : __ContiguousArrayStorageBase {
  init(_doNotCallMe: ())
  override init(_doNotCallMeBase: ())
}

@_fixed_layout final class __StaticArrayStorage : __ContiguousArrayStorageBase {
  init(_doNotCallMe: ())
  override init(_doNotCallMeBase: ())
}

@_fixed_layout final class _ContiguousArrayStorage<Element> : __ContiguousArrayStorageBase {
  override init(_doNotCallMeBase: ())
}

@frozen struct _ContiguousArrayBuffer<Element> : _ArrayBufferProtocol, RandomAccessCollection {
  var _storage: __ContiguousArrayStorageBase
  #if $Embedded
  typealias AnyObject = Builtin.NativeObject
  #endif
  typealias Indices = Range<Int>
  typealias Index = Int
  typealias Iterator = IndexingIterator<_ContiguousArrayBuffer<Element>>
  typealias SubSequence = _SliceBuffer<Element>
}

#if _runtime(_ObjC)
@frozen struct _ArrayBuffer<Element> : _ArrayBufferProtocol, RandomAccessCollection {
  var _storage: _BridgeStorage<__ContiguousArrayStorageBase>
  typealias Indices = Range<Int>
  typealias Index = Int
  typealias Iterator = IndexingIterator<_ArrayBuffer<Element>>
  typealias SubSequence = _SliceBuffer<Element>
}

@frozen struct _CocoaArrayWrapper {
  var buffer: AnyObject
}
#endif

@frozen struct _UnsafePartiallyInitializedContiguousArrayBuffer<Element> {
  var result: _ContiguousArrayBuffer<Element>
  var p: UnsafeMutablePointer<Element>
  var remainingCapacity: Int
}

@_fixed_layout class __SwiftNativeNSArrayWithContiguousStorage {
  init()
}

@_fixed_layout class __ContiguousArrayStorageBase : __SwiftNativeNSArrayWithContiguousStorage {
  final var countAndCapacity: _ArrayBody
  init(_doNotCallMeBase: ())
  func canStoreElements(ofDynamicType _: any Any.Type) -> Bool
  #if !$Embedded
  var staticElementType: any Any.Type { get }
  #endif
  override init()
}

@frozen struct _SliceBuffer<Element> : _ArrayBufferProtocol, RandomAccessCollection {
  #if $Embedded
  typealias AnyObject = Builtin.NativeObject
  #endif
  typealias NativeStorage = _ContiguousArrayStorage<Element>
  typealias NativeBuffer = _ContiguousArrayBuffer<Element>
  #if !$Embedded
  var owner: AnyObject
  #else
  var owner: Builtin.NativeObject
  #endif
  let subscriptBaseAddress: UnsafeMutablePointer<Element>
  var startIndex: Int
  var endIndexAndFlags: UInt
  typealias Indices = Range<Int>
  typealias Index = Int
  typealias Iterator = IndexingIterator<_SliceBuffer<Element>>
  typealias SubSequence = _SliceBuffer<Element>
}

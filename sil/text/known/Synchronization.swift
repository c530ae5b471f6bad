// Synchronization: Atomic, Mutex and their storage.

@frozen @_rawLayout(like: Value.AtomicRepresentation) struct Atomic<Value> : ~Copyable where Value : AtomicRepresentable {}
extension Atomic : Sendable where Value : Sendable {}

@frozen struct AtomicLazyReference<Instance> : ~Copyable where Instance : AnyObject {
  let storage: Atomic<Unmanaged<Instance>?>
}
extension AtomicLazyReference : Sendable where Instance : Sendable {}

@frozen struct AtomicLoadOrdering : Equatable, Hashable, CustomStringConvertible {
  var _rawValue: Int
}

@frozen struct AtomicStoreOrdering : Equatable, Hashable, CustomStringConvertible {
  var _rawValue: Int
}

@frozen struct AtomicUpdateOrdering : Equatable, Hashable, CustomStringConvertible {
  var _rawValue: Int
}

protocol AtomicOptionalRepresentable : AtomicRepresentable where Self.AtomicOptionalRepresentation : BitwiseCopyable {
  associatedtype AtomicOptionalRepresentation
  static func encodeAtomicOptionalRepresentation(_ value: consuming Self?) -> Self.AtomicOptionalRepresentation
  static func decodeAtomicOptionalRepresentation(_ representation: consuming Self.AtomicOptionalRepresentation) -> Self?
}

protocol AtomicRepresentable where Self.AtomicRepresentation : BitwiseCopyable {
  associatedtype AtomicRepresentation
  static func encodeAtomicRepresentation(_ value: consuming Self) -> Self.AtomicRepresentation
  static func decodeAtomicRepresentation(_ storage: consuming Self.AtomicRepresentation) -> Self
}

@frozen struct WordPair : AtomicRepresentable, Equatable, Hashable, Comparable, CustomStringConvertible, CustomDebugStringConvertible, Sendable {
  var first: UInt
  var second: UInt
  #if _pointerBitWidth(_64)
  typealias AtomicRepresentation = _Atomic128BitStorage
  #else
  typealias AtomicRepresentation = _Atomic64BitStorage
  #endif
}

@frozen @_rawLayout(like: Value) struct _Cell<Value> : ~Copyable where Value : ~Copyable {}

@frozen @_alignment(1) struct _Atomic8BitStorage {
  var _storage: Builtin.Int8
}

@frozen @_alignment(2) struct _Atomic16BitStorage {
  var _storage: Builtin.Int16
}

@frozen @_alignment(4) struct _Atomic32BitStorage {
  var _storage: Builtin.Int32
}

@frozen @_alignment(8) struct _Atomic64BitStorage {
  var _storage: Builtin.Int64
}

@frozen @_alignment(16) struct _Atomic128BitStorage {
  var _storage: Builtin.Int128
}

#if !$Embedded
@frozen struct _MutexHandle : ~Copyable {
  let storage: Atomic<UInt32>
}

@frozen struct Mutex<Value> : ~Copyable where Value : ~Copyable {
  let handle: _MutexHandle
  let value: _Cell<Value>
}
extension Mutex : Sendable where Value : ~Copyable {}
#endif
extension Bool : AtomicRepresentable {
  typealias AtomicRepresentation = _Atomic8BitStorage
}
extension Float16 : AtomicRepresentable {
  typealias AtomicRepresentation = _Atomic16BitStorage
}
extension Float : AtomicRepresentable {
  typealias AtomicRepresentation = _Atomic32BitStorage
}
extension Double : AtomicRepresentable {
  typealias AtomicRepresentation = _Atomic64BitStorage
}
extension RawRepresentable where Self : AtomicOptionalRepresentable, Self.RawValue : AtomicOptionalRepresentable {
  typealias AtomicOptionalRepresentation = Self.RawValue.AtomicOptionalRepresentation
}
extension RawRepresentable where Self : AtomicRepresentable, Self.RawValue : AtomicRepresentable {
  typealias AtomicRepresentation = Self.RawValue.AtomicRepresentation
}
extension Optional : AtomicRepresentable where Wrapped : AtomicOptionalRepresentable {
  typealias AtomicRepresentation = Wrapped.AtomicOptionalRepresentation
}
extension UnsafePointer : AtomicRepresentable, AtomicOptionalRepresentable where Pointee : ~Copyable {
  #if _pointerBitWidth(_64)
  typealias AtomicRepresentation = _Atomic64BitStorage
  typealias AtomicOptionalRepresentation = _Atomic64BitStorage
  #else
  typealias AtomicRepresentation = _Atomic32BitStorage
  typealias AtomicOptionalRepresentation = _Atomic32BitStorage
  #endif
}
extension UnsafeMutablePointer : AtomicRepresentable, AtomicOptionalRepresentable where Pointee : ~Copyable {
  #if _pointerBitWidth(_64)
  typealias AtomicRepresentation = _Atomic64BitStorage
  typealias AtomicOptionalRepresentation = _Atomic64BitStorage
  #else
  typealias AtomicRepresentation = _Atomic32BitStorage
  typealias AtomicOptionalRepresentation = _Atomic32BitStorage
  #endif
}
extension UnsafeRawPointer : AtomicRepresentable, AtomicOptionalRepresentable {
  #if _pointerBitWidth(_64)
  typealias AtomicRepresentation = _Atomic64BitStorage
  typealias AtomicOptionalRepresentation = _Atomic64BitStorage
  #else
  typealias AtomicRepresentation = _Atomic32BitStorage
  typealias AtomicOptionalRepresentation = _Atomic32BitStorage
  #endif
}
extension UnsafeMutableRawPointer : AtomicRepresentable, AtomicOptionalRepresentable {
  #if _pointerBitWidth(_64)
  typealias AtomicRepresentation = _Atomic64BitStorage
  typealias AtomicOptionalRepresentation = _Atomic64BitStorage
  #else
  typealias AtomicRepresentation = _Atomic32BitStorage
  typealias AtomicOptionalRepresentation = _Atomic32BitStorage
  #endif
}
extension Unmanaged : AtomicRepresentable, AtomicOptionalRepresentable {
  #if _pointerBitWidth(_64)
  typealias AtomicRepresentation = _Atomic64BitStorage
  typealias AtomicOptionalRepresentation = _Atomic64BitStorage
  #else
  typealias AtomicRepresentation = _Atomic32BitStorage
  typealias AtomicOptionalRepresentation = _Atomic32BitStorage
  #endif
}
extension OpaquePointer : AtomicRepresentable, AtomicOptionalRepresentable {
  #if _pointerBitWidth(_64)
  typealias AtomicRepresentation = _Atomic64BitStorage
  typealias AtomicOptionalRepresentation = _Atomic64BitStorage
  #else
  typealias AtomicRepresentation = _Atomic32BitStorage
  typealias AtomicOptionalRepresentation = _Atomic32BitStorage
  #endif
}
extension ObjectIdentifier : AtomicRepresentable, AtomicOptionalRepresentable {
  #if _pointerBitWidth(_64)
  typealias AtomicRepresentation = _Atomic64BitStorage
  typealias AtomicOptionalRepresentation = _Atomic64BitStorage
  #else
  typealias AtomicRepresentation = _Atomic32BitStorage
  typealias AtomicOptionalRepresentation = _Atomic32BitStorage
  #endif
}
extension UnsafeBufferPointer : AtomicRepresentable where Element : ~Copyable {
  #if _pointerBitWidth(_64)
  typealias AtomicRepresentation = _Atomic128BitStorage
  #else
  typealias AtomicRepresentation = _Atomic64BitStorage
  #endif
}
extension UnsafeMutableBufferPointer : AtomicRepresentable where Element : ~Copyable {
  #if _pointerBitWidth(_64)
  typealias AtomicRepresentation = _Atomic128BitStorage
  #else
  typealias AtomicRepresentation = _Atomic64BitStorage
  #endif
}
extension UnsafeRawBufferPointer : AtomicRepresentable {
  #if _pointerBitWidth(_64)
  typealias AtomicRepresentation = _Atomic128BitStorage
  #else
  typealias AtomicRepresentation = _Atomic64BitStorage
  #endif
}
extension UnsafeMutableRawBufferPointer : AtomicRepresentable {
  #if _pointerBitWidth(_64)
  typealias AtomicRepresentation = _Atomic128BitStorage
  #else
  typealias AtomicRepresentation = _Atomic64BitStorage
  #endif
}
extension Never : AtomicRepresentable {
  typealias AtomicRepresentation = Never
}
#if _pointerBitWidth(_64)
extension Duration : AtomicRepresentable {
  typealias AtomicRepresentation = _Atomic128BitStorage
}
#endif
extension Int : AtomicRepresentable {
  #if _pointerBitWidth(_64)
  typealias AtomicRepresentation = _Atomic64BitStorage
  #else
  typealias AtomicRepresentation = _Atomic32BitStorage
  #endif
}
extension Int8 : AtomicRepresentable {
  typealias AtomicRepresentation = _Atomic8BitStorage
}
extension Int16 : AtomicRepresentable {
  typealias AtomicRepresentation = _Atomic16BitStorage
}
extension Int32 : AtomicRepresentable {
  typealias AtomicRepresentation = _Atomic32BitStorage
}
extension Int64 : AtomicRepresentable {
  typealias AtomicRepresentation = _Atomic64BitStorage
}
#if _pointerBitWidth(_64)
extension Int128 : AtomicRepresentable {
  typealias AtomicRepresentation = _Atomic128BitStorage
}
#endif
extension UInt : AtomicRepresentable {
  #if _pointerBitWidth(_64)
  typealias AtomicRepresentation = _Atomic64BitStorage
  #else
  typealias AtomicRepresentation = _Atomic32BitStorage
  #endif
}
extension UInt8 : AtomicRepresentable {
  typealias AtomicRepresentation = _Atomic8BitStorage
}
extension UInt16 : AtomicRepresentable {
  typealias AtomicRepresentation = _Atomic16BitStorage
}
extension UInt32 : AtomicRepresentable {
  typealias AtomicRepresentation = _Atomic32BitStorage
}
extension UInt64 : AtomicRepresentable {
  typealias AtomicRepresentation = _Atomic64BitStorage
}
#if _pointerBitWidth(_64)
extension UInt128 : AtomicRepresentable {
  typealias AtomicRepresentation = _Atomic128BitStorage
}
#endif

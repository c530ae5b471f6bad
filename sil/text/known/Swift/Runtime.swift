// Swift: random numbers, output, ManagedBuffer, the Embedded runtime, and what belongs nowhere else.

typealias _HeapObject = HeapObject
typealias _CFloat16Argument = Float16
#if !$Embedded
typealias EnumeratedIterator<T> = EnumeratedSequence<T>.Iterator where T : Sequence
typealias DictionaryLiteral<Key, Value> = KeyValuePairs<Key, Value>
#endif
typealias UTF8 = Unicode.UTF8
typealias UTF16 = Unicode.UTF16
typealias UTF32 = Unicode.UTF32
typealias UnicodeScalar = Unicode.Scalar
typealias PlaygroundQuickLook = _PlaygroundQuickLook

#if !$Embedded
@frozen enum _DebuggerSupport {
  enum CollectionStatus : Equatable, Hashable {
    case notACollection
    case collectionOfElements
    case collectionOfPairs
    case element
    case pair
    case elementOfPair
  }
}
#endif
@_fixed_layout open class ManagedBuffer<Header, Element> where Element : ~Copyable {
  final var header: Header
  init(_doNotCallMe: ())
}

@frozen struct ManagedBufferPointer<Header, Element> : Copyable where Element : ~Copyable {
  var _nativeBuffer: Builtin.NativeObject
}
extension ManagedBufferPointer : Equatable where Element : ~Copyable {}

protocol TextOutputStream {
  mutating func _lock()
  mutating func _unlock()
  mutating func write(_ string: String)
  mutating func _writeASCII(_ buffer: UnsafeBufferPointer<UInt8>)
}

protocol TextOutputStreamable {
  func write<Target>(to target: inout Target) where Target : TextOutputStream
}

protocol CustomStringConvertible {
  var description: String { get }
}

protocol LosslessStringConvertible : CustomStringConvertible {
  init?(_ description: String)
}

protocol CustomDebugStringConvertible {
  var debugDescription: String { get }
}

struct _Stdout : TextOutputStream {}

struct _TeeStream<L, R> : TextOutputStream where L : TextOutputStream, R : TextOutputStream {
  var left: L
  var right: R
}

enum _PtrAuth {
  struct Key {
    var _value: Int32
  }
}

protocol RandomNumberGenerator {
  mutating func next() -> UInt64
}

@frozen struct SystemRandomNumberGenerator : RandomNumberGenerator, Sendable {}

struct _Buffer32 {
  var _x0: UInt8
  var _x1: UInt8
  var _x2: UInt8
  var _x3: UInt8
  var _x4: UInt8
  var _x5: UInt8
  var _x6: UInt8
  var _x7: UInt8
  var _x8: UInt8
  var _x9: UInt8
  var _x10: UInt8
  var _x11: UInt8
  var _x12: UInt8
  var _x13: UInt8
  var _x14: UInt8
  var _x15: UInt8
  var _x16: UInt8
  var _x17: UInt8
  var _x18: UInt8
  var _x19: UInt8
  var _x20: UInt8
  var _x21: UInt8
  var _x22: UInt8
  var _x23: UInt8
  var _x24: UInt8
  var _x25: UInt8
  var _x26: UInt8
  var _x27: UInt8
  var _x28: UInt8
  var _x29: UInt8
  var _x30: UInt8
  var _x31: UInt8
}

struct _Buffer72 {
  var _x0: UInt8
  var _x1: UInt8
  var _x2: UInt8
  var _x3: UInt8
  var _x4: UInt8
  var _x5: UInt8
  var _x6: UInt8
  var _x7: UInt8
  var _x8: UInt8
  var _x9: UInt8
  var _x10: UInt8
  var _x11: UInt8
  var _x12: UInt8
  var _x13: UInt8
  var _x14: UInt8
  var _x15: UInt8
  var _x16: UInt8
  var _x17: UInt8
  var _x18: UInt8
  var _x19: UInt8
  var _x20: UInt8
  var _x21: UInt8
  var _x22: UInt8
  var _x23: UInt8
  var _x24: UInt8
  var _x25: UInt8
  var _x26: UInt8
  var _x27: UInt8
  var _x28: UInt8
  var _x29: UInt8
  var _x30: UInt8
  var _x31: UInt8
  var _x32: UInt8
  var _x33: UInt8
  var _x34: UInt8
  var _x35: UInt8
  var _x36: UInt8
  var _x37: UInt8
  var _x38: UInt8
  var _x39: UInt8
  var _x40: UInt8
  var _x41: UInt8
  var _x42: UInt8
  var _x43: UInt8
  var _x44: UInt8
  var _x45: UInt8
  var _x46: UInt8
  var _x47: UInt8
  var _x48: UInt8
  var _x49: UInt8
  var _x50: UInt8
  var _x51: UInt8
  var _x52: UInt8
  var _x53: UInt8
  var _x54: UInt8
  var _x55: UInt8
  var _x56: UInt8
  var _x57: UInt8
  var _x58: UInt8
  var _x59: UInt8
  var _x60: UInt8
  var _x61: UInt8
  var _x62: UInt8
  var _x63: UInt8
  var _x64: UInt8
  var _x65: UInt8
  var _x66: UInt8
  var _x67: UInt8
  var _x68: UInt8
  var _x69: UInt8
  var _x70: UInt8
  var _x71: UInt8
}

@_fixed_layout class __SwiftNativeNSArray {
  init()
}

@_fixed_layout class __SwiftNativeNSDictionary {
  init()
}

@_fixed_layout class __SwiftNativeNSSet {
  init()
}

#if !$Embedded
struct _ThreadLocalStorage {}
#endif
@frozen enum _PlaygroundQuickLook {
  case text(String)
  case int(Int64)
  case uInt(UInt64)
  case float(Float)
  case double(Double)
  case image(Any)
  case sound(Any)
  case color(Any)
  case bezierPath(Any)
  case attributedString(Any)
  case rectangle(Double, Double, Double, Double)
  case point(Double, Double)
  case size(Double, Double)
  case bool(Bool)
  case range(Int64, Int64)
  case view(Any)
  case sprite(Any)
  case url(String)
  case _raw([UInt8], String)
}

protocol _CustomPlaygroundQuickLookable {
  var customPlaygroundQuickLook: _PlaygroundQuickLook { get }
}

protocol __DefaultCustomPlaygroundQuickLookable {
  var _defaultCustomPlaygroundQuickLook: _PlaygroundQuickLook { get }
}

#if !$Embedded
@frozen enum CommandLine : ~BitwiseCopyable {}

final class _stdlib_AtomicInt {
  var _value: Int
  init(_ value: Int = 0)
}
#else
struct ClassMetadata {
  var superclassMetadata: UnsafeMutablePointer<ClassMetadata>?
  var destroy: UnsafeRawPointer
  var ivarDestroyer: UnsafeRawPointer?
}

struct HeapObject {
  var metadata: UnsafeRawPointer
  var refcount: Int
}
#endif
extension _SwiftStdlibVersion : CustomStringConvertible {}

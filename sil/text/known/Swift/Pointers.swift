// Swift: unsafe pointers, buffers, Unmanaged, MemoryLayout.

#if !$Embedded
typealias _CustomReflectableOrNone = CustomReflectable
typealias _CustomDebugStringConvertibleOrNone = CustomDebugStringConvertible
#else
typealias _CustomReflectableOrNone = Any
typealias _CustomDebugStringConvertibleOrNone = Any
#endif

@frozen enum MemoryLayout<T> : ~BitwiseCopyable, Copyable, Escapable where T : ~Copyable, T : ~Escapable {}

#if !$Embedded
protocol _Pointer : BitwiseCopyable, CustomDebugStringConvertible, CustomReflectable, Hashable, Strideable where Self.Pointee : ~Copyable {
  typealias Distance = Int
  associatedtype Pointee
  var _rawValue: Builtin.RawPointer { get }
  init(_ _rawValue: Builtin.RawPointer)
}
#else
protocol _Pointer : BitwiseCopyable, Hashable, Strideable where Self.Pointee : ~Copyable {
  typealias Distance = Int
  associatedtype Pointee
  var _rawValue: Builtin.RawPointer { get }
  init(_ _rawValue: Builtin.RawPointer)
}
#endif

@frozen struct Unmanaged<Instance> where Instance : AnyObject {
  unowned(unsafe) var _value: Instance
}
extension Unmanaged : Sendable where Instance : Sendable {}

@frozen struct UnsafePointer<Pointee> : Copyable where Pointee : ~Copyable {
  let _rawValue: Builtin.RawPointer
}
extension UnsafePointer : _Pointer, Equatable, Hashable, Comparable, Strideable where Pointee : ~Copyable {
  typealias Distance = Int
  typealias Stride = Int
}
#if !$Embedded
extension UnsafePointer : CustomDebugStringConvertible, CustomReflectable, CVarArg where Pointee : ~Copyable {}
#endif
extension UnsafePointer : _CustomPlaygroundQuickLookable {}

@frozen struct UnsafeMutablePointer<Pointee> : Copyable where Pointee : ~Copyable {
  let _rawValue: Builtin.RawPointer
}
extension UnsafeMutablePointer : _Pointer, Equatable, Hashable, Comparable, Strideable where Pointee : ~Copyable {
  typealias Distance = Int
  typealias Stride = Int
}
#if !$Embedded
extension UnsafeMutablePointer : CustomDebugStringConvertible, CustomReflectable, CVarArg where Pointee : ~Copyable {}
#endif
extension UnsafeMutablePointer : _CustomPlaygroundQuickLookable {}

@frozen struct UnsafeRawPointer : _Pointer, Strideable, _CustomPlaygroundQuickLookable {
  typealias Pointee = UInt8
  let _rawValue: Builtin.RawPointer
  typealias Stride = Int
  enum _UTF8ValidationResult {
    case success(isASCII: Bool)
    case error(Range<Int>)
  }
}

@frozen struct UnsafeMutableRawPointer : _Pointer, Strideable, _CustomPlaygroundQuickLookable {
  typealias Pointee = UInt8
  let _rawValue: Builtin.RawPointer
  typealias Stride = Int
}

enum _SwiftifyExpr {
  case param(_: Int)
  case `return`
  case `self`
}

enum _DependenceType : Equatable, Hashable {
  case borrow
  case copy
}

enum _SwiftifyInfo {
  case countedBy(pointer: _SwiftifyExpr, count: String)
  case sizedBy(pointer: _SwiftifyExpr, size: String)
  case endedBy(start: _SwiftifyExpr, end: Int)
  case nonescaping(pointer: _SwiftifyExpr)
  case lifetimeDependence(dependsOn: _SwiftifyExpr, pointer: _SwiftifyExpr, type: _DependenceType)
}

@frozen struct UnsafeMutableBufferPointer<Element> : Copyable where Element : ~Copyable {
  let _position: UnsafeMutablePointer<Element>?
  let count: Int
}
extension UnsafeMutableBufferPointer : _HasContiguousBytes, Sequence, Collection, MutableCollection, BidirectionalCollection, RandomAccessCollection {
  typealias Iterator = UnsafeBufferPointer<Element>.Iterator
  typealias Indices = Range<Int>
  typealias SubSequence = Slice<UnsafeMutableBufferPointer<Element>>
  typealias Index = Int
}
extension UnsafeMutableBufferPointer : BitwiseCopyable, CustomDebugStringConvertible where Element : ~Copyable {
  typealias Index = Int
}

@frozen struct UnsafeBufferPointer<Element> : Copyable where Element : ~Copyable {
  let _position: UnsafePointer<Element>?
  let count: Int
}
extension UnsafeBufferPointer : _HasContiguousBytes, Sequence, Collection, BidirectionalCollection, RandomAccessCollection {
  typealias Indices = Range<Int>
  typealias SubSequence = Slice<UnsafeBufferPointer<Element>>
  typealias Index = Int
  @frozen struct Iterator : IteratorProtocol {
    var _position: UnsafePointer<Element>?
    var _end: UnsafePointer<Element>?
  }
}
extension UnsafeBufferPointer : BitwiseCopyable, CustomDebugStringConvertible where Element : ~Copyable {
  typealias Index = Int
}

@frozen struct UnsafeMutableRawBufferPointer : _HasContiguousBytes, Sequence, MutableCollection, RandomAccessCollection, CustomDebugStringConvertible {
  let _position: UnsafeMutableRawPointer?
  let _end: UnsafeMutableRawPointer?
  typealias Iterator = UnsafeRawBufferPointer.Iterator
  typealias SubSequence = Slice<UnsafeMutableRawBufferPointer>
  typealias Element = UInt8
  typealias Index = Int
  typealias Indices = Range<Int>
}

@frozen struct UnsafeRawBufferPointer : _HasContiguousBytes, Sequence, Collection, RandomAccessCollection, CustomDebugStringConvertible {
  let _position: UnsafeRawPointer?
  let _end: UnsafeRawPointer?
  typealias SubSequence = Slice<UnsafeRawBufferPointer>
  typealias Element = UInt8
  typealias Index = Int
  typealias Indices = Range<Int>
  @frozen struct Iterator : IteratorProtocol, Sequence {
    var _position: UnsafeRawPointer?
    var _end: UnsafeRawPointer?
    typealias Element = UInt8
    typealias Iterator = UnsafeRawBufferPointer.Iterator
  }
}

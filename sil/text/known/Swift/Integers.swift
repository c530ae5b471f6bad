// Swift: the integer types and their protocols.

#if !$Embedded
typealias _LosslessStringConvertibleOrNone = LosslessStringConvertible
#endif
typealias _Wide2<F> = (high: F, low: F.Magnitude) where F : FixedWidthInteger
typealias _Wide3<F> = (high: F, mid: F.Magnitude, low: F.Magnitude) where F : FixedWidthInteger
typealias _Wide4<F> = (high: (high: F, low: F.Magnitude), low: (high: F.Magnitude, low: F.Magnitude)) where F : FixedWidthInteger

protocol AdditiveArithmetic : Equatable {
  static var zero: Self { get }
  static func + (lhs: Self, rhs: Self) -> Self
  static func += (lhs: inout Self, rhs: Self)
  static func - (lhs: Self, rhs: Self) -> Self
  static func -= (lhs: inout Self, rhs: Self)
}

protocol Numeric : AdditiveArithmetic, ExpressibleByIntegerLiteral where Self.Magnitude : Comparable, Self.Magnitude : Numeric {
  init?<T>(exactly source: T) where T : BinaryInteger
  associatedtype Magnitude
  var magnitude: Self.Magnitude { get }
  static func * (lhs: Self, rhs: Self) -> Self
  static func *= (lhs: inout Self, rhs: Self)
}

protocol SignedNumeric : Numeric {
  static func - (operand: Self) -> Self
  mutating func negate()
}

protocol BinaryInteger : CustomStringConvertible, Hashable, Numeric, Strideable where Self.Magnitude : BinaryInteger, Self.Magnitude == Self.Magnitude.Magnitude, Self.Words : RandomAccessCollection, Self.Words.Element == UInt, Self.Words.Index == Int {
  static var isSigned: Bool { get }
  init?<T>(exactly source: T) where T : BinaryFloatingPoint
  init<T>(_ source: T) where T : BinaryFloatingPoint
  init<T>(_ source: T) where T : BinaryInteger
  init<T>(truncatingIfNeeded source: T) where T : BinaryInteger
  init<T>(clamping source: T) where T : BinaryInteger
  associatedtype Words
  var words: Self.Words { get }
  var _lowWord: UInt { get }
  var bitWidth: Int { get }
  func _binaryLogarithm() -> Int
  var trailingZeroBitCount: Int { get }
  static func / (lhs: Self, rhs: Self) -> Self
  static func /= (lhs: inout Self, rhs: Self)
  static func % (lhs: Self, rhs: Self) -> Self
  static func %= (lhs: inout Self, rhs: Self)
  override static func + (lhs: Self, rhs: Self) -> Self
  override static func += (lhs: inout Self, rhs: Self)
  override static func - (lhs: Self, rhs: Self) -> Self
  override static func -= (lhs: inout Self, rhs: Self)
  override static func * (lhs: Self, rhs: Self) -> Self
  override static func *= (lhs: inout Self, rhs: Self)
  static func ~ (x: Self) -> Self
  static func & (lhs: Self, rhs: Self) -> Self
  static func &= (lhs: inout Self, rhs: Self)
  static func | (lhs: Self, rhs: Self) -> Self
  static func |= (lhs: inout Self, rhs: Self)
  static func ^ (lhs: Self, rhs: Self) -> Self
  static func ^= (lhs: inout Self, rhs: Self)
  static func >> <RHS>(lhs: Self, rhs: RHS) -> Self where RHS : BinaryInteger
  static func >>= <RHS>(lhs: inout Self, rhs: RHS) where RHS : BinaryInteger
  static func << <RHS>(lhs: Self, rhs: RHS) -> Self where RHS : BinaryInteger
  static func <<= <RHS>(lhs: inout Self, rhs: RHS) where RHS : BinaryInteger
  func quotientAndRemainder(dividingBy rhs: Self) -> (quotient: Self, remainder: Self)
  func isMultiple(of other: Self) -> Bool
  func signum() -> Self
}

#if $Embedded
protocol _LosslessStringConvertibleOrNone {}
#endif
#if !$Embedded
protocol FixedWidthInteger : BinaryInteger, LosslessStringConvertible where Self.Magnitude : FixedWidthInteger, Self.Magnitude : UnsignedInteger, Self.Stride : FixedWidthInteger, Self.Stride : SignedInteger {
  static var bitWidth: Int { get }
  static var max: Self { get }
  static var min: Self { get }
  func addingReportingOverflow(_ rhs: Self) -> (partialValue: Self, overflow: Bool)
  func subtractingReportingOverflow(_ rhs: Self) -> (partialValue: Self, overflow: Bool)
  func multipliedReportingOverflow(by rhs: Self) -> (partialValue: Self, overflow: Bool)
  func dividedReportingOverflow(by rhs: Self) -> (partialValue: Self, overflow: Bool)
  func remainderReportingOverflow(dividingBy rhs: Self) -> (partialValue: Self, overflow: Bool)
  func multipliedFullWidth(by other: Self) -> (high: Self, low: Self.Magnitude)
  func dividingFullWidth(_ dividend: (high: Self, low: Self.Magnitude)) -> (quotient: Self, remainder: Self)
  init(_truncatingBits bits: UInt)
  var nonzeroBitCount: Int { get }
  var leadingZeroBitCount: Int { get }
  init(bigEndian value: Self)
  init(littleEndian value: Self)
  var bigEndian: Self { get }
  var littleEndian: Self { get }
  var byteSwapped: Self { get }
  static func &>> (lhs: Self, rhs: Self) -> Self
  static func &>>= (lhs: inout Self, rhs: Self)
  static func &<< (lhs: Self, rhs: Self) -> Self
  static func &<<= (lhs: inout Self, rhs: Self)
  static func &* (lhs: Self, rhs: Self) -> Self
}
#else
protocol FixedWidthInteger : BinaryInteger, _LosslessStringConvertibleOrNone where Self.Magnitude : FixedWidthInteger, Self.Magnitude : UnsignedInteger, Self.Stride : FixedWidthInteger, Self.Stride : SignedInteger {
  static var bitWidth: Int { get }
  static var max: Self { get }
  static var min: Self { get }
  func addingReportingOverflow(_ rhs: Self) -> (partialValue: Self, overflow: Bool)
  func subtractingReportingOverflow(_ rhs: Self) -> (partialValue: Self, overflow: Bool)
  func multipliedReportingOverflow(by rhs: Self) -> (partialValue: Self, overflow: Bool)
  func dividedReportingOverflow(by rhs: Self) -> (partialValue: Self, overflow: Bool)
  func remainderReportingOverflow(dividingBy rhs: Self) -> (partialValue: Self, overflow: Bool)
  func multipliedFullWidth(by other: Self) -> (high: Self, low: Self.Magnitude)
  func dividingFullWidth(_ dividend: (high: Self, low: Self.Magnitude)) -> (quotient: Self, remainder: Self)
  init(_truncatingBits bits: UInt)
  var nonzeroBitCount: Int { get }
  var leadingZeroBitCount: Int { get }
  init(bigEndian value: Self)
  init(littleEndian value: Self)
  var bigEndian: Self { get }
  var littleEndian: Self { get }
  var byteSwapped: Self { get }
  static func &>> (lhs: Self, rhs: Self) -> Self
  static func &>>= (lhs: inout Self, rhs: Self)
  static func &<< (lhs: Self, rhs: Self) -> Self
  static func &<<= (lhs: inout Self, rhs: Self)
  static func &* (lhs: Self, rhs: Self) -> Self
}
#endif

protocol UnsignedInteger : BinaryInteger {}

protocol SignedInteger : BinaryInteger, SignedNumeric {
  static func _maskingAdd(_ lhs: Self, _ rhs: Self) -> Self
  static func _maskingSubtract(_ lhs: Self, _ rhs: Self) -> Self
}

@frozen struct Int128 : Sendable, ExpressibleByIntegerLiteral, _ExpressibleByBuiltinIntegerLiteral, Equatable, Comparable, Hashable, AdditiveArithmetic, SignedNumeric, BinaryInteger, FixedWidthInteger, SignedInteger {
  #if _pointerBitWidth(_64)
  var _value: Builtin.Int128
  #else
  var _low: UInt64
  var _high: Int64
  #endif
  typealias IntegerLiteralType = Int128
  typealias Magnitude = UInt128
  typealias Stride = Int
  typealias Words = UInt128.Words
}
#if !$Embedded
extension Int128 : Decodable, Encodable, CustomReflectable {}
#endif

@frozen struct StaticBigInt : _ExpressibleByBuiltinIntegerLiteral, ExpressibleByIntegerLiteral, Sendable, CustomDebugStringConvertible {
  let _value: Builtin.IntLiteral
  typealias IntegerLiteralType = StaticBigInt
}
#if !$Embedded
extension StaticBigInt : CustomReflectable {}
#endif

@frozen struct UInt128 : Sendable, ExpressibleByIntegerLiteral, _ExpressibleByBuiltinIntegerLiteral, Equatable, Comparable, Hashable, AdditiveArithmetic, Numeric, BinaryInteger, FixedWidthInteger, UnsignedInteger {
  #if _pointerBitWidth(_64)
  var _value: Builtin.Int128
  #else
  var _low: UInt64
  var _high: UInt64
  #endif
  typealias IntegerLiteralType = UInt128
  typealias Magnitude = UInt128
  typealias Stride = Int
  @frozen struct Words : RandomAccessCollection {
    let _value: UInt128
    typealias Element = UInt
    typealias Index = Int
    typealias SubSequence = Slice<UInt128.Words>
    typealias Indices = Range<Int>
    typealias Iterator = IndexingIterator<UInt128.Words>
  }
}
#if !$Embedded
extension UInt128 : Decodable, Encodable, CustomReflectable {}
#endif

@frozen struct UInt8 : FixedWidthInteger, UnsignedInteger, _ExpressibleByBuiltinIntegerLiteral, _StringElement, Hashable, _HasCustomAnyHashableRepresentation, Sendable, SIMDScalar {
  typealias IntegerLiteralType = UInt8
  var _value: Builtin.Int8
  typealias Magnitude = UInt8
  typealias Stride = Int
  typealias SIMDMaskScalar = Int8
  @frozen struct Words : RandomAccessCollection, Sendable {
    typealias Indices = Range<Int>
    typealias SubSequence = Slice<UInt8.Words>
    var _value: UInt8
    typealias Element = UInt
    typealias Index = Int
    typealias Iterator = IndexingIterator<UInt8.Words>
  }
  @frozen @_alignment(2) struct SIMD2Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec2xInt8
    typealias Scalar = UInt8
  }
  @frozen @_alignment(4) struct SIMD4Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec4xInt8
    typealias Scalar = UInt8
  }
  @frozen @_alignment(8) struct SIMD8Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec8xInt8
    typealias Scalar = UInt8
  }
  @frozen @_alignment(16) struct SIMD16Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec16xInt8
    typealias Scalar = UInt8
  }
  @frozen @_alignment(16) struct SIMD32Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec32xInt8
    typealias Scalar = UInt8
  }
  @frozen @_alignment(16) struct SIMD64Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec64xInt8
    typealias Scalar = UInt8
  }
}
#if !$Embedded
extension UInt8 : Decodable, Encodable, CustomReflectable, _CustomPlaygroundQuickLookable, CVarArg {}
#endif

@frozen struct Int8 : FixedWidthInteger, SignedInteger, _ExpressibleByBuiltinIntegerLiteral, Hashable, _HasCustomAnyHashableRepresentation, Sendable, SIMDScalar {
  typealias IntegerLiteralType = Int8
  var _value: Builtin.Int8
  typealias Magnitude = UInt8
  typealias Stride = Int
  typealias SIMDMaskScalar = Int8
  @frozen struct Words : RandomAccessCollection, Sendable {
    typealias Indices = Range<Int>
    typealias SubSequence = Slice<Int8.Words>
    var _value: Int8
    typealias Element = UInt
    typealias Index = Int
    typealias Iterator = IndexingIterator<Int8.Words>
  }
  @frozen @_alignment(2) struct SIMD2Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec2xInt8
    typealias Scalar = Int8
  }
  @frozen @_alignment(4) struct SIMD4Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec4xInt8
    typealias Scalar = Int8
  }
  @frozen @_alignment(8) struct SIMD8Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec8xInt8
    typealias Scalar = Int8
  }
  @frozen @_alignment(16) struct SIMD16Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec16xInt8
    typealias Scalar = Int8
  }
  @frozen @_alignment(16) struct SIMD32Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec32xInt8
    typealias Scalar = Int8
  }
  @frozen @_alignment(16) struct SIMD64Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec64xInt8
    typealias Scalar = Int8
  }
}
#if !$Embedded
extension Int8 : Decodable, Encodable, CustomReflectable, _CustomPlaygroundQuickLookable, CVarArg {}
#endif

@frozen struct UInt16 : FixedWidthInteger, UnsignedInteger, _ExpressibleByBuiltinIntegerLiteral, _StringElement, Hashable, _HasCustomAnyHashableRepresentation, Sendable, SIMDScalar {
  typealias IntegerLiteralType = UInt16
  var _value: Builtin.Int16
  typealias Magnitude = UInt16
  typealias Stride = Int
  typealias SIMDMaskScalar = Int16
  @frozen struct Words : RandomAccessCollection, Sendable {
    typealias Indices = Range<Int>
    typealias SubSequence = Slice<UInt16.Words>
    var _value: UInt16
    typealias Element = UInt
    typealias Index = Int
    typealias Iterator = IndexingIterator<UInt16.Words>
  }
  @frozen @_alignment(4) struct SIMD2Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec2xInt16
    typealias Scalar = UInt16
  }
  @frozen @_alignment(8) struct SIMD4Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec4xInt16
    typealias Scalar = UInt16
  }
  @frozen @_alignment(16) struct SIMD8Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec8xInt16
    typealias Scalar = UInt16
  }
  @frozen @_alignment(16) struct SIMD16Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec16xInt16
    typealias Scalar = UInt16
  }
  @frozen @_alignment(16) struct SIMD32Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec32xInt16
    typealias Scalar = UInt16
  }
  @frozen @_alignment(16) struct SIMD64Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec64xInt16
    typealias Scalar = UInt16
  }
}
#if !$Embedded
extension UInt16 : Decodable, Encodable, CustomReflectable, _CustomPlaygroundQuickLookable, CVarArg {}
#endif

@frozen struct Int16 : FixedWidthInteger, SignedInteger, _ExpressibleByBuiltinIntegerLiteral, Hashable, _HasCustomAnyHashableRepresentation, Sendable, SIMDScalar {
  typealias IntegerLiteralType = Int16
  var _value: Builtin.Int16
  typealias Magnitude = UInt16
  typealias Stride = Int
  typealias SIMDMaskScalar = Int16
  @frozen struct Words : RandomAccessCollection, Sendable {
    typealias Indices = Range<Int>
    typealias SubSequence = Slice<Int16.Words>
    var _value: Int16
    typealias Element = UInt
    typealias Index = Int
    typealias Iterator = IndexingIterator<Int16.Words>
  }
  @frozen @_alignment(4) struct SIMD2Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec2xInt16
    typealias Scalar = Int16
  }
  @frozen @_alignment(8) struct SIMD4Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec4xInt16
    typealias Scalar = Int16
  }
  @frozen @_alignment(16) struct SIMD8Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec8xInt16
    typealias Scalar = Int16
  }
  @frozen @_alignment(16) struct SIMD16Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec16xInt16
    typealias Scalar = Int16
  }
  @frozen @_alignment(16) struct SIMD32Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec32xInt16
    typealias Scalar = Int16
  }
  @frozen @_alignment(16) struct SIMD64Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec64xInt16
    typealias Scalar = Int16
  }
}
#if !$Embedded
extension Int16 : Decodable, Encodable, CustomReflectable, _CustomPlaygroundQuickLookable, CVarArg {}
#endif

@frozen struct UInt32 : FixedWidthInteger, UnsignedInteger, _ExpressibleByBuiltinIntegerLiteral, Hashable, _HasCustomAnyHashableRepresentation, Sendable, SIMDScalar {
  typealias IntegerLiteralType = UInt32
  var _value: Builtin.Int32
  typealias Magnitude = UInt32
  typealias Stride = Int
  typealias SIMDMaskScalar = Int32
  @frozen struct Words : RandomAccessCollection, Sendable {
    typealias Indices = Range<Int>
    typealias SubSequence = Slice<UInt32.Words>
    var _value: UInt32
    typealias Element = UInt
    typealias Index = Int
    typealias Iterator = IndexingIterator<UInt32.Words>
  }
  @frozen @_alignment(8) struct SIMD2Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec2xInt32
    typealias Scalar = UInt32
  }
  @frozen @_alignment(16) struct SIMD4Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec4xInt32
    typealias Scalar = UInt32
  }
  @frozen @_alignment(16) struct SIMD8Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec8xInt32
    typealias Scalar = UInt32
  }
  @frozen @_alignment(16) struct SIMD16Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec16xInt32
    typealias Scalar = UInt32
  }
  @frozen @_alignment(16) struct SIMD32Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec32xInt32
    typealias Scalar = UInt32
  }
  @frozen @_alignment(16) struct SIMD64Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec64xInt32
    typealias Scalar = UInt32
  }
}
#if !$Embedded
extension UInt32 : Decodable, Encodable, CustomReflectable, _CustomPlaygroundQuickLookable, CVarArg {}
#endif

@frozen struct Int32 : FixedWidthInteger, SignedInteger, _ExpressibleByBuiltinIntegerLiteral, Hashable, _HasCustomAnyHashableRepresentation, Sendable, SIMDScalar {
  typealias IntegerLiteralType = Int32
  var _value: Builtin.Int32
  typealias Magnitude = UInt32
  typealias Stride = Int
  typealias SIMDMaskScalar = Int32
  @frozen struct Words : RandomAccessCollection, Sendable {
    typealias Indices = Range<Int>
    typealias SubSequence = Slice<Int32.Words>
    var _value: Int32
    typealias Element = UInt
    typealias Index = Int
    typealias Iterator = IndexingIterator<Int32.Words>
  }
  @frozen @_alignment(8) struct SIMD2Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec2xInt32
    typealias Scalar = Int32
  }
  @frozen @_alignment(16) struct SIMD4Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec4xInt32
    typealias Scalar = Int32
  }
  @frozen @_alignment(16) struct SIMD8Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec8xInt32
    typealias Scalar = Int32
  }
  @frozen @_alignment(16) struct SIMD16Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec16xInt32
    typealias Scalar = Int32
  }
  @frozen @_alignment(16) struct SIMD32Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec32xInt32
    typealias Scalar = Int32
  }
  @frozen @_alignment(16) struct SIMD64Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec64xInt32
    typealias Scalar = Int32
  }
}
#if !$Embedded
extension Int32 : Decodable, Encodable, CustomReflectable, _CustomPlaygroundQuickLookable, CVarArg {}
#endif

@frozen struct UInt64 : FixedWidthInteger, UnsignedInteger, _ExpressibleByBuiltinIntegerLiteral, Hashable, _HasCustomAnyHashableRepresentation, Sendable, SIMDScalar {
  typealias IntegerLiteralType = UInt64
  var _value: Builtin.Int64
  typealias Magnitude = UInt64
  typealias Stride = Int
  typealias SIMDMaskScalar = Int64
  @frozen struct Words : RandomAccessCollection, Sendable {
    typealias Indices = Range<Int>
    typealias SubSequence = Slice<UInt64.Words>
    var _value: UInt64
    typealias Element = UInt
    typealias Index = Int
    typealias Iterator = IndexingIterator<UInt64.Words>
  }
  @frozen @_alignment(16) struct SIMD2Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec2xInt64
    typealias Scalar = UInt64
  }
  @frozen @_alignment(16) struct SIMD4Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec4xInt64
    typealias Scalar = UInt64
  }
  @frozen @_alignment(16) struct SIMD8Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec8xInt64
    typealias Scalar = UInt64
  }
  @frozen @_alignment(16) struct SIMD16Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec16xInt64
    typealias Scalar = UInt64
  }
  @frozen @_alignment(16) struct SIMD32Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec32xInt64
    typealias Scalar = UInt64
  }
  @frozen @_alignment(16) struct SIMD64Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec64xInt64
    typealias Scalar = UInt64
  }
}
#if !$Embedded
extension UInt64 : Decodable, Encodable, CustomReflectable, _CustomPlaygroundQuickLookable, CVarArg, _CVarArgAligned {}
#endif

@frozen struct Int64 : FixedWidthInteger, SignedInteger, _ExpressibleByBuiltinIntegerLiteral, Hashable, _HasCustomAnyHashableRepresentation, Sendable, SIMDScalar {
  typealias IntegerLiteralType = Int64
  var _value: Builtin.Int64
  typealias Magnitude = UInt64
  typealias Stride = Int
  typealias SIMDMaskScalar = Int64
  @frozen struct Words : RandomAccessCollection, Sendable {
    typealias Indices = Range<Int>
    typealias SubSequence = Slice<Int64.Words>
    var _value: Int64
    typealias Element = UInt
    typealias Index = Int
    typealias Iterator = IndexingIterator<Int64.Words>
  }
  @frozen @_alignment(16) struct SIMD2Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec2xInt64
    typealias Scalar = Int64
  }
  @frozen @_alignment(16) struct SIMD4Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec4xInt64
    typealias Scalar = Int64
  }
  @frozen @_alignment(16) struct SIMD8Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec8xInt64
    typealias Scalar = Int64
  }
  @frozen @_alignment(16) struct SIMD16Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec16xInt64
    typealias Scalar = Int64
  }
  @frozen @_alignment(16) struct SIMD32Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec32xInt64
    typealias Scalar = Int64
  }
  @frozen @_alignment(16) struct SIMD64Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec64xInt64
    typealias Scalar = Int64
  }
}
#if !$Embedded
extension Int64 : Decodable, Encodable, CustomReflectable, _CustomPlaygroundQuickLookable, CVarArg, _CVarArgAligned {}
#endif

@frozen struct UInt : FixedWidthInteger, UnsignedInteger, _ExpressibleByBuiltinIntegerLiteral, Hashable, _HasCustomAnyHashableRepresentation, Sendable, SIMDScalar {
  typealias IntegerLiteralType = UInt
  #if _pointerBitWidth(_64)
  var _value: Builtin.Int64
  #else
  var _value: Builtin.Int32
  #endif
  typealias Magnitude = UInt
  typealias Stride = Int
  typealias SIMDMaskScalar = Int
  @frozen struct Words : RandomAccessCollection, Sendable {
    typealias Indices = Range<Int>
    typealias SubSequence = Slice<UInt.Words>
    var _value: UInt
    typealias Element = UInt
    typealias Index = Int
    typealias Iterator = IndexingIterator<UInt.Words>
  }
  #if _pointerBitWidth(_64)
  @frozen @_alignment(16) struct SIMD2Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec2xInt64
    typealias Scalar = UInt
  }
  #else
  @frozen @_alignment(8) struct SIMD2Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec2xInt32
    typealias Scalar = UInt
  }
  #endif
  @frozen @_alignment(16) struct SIMD4Storage : SIMDStorage, Sendable, BitwiseCopyable {
    #if _pointerBitWidth(_64)
    var _value: Builtin.Vec4xInt64
    #else
    var _value: Builtin.Vec4xInt32
    #endif
    typealias Scalar = UInt
  }
  @frozen @_alignment(16) struct SIMD8Storage : SIMDStorage, Sendable, BitwiseCopyable {
    #if _pointerBitWidth(_64)
    var _value: Builtin.Vec8xInt64
    #else
    var _value: Builtin.Vec8xInt32
    #endif
    typealias Scalar = UInt
  }
  @frozen @_alignment(16) struct SIMD16Storage : SIMDStorage, Sendable, BitwiseCopyable {
    #if _pointerBitWidth(_64)
    var _value: Builtin.Vec16xInt64
    #else
    var _value: Builtin.Vec16xInt32
    #endif
    typealias Scalar = UInt
  }
  @frozen @_alignment(16) struct SIMD32Storage : SIMDStorage, Sendable, BitwiseCopyable {
    #if _pointerBitWidth(_64)
    var _value: Builtin.Vec32xInt64
    #else
    var _value: Builtin.Vec32xInt32
    #endif
    typealias Scalar = UInt
  }
  @frozen @_alignment(16) struct SIMD64Storage : SIMDStorage, Sendable, BitwiseCopyable {
    #if _pointerBitWidth(_64)
    var _value: Builtin.Vec64xInt64
    #else
    var _value: Builtin.Vec64xInt32
    #endif
    typealias Scalar = UInt
  }
}
#if !$Embedded
extension UInt : Decodable, Encodable, CustomReflectable, _CustomPlaygroundQuickLookable, CVarArg {}
#endif

@frozen struct Int : FixedWidthInteger, SignedInteger, _ExpressibleByBuiltinIntegerLiteral, Hashable, _HasCustomAnyHashableRepresentation, Sendable, SIMDScalar {
  typealias IntegerLiteralType = Int
  #if _pointerBitWidth(_64)
  var _value: Builtin.Int64
  #else
  var _value: Builtin.Int32
  #endif
  typealias Magnitude = UInt
  typealias Stride = Int
  typealias SIMDMaskScalar = Int
  @frozen struct Words : RandomAccessCollection, Sendable {
    typealias Indices = Range<Int>
    typealias SubSequence = Slice<Int.Words>
    var _value: Int
    typealias Element = UInt
    typealias Index = Int
    typealias Iterator = IndexingIterator<Int.Words>
  }
  #if _pointerBitWidth(_64)
  @frozen @_alignment(16) struct SIMD2Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec2xInt64
    typealias Scalar = Int
  }
  #else
  @frozen @_alignment(8) struct SIMD2Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec2xInt32
    typealias Scalar = Int
  }
  #endif
  @frozen @_alignment(16) struct SIMD4Storage : SIMDStorage, Sendable, BitwiseCopyable {
    #if _pointerBitWidth(_64)
    var _value: Builtin.Vec4xInt64
    #else
    var _value: Builtin.Vec4xInt32
    #endif
    typealias Scalar = Int
  }
  @frozen @_alignment(16) struct SIMD8Storage : SIMDStorage, Sendable, BitwiseCopyable {
    #if _pointerBitWidth(_64)
    var _value: Builtin.Vec8xInt64
    #else
    var _value: Builtin.Vec8xInt32
    #endif
    typealias Scalar = Int
  }
  @frozen @_alignment(16) struct SIMD16Storage : SIMDStorage, Sendable, BitwiseCopyable {
    #if _pointerBitWidth(_64)
    var _value: Builtin.Vec16xInt64
    #else
    var _value: Builtin.Vec16xInt32
    #endif
    typealias Scalar = Int
  }
  @frozen @_alignment(16) struct SIMD32Storage : SIMDStorage, Sendable, BitwiseCopyable {
    #if _pointerBitWidth(_64)
    var _value: Builtin.Vec32xInt64
    #else
    var _value: Builtin.Vec32xInt32
    #endif
    typealias Scalar = Int
  }
  @frozen @_alignment(16) struct SIMD64Storage : SIMDStorage, Sendable, BitwiseCopyable {
    #if _pointerBitWidth(_64)
    var _value: Builtin.Vec64xInt64
    #else
    var _value: Builtin.Vec64xInt32
    #endif
    typealias Scalar = Int
  }
}
#if !$Embedded
extension Int : Decodable, Encodable, CodingKeyRepresentable, CustomReflectable, _CustomPlaygroundQuickLookable, MirrorPath, CVarArg {}
#endif

struct _IntegerAnyHashableBox<Base> : _AnyHashableBox where Base : FixedWidthInteger {
  let _value: Base
}

struct _UInt128 : CustomStringConvertible, CustomDebugStringConvertible, Equatable, Comparable, Hashable, AdditiveArithmetic, Numeric, FixedWidthInteger, Sendable, UnsignedInteger {
  typealias High = UInt64
  typealias Low = UInt64
  var low: UInt64
  var high: UInt64
  typealias Magnitude = _UInt128
  typealias IntegerLiteralType = Int64
  typealias Stride = Int
  struct Words : RandomAccessCollection {
    var _value: _UInt128
    typealias Element = UInt
    typealias Index = Int
    typealias Indices = Range<Int>
    typealias SubSequence = Slice<_UInt128.Words>
    typealias Iterator = IndexingIterator<_UInt128.Words>
  }
}

struct _Int128 : CustomStringConvertible, CustomDebugStringConvertible, Equatable, Comparable, Hashable, AdditiveArithmetic, Numeric, FixedWidthInteger, Sendable, SignedNumeric, SignedInteger {
  typealias High = Int64
  typealias Low = UInt64
  var low: UInt64
  var high: Int64
  typealias Magnitude = _UInt128
  typealias IntegerLiteralType = Int64
  typealias Stride = Int
  struct Words : RandomAccessCollection {
    var _value: _Int128
    typealias Element = UInt
    typealias Index = Int
    typealias Indices = Range<Int>
    typealias SubSequence = Slice<_Int128.Words>
    typealias Iterator = IndexingIterator<_Int128.Words>
  }
}

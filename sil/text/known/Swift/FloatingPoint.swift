// Swift: the floating-point types and their protocols.

protocol FloatingPoint : Hashable, SignedNumeric, Strideable where Self == Self.Magnitude, Self.Exponent : SignedInteger {
  associatedtype Exponent
  init(sign: FloatingPointSign, exponent: Self.Exponent, significand: Self)
  init(signOf: Self, magnitudeOf: Self)
  init(_ value: Int)
  init<Source>(_ value: Source) where Source : BinaryInteger
  init?<Source>(exactly value: Source) where Source : BinaryInteger
  static var radix: Int { get }
  static var nan: Self { get }
  static var signalingNaN: Self { get }
  static var infinity: Self { get }
  static var greatestFiniteMagnitude: Self { get }
  static var pi: Self { get }
  var ulp: Self { get }
  static var ulpOfOne: Self { get }
  static var leastNormalMagnitude: Self { get }
  static var leastNonzeroMagnitude: Self { get }
  var sign: FloatingPointSign { get }
  var exponent: Self.Exponent { get }
  var significand: Self { get }
  override static func + (lhs: Self, rhs: Self) -> Self
  override static func += (lhs: inout Self, rhs: Self)
  override static func - (operand: Self) -> Self
  override mutating func negate()
  override static func - (lhs: Self, rhs: Self) -> Self
  override static func -= (lhs: inout Self, rhs: Self)
  override static func * (lhs: Self, rhs: Self) -> Self
  override static func *= (lhs: inout Self, rhs: Self)
  static func / (lhs: Self, rhs: Self) -> Self
  static func /= (lhs: inout Self, rhs: Self)
  func remainder(dividingBy other: Self) -> Self
  mutating func formRemainder(dividingBy other: Self)
  func truncatingRemainder(dividingBy other: Self) -> Self
  mutating func formTruncatingRemainder(dividingBy other: Self)
  func squareRoot() -> Self
  mutating func formSquareRoot()
  func addingProduct(_ lhs: Self, _ rhs: Self) -> Self
  mutating func addProduct(_ lhs: Self, _ rhs: Self)
  static func minimum(_ x: Self, _ y: Self) -> Self
  static func maximum(_ x: Self, _ y: Self) -> Self
  static func minimumMagnitude(_ x: Self, _ y: Self) -> Self
  static func maximumMagnitude(_ x: Self, _ y: Self) -> Self
  func rounded(_ rule: FloatingPointRoundingRule) -> Self
  mutating func round(_ rule: FloatingPointRoundingRule)
  var nextUp: Self { get }
  var nextDown: Self { get }
  func isEqual(to other: Self) -> Bool
  func isLess(than other: Self) -> Bool
  func isLessThanOrEqualTo(_ other: Self) -> Bool
  func isTotallyOrdered(belowOrEqualTo other: Self) -> Bool
  var isNormal: Bool { get }
  var isFinite: Bool { get }
  var isZero: Bool { get }
  var isSubnormal: Bool { get }
  var isInfinite: Bool { get }
  var isNaN: Bool { get }
  var isSignalingNaN: Bool { get }
  var floatingPointClass: FloatingPointClassification { get }
  var isCanonical: Bool { get }
}

@frozen enum FloatingPointSign : Int, Sendable, Equatable, Hashable, RawRepresentable {
  case plus
  case minus
  typealias RawValue = Int
}

@frozen enum FloatingPointClassification : Sendable, Equatable, Hashable {
  case signalingNaN
  case quietNaN
  case negativeInfinity
  case negativeNormal
  case negativeSubnormal
  case negativeZero
  case positiveZero
  case positiveSubnormal
  case positiveNormal
  case positiveInfinity
}

enum FloatingPointRoundingRule : Sendable, Equatable, Hashable {
  case toNearestOrAwayFromZero
  case toNearestOrEven
  case up
  case down
  case towardZero
  case awayFromZero
}

protocol BinaryFloatingPoint : ExpressibleByFloatLiteral, FloatingPoint where Self.RawExponent : UnsignedInteger, Self.RawSignificand : UnsignedInteger {
  associatedtype RawSignificand
  associatedtype RawExponent
  init(sign: FloatingPointSign, exponentBitPattern: Self.RawExponent, significandBitPattern: Self.RawSignificand)
  init(_ value: Float)
  init(_ value: Double)
  #if arch(x86_64)
  init(_ value: Float80)
  #endif
  init<Source>(_ value: Source) where Source : BinaryFloatingPoint
  init?<Source>(exactly value: Source) where Source : BinaryFloatingPoint
  static var exponentBitCount: Int { get }
  static var significandBitCount: Int { get }
  var exponentBitPattern: Self.RawExponent { get }
  var significandBitPattern: Self.RawSignificand { get }
  var binade: Self { get }
  var significandWidth: Int { get }
}

@frozen struct Float16 : CustomStringConvertible, CustomDebugStringConvertible, TextOutputStreamable, BinaryFloatingPoint, _ExpressibleByBuiltinIntegerLiteral, ExpressibleByIntegerLiteral, _ExpressibleByBuiltinFloatLiteral, Hashable, Sendable, Strideable, SIMDScalar {
  var _value: Builtin.FPIEEE16
  typealias Magnitude = Float16
  typealias Exponent = Int
  typealias RawSignificand = UInt16
  typealias FloatLiteralType = Float16
  typealias RawExponent = UInt
  typealias IntegerLiteralType = Int64
  typealias Stride = Float16
  typealias SIMDMaskScalar = Int16
  @frozen @_alignment(4) struct SIMD2Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec2xFPIEEE16
    typealias Scalar = Float16
  }
  @frozen @_alignment(8) struct SIMD4Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec4xFPIEEE16
    typealias Scalar = Float16
  }
  @frozen @_alignment(16) struct SIMD8Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec8xFPIEEE16
    typealias Scalar = Float16
  }
  @frozen @_alignment(16) struct SIMD16Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec16xFPIEEE16
    typealias Scalar = Float16
  }
  @frozen @_alignment(16) struct SIMD32Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec32xFPIEEE16
    typealias Scalar = Float16
  }
  @frozen @_alignment(16) struct SIMD64Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec64xFPIEEE16
    typealias Scalar = Float16
  }
}
#if !$Embedded
extension Float16 : Decodable, Encodable, LosslessStringConvertible {}
#endif

@frozen struct Float : CustomStringConvertible, CustomDebugStringConvertible, TextOutputStreamable, BinaryFloatingPoint, _ExpressibleByBuiltinIntegerLiteral, ExpressibleByIntegerLiteral, _ExpressibleByBuiltinFloatLiteral, Hashable, _HasCustomAnyHashableRepresentation, Sendable, Strideable, SIMDScalar {
  var _value: Builtin.FPIEEE32
  typealias Magnitude = Float
  typealias Exponent = Int
  typealias RawSignificand = UInt32
  typealias FloatLiteralType = Float
  typealias RawExponent = UInt
  typealias IntegerLiteralType = Int64
  typealias Stride = Float
  typealias SIMDMaskScalar = Int32
  @frozen @_alignment(8) struct SIMD2Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec2xFPIEEE32
    typealias Scalar = Float
  }
  @frozen @_alignment(16) struct SIMD4Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec4xFPIEEE32
    typealias Scalar = Float
  }
  @frozen @_alignment(16) struct SIMD8Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec8xFPIEEE32
    typealias Scalar = Float
  }
  @frozen @_alignment(16) struct SIMD16Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec16xFPIEEE32
    typealias Scalar = Float
  }
  @frozen @_alignment(16) struct SIMD32Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec32xFPIEEE32
    typealias Scalar = Float
  }
  @frozen @_alignment(16) struct SIMD64Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec64xFPIEEE32
    typealias Scalar = Float
  }
}
#if !$Embedded
extension Float : Decodable, Encodable, CustomReflectable, _CustomPlaygroundQuickLookable, _CVarArgPassedAsDouble, _CVarArgAligned, LosslessStringConvertible {}
#endif

struct _FloatAnyHashableBox : _AnyHashableBox {
  typealias Base = Float
  let _value: Float
}

@frozen struct Double : CustomStringConvertible, CustomDebugStringConvertible, TextOutputStreamable, BinaryFloatingPoint, _ExpressibleByBuiltinIntegerLiteral, ExpressibleByIntegerLiteral, _ExpressibleByBuiltinFloatLiteral, Hashable, _HasCustomAnyHashableRepresentation, Sendable, Strideable, SIMDScalar {
  var _value: Builtin.FPIEEE64
  typealias Magnitude = Double
  typealias Exponent = Int
  typealias RawSignificand = UInt64
  typealias FloatLiteralType = Double
  typealias RawExponent = UInt
  typealias IntegerLiteralType = Int64
  typealias Stride = Double
  typealias SIMDMaskScalar = Int64
  @frozen @_alignment(16) struct SIMD2Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec2xFPIEEE64
    typealias Scalar = Double
  }
  @frozen @_alignment(16) struct SIMD4Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec4xFPIEEE64
    typealias Scalar = Double
  }
  @frozen @_alignment(16) struct SIMD8Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec8xFPIEEE64
    typealias Scalar = Double
  }
  @frozen @_alignment(16) struct SIMD16Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec16xFPIEEE64
    typealias Scalar = Double
  }
  @frozen @_alignment(16) struct SIMD32Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec32xFPIEEE64
    typealias Scalar = Double
  }
  @frozen @_alignment(16) struct SIMD64Storage : SIMDStorage, Sendable, BitwiseCopyable {
    var _value: Builtin.Vec64xFPIEEE64
    typealias Scalar = Double
  }
}
#if !$Embedded
extension Double : Decodable, Encodable, CustomReflectable, _CustomPlaygroundQuickLookable, _CVarArgPassedAsDouble, _CVarArgAligned, LosslessStringConvertible {}
#endif

struct _DoubleAnyHashableBox : _AnyHashableBox {
  typealias Base = Double
  let _value: Double
}

@frozen struct Float80 {
  #if arch(x86_64)
  var _value: Builtin.FPIEEE80
  typealias Magnitude = Float80
  typealias Exponent = Int
  typealias RawSignificand = UInt64
  typealias FloatLiteralType = Float80
  typealias RawExponent = UInt
  typealias IntegerLiteralType = Int64
  typealias Stride = Float80
  #endif
  #if arch(x86_64)
  @frozen struct _Representation {
    var _storage: (UInt64, UInt16, UInt16, UInt16, UInt16)
  }
  #endif
}
#if !$Embedded && arch(x86_64)
extension Float80 : CustomReflectable, CVarArg, _CVarArgAligned, LosslessStringConvertible {}
#endif
#if arch(x86_64)
extension Float80 : CustomStringConvertible, CustomDebugStringConvertible, TextOutputStreamable, BinaryFloatingPoint, _ExpressibleByBuiltinIntegerLiteral, ExpressibleByIntegerLiteral, _ExpressibleByBuiltinFloatLiteral, Hashable, _HasCustomAnyHashableRepresentation, Sendable, Strideable {}
struct _Float80AnyHashableBox : _AnyHashableBox {
  typealias Base = Float80
  let _value: Float80
}
#endif

// Swift: what the compiler itself knows: Optional, Bool, Never, literals, comparison, the marker protocols.

typealias _BitwiseCopyable = BitwiseCopyable
typealias Void = ()
typealias Float32 = Float
typealias Float64 = Double
typealias IntegerLiteralType = Int
typealias FloatLiteralType = Double
typealias BooleanLiteralType = Bool
typealias UnicodeScalarType = String
typealias ExtendedGraphemeClusterType = String
typealias StringLiteralType = String
#if arch(x86_64)
typealias _MaxBuiltinFloatType = Builtin.FPIEEE80
#else
typealias _MaxBuiltinFloatType = Builtin.FPIEEE64
#endif
typealias AnyObject = Builtin.AnyObject
typealias AnyClass = any AnyObject.Type

@frozen struct Bool : Sendable, _ExpressibleByBuiltinBooleanLiteral, ExpressibleByBooleanLiteral, CustomStringConvertible, Equatable, Hashable, LosslessStringConvertible {
  var _value: Builtin.Int1
  typealias BooleanLiteralType = Bool
}
#if !$Embedded
extension Bool : Decodable, Encodable, CustomReflectable, _CustomPlaygroundQuickLookable, CVarArg {}
#endif

protocol Comparable : Equatable {
  static func < (lhs: Self, rhs: Self) -> Bool
  static func <= (lhs: Self, rhs: Self) -> Bool
  static func >= (lhs: Self, rhs: Self) -> Bool
  static func > (lhs: Self, rhs: Self) -> Bool
}

protocol RawRepresentable<RawValue> {
  associatedtype RawValue
  init?(rawValue: Self.RawValue)
  var rawValue: Self.RawValue { get }
}

protocol CaseIterable where Self == Self.AllCases.Element, Self.AllCases : Collection {
  associatedtype AllCases = [Self]
  static var allCases: Self.AllCases { get }
}

protocol ExpressibleByNilLiteral : ~Copyable, ~Escapable {
  init(nilLiteral: ())
}

protocol _ExpressibleByBuiltinIntegerLiteral {
  init(_builtinIntegerLiteral value: Builtin.IntLiteral)
}

protocol ExpressibleByIntegerLiteral where Self.IntegerLiteralType : _ExpressibleByBuiltinIntegerLiteral {
  associatedtype IntegerLiteralType
  init(integerLiteral value: Self.IntegerLiteralType)
}

protocol _ExpressibleByBuiltinFloatLiteral {
  #if arch(x86_64)
  init(_builtinFloatLiteral value: Builtin.FPIEEE80)
  #else
  init(_builtinFloatLiteral value: Builtin.FPIEEE64)
  #endif
}

protocol ExpressibleByFloatLiteral where Self.FloatLiteralType : _ExpressibleByBuiltinFloatLiteral {
  associatedtype FloatLiteralType
  init(floatLiteral value: Self.FloatLiteralType)
}

protocol _ExpressibleByBuiltinBooleanLiteral {
  init(_builtinBooleanLiteral value: Builtin.Int1)
}

protocol ExpressibleByBooleanLiteral where Self.BooleanLiteralType : _ExpressibleByBuiltinBooleanLiteral {
  associatedtype BooleanLiteralType
  init(booleanLiteral value: Self.BooleanLiteralType)
}

protocol _ExpressibleByBuiltinUnicodeScalarLiteral {
  init(_builtinUnicodeScalarLiteral value: Builtin.Int32)
}

protocol ExpressibleByUnicodeScalarLiteral where Self.UnicodeScalarLiteralType : _ExpressibleByBuiltinUnicodeScalarLiteral {
  associatedtype UnicodeScalarLiteralType
  init(unicodeScalarLiteral value: Self.UnicodeScalarLiteralType)
}

protocol _ExpressibleByBuiltinExtendedGraphemeClusterLiteral : _ExpressibleByBuiltinUnicodeScalarLiteral {
  init(_builtinExtendedGraphemeClusterLiteral start: Builtin.RawPointer, utf8CodeUnitCount: Builtin.Word, isASCII: Builtin.Int1)
}

protocol ExpressibleByExtendedGraphemeClusterLiteral : ExpressibleByUnicodeScalarLiteral where Self.ExtendedGraphemeClusterLiteralType : _ExpressibleByBuiltinExtendedGraphemeClusterLiteral {
  associatedtype ExtendedGraphemeClusterLiteralType
  init(extendedGraphemeClusterLiteral value: Self.ExtendedGraphemeClusterLiteralType)
}

protocol _ExpressibleByBuiltinStringLiteral : _ExpressibleByBuiltinExtendedGraphemeClusterLiteral {
  init(_builtinStringLiteral start: Builtin.RawPointer, utf8CodeUnitCount: Builtin.Word, isASCII: Builtin.Int1)
}

protocol ExpressibleByStringLiteral : ExpressibleByExtendedGraphemeClusterLiteral where Self.StringLiteralType : _ExpressibleByBuiltinStringLiteral {
  associatedtype StringLiteralType
  init(stringLiteral value: Self.StringLiteralType)
}

protocol ExpressibleByArrayLiteral {
  associatedtype ArrayLiteralElement
  init(arrayLiteral elements: [Self.ArrayLiteralElement])
}

protocol ExpressibleByDictionaryLiteral {
  associatedtype Key
  associatedtype Value
  init(dictionaryLiteral elements: [(Self.Key, Self.Value)])
}

protocol ExpressibleByStringInterpolation : ExpressibleByStringLiteral where Self.StringInterpolation : StringInterpolationProtocol, Self.StringLiteralType == Self.StringInterpolation.StringLiteralType {
  #if !$Embedded
  associatedtype StringInterpolation = DefaultStringInterpolation
  #else
  associatedtype StringInterpolation
  #endif
  init(stringInterpolation: Self.StringInterpolation)
}

protocol StringInterpolationProtocol where Self.StringLiteralType : _ExpressibleByBuiltinStringLiteral {
  associatedtype StringLiteralType
  init(literalCapacity: Int, interpolationCount: Int)
  mutating func appendLiteral(_ literal: Self.StringLiteralType)
}

protocol _ExpressibleByColorLiteral {
  init(_colorLiteralRed red: Float, green: Float, blue: Float, alpha: Float)
}

protocol _ExpressibleByImageLiteral {
  init(imageLiteralResourceName path: String)
}

protocol _ExpressibleByFileReferenceLiteral {
  init(fileReferenceLiteralResourceName path: String)
}

protocol _DestructorSafeContainer {}

@_marker protocol SendableMetatype : ~Copyable, ~Escapable {}

@_marker protocol Sendable : SendableMetatype, ~Copyable, ~Escapable {}

@_marker protocol UnsafeSendable : Sendable {}

protocol Equatable {
  static func == (lhs: Self, rhs: Self) -> Bool
}

protocol Error : Sendable {
  #if !$Embedded
  var _domain: String { get }
  var _code: Int { get }
  var _userInfo: AnyObject? { get }
  #endif
}

protocol Identifiable<ID> where Self.ID : Hashable {
  associatedtype ID
  var id: Self.ID { get }
}

@_marker protocol Copyable : ~Escapable {}

@_marker protocol Escapable : ~Copyable {}

@_marker protocol BitwiseCopyable : ~Escapable {}

@frozen enum Optional<Wrapped> : ~Copyable, ~Escapable where Wrapped : ~Copyable, Wrapped : ~Escapable {
  case none
  case some(Wrapped)
}
extension Optional : CustomDebugStringConvertible {}
typealias ImplicitlyUnwrappedOptional<Wrapped> = Optional<Wrapped>
#if !$Embedded
extension Optional : _Unwrappable, CustomReflectable {}
extension Optional : Encodable where Wrapped : Encodable {}
extension Optional : Decodable where Wrapped : Decodable {}
#endif
extension Optional : Copyable where Wrapped : Copyable, Wrapped : ~Escapable {}
extension Optional : Escapable where Wrapped : Escapable, Wrapped : ~Copyable {}
extension Optional : BitwiseCopyable where Wrapped : BitwiseCopyable, Wrapped : ~Escapable {}
extension Optional : Sendable where Wrapped : Sendable, Wrapped : ~Copyable, Wrapped : ~Escapable {}
extension Optional : ExpressibleByNilLiteral where Wrapped : ~Copyable, Wrapped : ~Escapable {}
extension Optional : Equatable where Wrapped : Equatable {}
extension Optional : Hashable where Wrapped : Hashable {}

@frozen struct _OptionalNilComparisonType : ExpressibleByNilLiteral {}

protocol OptionSet : RawRepresentable, SetAlgebra {
  override associatedtype Element = Self
  init(rawValue: Self.RawValue)
}

@frozen enum Never : BitwiseCopyable, Sendable, Error, Equatable, Comparable, Hashable, Identifiable, Encodable, Decodable {
  typealias ID = Never
}

@frozen enum Result<Success, Failure> where Failure : Error, Success : ~Copyable, Success : ~Escapable {
  case success(Success)
  case failure(Failure)
}
extension Result : Copyable where Success : Copyable, Success : ~Escapable {}
extension Result : Escapable where Success : Escapable, Success : ~Copyable {}
extension Result : Sendable where Success : Sendable, Success : ~Copyable, Success : ~Escapable {}
extension Result : Equatable where Success : Equatable, Failure : Equatable {}
extension Result : Hashable where Success : Hashable, Failure : Hashable {}

protocol SetAlgebra<Element> : Equatable, ExpressibleByArrayLiteral {
  associatedtype Element
  init()
  func contains(_ member: Self.Element) -> Bool
  __consuming func union(_ other: __owned Self) -> Self
  __consuming func intersection(_ other: Self) -> Self
  __consuming func symmetricDifference(_ other: __owned Self) -> Self
  mutating func insert(_ newMember: __owned Self.Element) -> (inserted: Bool, memberAfterInsert: Self.Element)
  mutating func remove(_ member: Self.Element) -> Self.Element?
  mutating func update(with newMember: __owned Self.Element) -> Self.Element?
  mutating func formUnion(_ other: __owned Self)
  mutating func formIntersection(_ other: Self)
  mutating func formSymmetricDifference(_ other: __owned Self)
  __consuming func subtracting(_ other: Self) -> Self
  func isSubset(of other: Self) -> Bool
  func isDisjoint(with other: Self) -> Bool
  func isSuperset(of other: Self) -> Bool
  var isEmpty: Bool { get }
  init<S>(_ sequence: __owned S) where S : Sequence, Self.Element == S.Element
  mutating func subtract(_ other: Self)
}

protocol _NSSetCore {}

protocol _NSDictionaryCore {}

// Swift: C types, variadic arguments, bridging to Objective-C (its part that exists without Objective-C).

typealias CChar = Int8
typealias CUnsignedChar = UInt8
typealias CUnsignedShort = UInt16
typealias CUnsignedInt = UInt32
typealias CUnsignedLong = UInt
typealias CUnsignedLongLong = UInt64
typealias CSignedChar = Int8
typealias CShort = Int16
typealias CInt = Int32
typealias CLong = Int
typealias CLongLong = Int64
typealias CFloat16 = Float16
typealias CFloat = Float
typealias CDouble = Double
#if arch(x86_64)
typealias CLongDouble = Float80
#endif
typealias CWideChar = Unicode.Scalar
typealias CChar8 = UInt8
typealias CChar16 = UInt16
typealias CChar32 = Unicode.Scalar
typealias CBool = Bool
#if !$Embedded
typealias _VAUInt = UInt32
typealias _VAInt = Int32
protocol _ObjectiveCBridgeable where Self._ObjectiveCType : AnyObject {
  associatedtype _ObjectiveCType
  func _bridgeToObjectiveC() -> Self._ObjectiveCType
  static func _forceBridgeFromObjectiveC(_ source: Self._ObjectiveCType, result: inout Self?)
  static func _conditionallyBridgeFromObjectiveC(_ source: Self._ObjectiveCType, result: inout Self?) -> Bool
  static func _unconditionallyBridgeFromObjectiveC(_ source: Self._ObjectiveCType?) -> Self
}

protocol _NSSwiftValue : AnyObject {
  init(_ value: Any)
  var value: Any { get }
  static var null: AnyObject { get }
}

class __SwiftValue {
  final let value: Any
  init(_ value: Any)
}

protocol _Unwrappable {
  func _unwrap() -> Any?
}
#endif
@frozen struct _BridgeStorage<NativeClass> where NativeClass : AnyObject {
  typealias Native = NativeClass
  #if !$Embedded
  typealias ObjC = AnyObject
  var rawValue: Builtin.BridgeObject
  #else
  var rawValue: NativeClass
  #endif
}

@frozen struct OpaquePointer : Equatable, Hashable, CustomDebugStringConvertible {
  var _rawValue: Builtin.RawPointer
}
#if !$Embedded
extension OpaquePointer : CVarArg {}
#endif

@frozen struct CVaListPointer : CustomDebugStringConvertible {
  #if !arch(arm64)
  var _value: UnsafeMutableRawPointer
  #else
  var _value: (__stack: UnsafeMutablePointer<Int>?, __gr_top: UnsafeMutablePointer<Int>?, __vr_top: UnsafeMutablePointer<Int>?, __gr_off: Int32, __vr_off: Int32)
  #endif
}

#if !$Embedded
protocol _SwiftNewtypeWrapper : RawRepresentable, _HasCustomAnyHashableRepresentation {}

struct _NewtypeWrapperAnyHashableBox<Base> : _AnyHashableBox where Base : Hashable, Base : _SwiftNewtypeWrapper, Base.RawValue : Hashable {
  var _value: Base
}

protocol CVarArg {
  var _cVarArgEncoding: [Int] { get }
}

protocol _CVarArgPassedAsDouble : CVarArg {}

protocol _CVarArgAligned : CVarArg {
  var _cVarArgAlignment: Int { get }
}

protocol _CVarArgObject : CVarArg {
  var _cVarArgObject: any CVarArg { get }
}

@_fixed_layout final class __VaListBuilder {
  #if _pointerBitWidth(_64)
  var gpRegistersUsed: Int
  var fpRegistersUsed: Int
  #endif
  #if arch(x86_64)
  var header: __VaListBuilder.Header
  #endif
  #if _pointerBitWidth(_64)
  var storage: ContiguousArray<Int>
  #else
  init()
  let requiredAlignmentInBytes: Int
  var count: Int
  var allocated: Int
  var storage: UnsafeMutablePointer<Int>?
  #endif
  var retainer: [any CVarArg]
  #if _pointerBitWidth(_64)
  init()
  #endif
  #if arch(x86_64)
  @frozen struct Header {
    var gp_offset: UInt32
    var fp_offset: UInt32
    var overflow_arg_area: UnsafeMutablePointer<Int>?
    var reg_save_area: UnsafeMutablePointer<Int>?
  }
  #endif
}
#endif

// Swift: SIMDn vectors and their storage.

#if !$Embedded
protocol SIMDStorage where Self.Scalar : Decodable, Self.Scalar : Encodable, Self.Scalar : Hashable {
  associatedtype Scalar
  var scalarCount: Int { get }
  init()
  subscript(index: Int) -> Self.Scalar { get set }
}
#else
protocol SIMDStorage where Self.Scalar : Hashable {
  associatedtype Scalar
  var scalarCount: Int { get }
  init()
  subscript(index: Int) -> Self.Scalar { get set }
}
#endif

protocol SIMDScalar : BitwiseCopyable where Self == Self.SIMD16Storage.Scalar, Self.SIMD16Storage : SIMDStorage, Self.SIMD2Storage : SIMDStorage, Self.SIMD32Storage : SIMDStorage, Self.SIMD4Storage : SIMDStorage, Self.SIMD64Storage : SIMDStorage, Self.SIMD8Storage : SIMDStorage, Self.SIMDMaskScalar : FixedWidthInteger, Self.SIMDMaskScalar : SIMDScalar, Self.SIMDMaskScalar : SignedInteger, Self.SIMDMaskScalar == Self.SIMDMaskScalar.SIMDMaskScalar, Self.SIMD16Storage.Scalar == Self.SIMD2Storage.Scalar, Self.SIMD2Storage.Scalar == Self.SIMD32Storage.Scalar, Self.SIMD32Storage.Scalar == Self.SIMD4Storage.Scalar, Self.SIMD4Storage.Scalar == Self.SIMD64Storage.Scalar, Self.SIMD64Storage.Scalar == Self.SIMD8Storage.Scalar {
  associatedtype SIMDMaskScalar
  associatedtype SIMD2Storage
  associatedtype SIMD4Storage
  associatedtype SIMD8Storage
  associatedtype SIMD16Storage
  associatedtype SIMD32Storage
  associatedtype SIMD64Storage
}

#if !$Embedded
protocol SIMD<Scalar> : CustomStringConvertible, Decodable, Encodable, ExpressibleByArrayLiteral, Hashable, SIMDStorage where Self.MaskStorage : SIMD, Self.MaskStorage.Scalar : FixedWidthInteger, Self.MaskStorage.Scalar : SignedInteger {
  associatedtype MaskStorage
}
#else
protocol SIMD<Scalar> : ExpressibleByArrayLiteral, Hashable, SIMDStorage where Self.MaskStorage : SIMD, Self.MaskStorage.Scalar : FixedWidthInteger, Self.MaskStorage.Scalar : SignedInteger {
  associatedtype MaskStorage
}
#endif

@frozen struct SIMDMask<Storage> : SIMD where Storage : SIMD, Storage.Scalar : FixedWidthInteger, Storage.Scalar : SignedInteger {
  var _storage: Storage
  typealias MaskStorage = Storage
  typealias Scalar = Bool
  typealias ArrayLiteralElement = Bool
}
extension SIMDMask : Sendable where Storage : Sendable {}

@frozen struct SIMD2<Scalar> : SIMD, CustomDebugStringConvertible where Scalar : SIMDScalar {
  var _storage: Scalar.SIMD2Storage
  typealias MaskStorage = SIMD2<Scalar.SIMDMaskScalar>
  typealias ArrayLiteralElement = Scalar
}
extension SIMD2 : Sendable where Scalar : Sendable, Scalar.SIMD2Storage : Sendable {}
extension SIMD2 : BitwiseCopyable where Scalar.SIMD2Storage : BitwiseCopyable {}

@frozen struct SIMD4<Scalar> : SIMD, CustomDebugStringConvertible where Scalar : SIMDScalar {
  var _storage: Scalar.SIMD4Storage
  typealias MaskStorage = SIMD4<Scalar.SIMDMaskScalar>
  typealias ArrayLiteralElement = Scalar
}
extension SIMD4 : Sendable where Scalar : Sendable, Scalar.SIMD4Storage : Sendable {}
extension SIMD4 : BitwiseCopyable where Scalar.SIMD4Storage : BitwiseCopyable {}

@frozen struct SIMD8<Scalar> : SIMD, CustomDebugStringConvertible where Scalar : SIMDScalar {
  var _storage: Scalar.SIMD8Storage
  typealias MaskStorage = SIMD8<Scalar.SIMDMaskScalar>
  typealias ArrayLiteralElement = Scalar
}
extension SIMD8 : Sendable where Scalar : Sendable, Scalar.SIMD8Storage : Sendable {}
extension SIMD8 : BitwiseCopyable where Scalar.SIMD8Storage : BitwiseCopyable {}

@frozen struct SIMD16<Scalar> : SIMD, CustomDebugStringConvertible where Scalar : SIMDScalar {
  var _storage: Scalar.SIMD16Storage
  typealias MaskStorage = SIMD16<Scalar.SIMDMaskScalar>
  typealias ArrayLiteralElement = Scalar
}
extension SIMD16 : Sendable where Scalar : Sendable, Scalar.SIMD16Storage : Sendable {}
extension SIMD16 : BitwiseCopyable where Scalar.SIMD16Storage : BitwiseCopyable {}

@frozen struct SIMD32<Scalar> : SIMD, CustomDebugStringConvertible where Scalar : SIMDScalar {
  var _storage: Scalar.SIMD32Storage
  typealias MaskStorage = SIMD32<Scalar.SIMDMaskScalar>
  typealias ArrayLiteralElement = Scalar
}
extension SIMD32 : Sendable where Scalar : Sendable, Scalar.SIMD32Storage : Sendable {}
extension SIMD32 : BitwiseCopyable where Scalar.SIMD32Storage : BitwiseCopyable {}

@frozen struct SIMD64<Scalar> : SIMD, CustomDebugStringConvertible where Scalar : SIMDScalar {
  var _storage: Scalar.SIMD64Storage
  typealias MaskStorage = SIMD64<Scalar.SIMDMaskScalar>
  typealias ArrayLiteralElement = Scalar
}
extension SIMD64 : Sendable where Scalar : Sendable, Scalar.SIMD64Storage : Sendable {}
extension SIMD64 : BitwiseCopyable where Scalar.SIMD64Storage : BitwiseCopyable {}

@frozen struct SIMD3<Scalar> : SIMD, CustomDebugStringConvertible where Scalar : SIMDScalar {
  var _storage: Scalar.SIMD4Storage
  typealias MaskStorage = SIMD3<Scalar.SIMDMaskScalar>
  typealias ArrayLiteralElement = Scalar
}
extension SIMD3 : Sendable where Scalar : Sendable, Scalar.SIMD4Storage : Sendable {}
extension SIMD3 : BitwiseCopyable where Scalar.SIMD4Storage : BitwiseCopyable {}

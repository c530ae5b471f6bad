// _Differentiation: what can be differentiated, and the tangent vectors of the standard library's types.

protocol Differentiable {
  associatedtype TangentVector : AdditiveArithmetic, Differentiable where TangentVector == TangentVector.TangentVector
  mutating func move(by offset: TangentVector)
}

protocol _AnyDerivativeBox {
}

struct AnyDifferentiable : Differentiable {
  typealias TangentVector = AnyDerivative
}

@frozen struct AnyDerivative : AdditiveArithmetic, Differentiable {
  var _box: any _AnyDerivativeBox
  typealias TangentVector = AnyDerivative
  @frozen struct OpaqueZero : AdditiveArithmetic, Differentiable {
    typealias TangentVector = AnyDerivative.OpaqueZero
  }
}

@frozen struct _ConcreteDerivativeBox<T> : _AnyDerivativeBox where T : Differentiable, T == T.TangentVector {
  var _base: T
}

extension Array where Element : Differentiable {
  @frozen struct DifferentiableView : Differentiable {
    var _base: [Element]
    typealias TangentVector = Array<Element.TangentVector>.DifferentiableView
  }
}

extension Array : Differentiable where Element : Differentiable {
  typealias TangentVector = Array<Element.TangentVector>.DifferentiableView
}

extension Optional : Differentiable where Wrapped : Differentiable {
  @frozen struct TangentVector : Differentiable, AdditiveArithmetic {
    var value: Wrapped.TangentVector?
    typealias TangentVector = Optional<Wrapped>.TangentVector
  }
}

extension Float : Differentiable {
  typealias TangentVector = Float
}

extension Double : Differentiable {
  typealias TangentVector = Double
}

extension Float16 : Differentiable {
  typealias TangentVector = Float16
}

extension Float80 : Differentiable {
  typealias TangentVector = Float80
}

extension SIMD2 : Differentiable where Scalar : BinaryFloatingPoint, Scalar : Differentiable, Scalar.TangentVector : BinaryFloatingPoint {
  typealias TangentVector = SIMD2<Scalar>
}

extension SIMD3 : Differentiable where Scalar : BinaryFloatingPoint, Scalar : Differentiable, Scalar.TangentVector : BinaryFloatingPoint {
  typealias TangentVector = SIMD3<Scalar>
}

extension SIMD4 : Differentiable where Scalar : BinaryFloatingPoint, Scalar : Differentiable, Scalar.TangentVector : BinaryFloatingPoint {
  typealias TangentVector = SIMD4<Scalar>
}

extension SIMD8 : Differentiable where Scalar : BinaryFloatingPoint, Scalar : Differentiable, Scalar.TangentVector : BinaryFloatingPoint {
  typealias TangentVector = SIMD8<Scalar>
}

extension SIMD16 : Differentiable where Scalar : BinaryFloatingPoint, Scalar : Differentiable, Scalar.TangentVector : BinaryFloatingPoint {
  typealias TangentVector = SIMD16<Scalar>
}

extension SIMD32 : Differentiable where Scalar : BinaryFloatingPoint, Scalar : Differentiable, Scalar.TangentVector : BinaryFloatingPoint {
  typealias TangentVector = SIMD32<Scalar>
}

extension SIMD64 : Differentiable where Scalar : BinaryFloatingPoint, Scalar : Differentiable, Scalar.TangentVector : BinaryFloatingPoint {
  typealias TangentVector = SIMD64<Scalar>
}

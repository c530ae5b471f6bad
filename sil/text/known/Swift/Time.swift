// Swift: Duration and the clock protocols.

@frozen struct Duration : Sendable, Decodable, Encodable, Hashable, Equatable, Comparable, AdditiveArithmetic, CustomStringConvertible, DurationProtocol {
  var _low: UInt64
  var _high: Int64
}

protocol DurationProtocol : AdditiveArithmetic, Comparable, Sendable {
  static func / (lhs: Self, rhs: Int) -> Self
  static func /= (lhs: inout Self, rhs: Int)
  static func * (lhs: Self, rhs: Int) -> Self
  static func *= (lhs: inout Self, rhs: Int)
  static func / (lhs: Self, rhs: Self) -> Double
}

protocol InstantProtocol<Duration> : Comparable, Hashable, Sendable where Self.Duration : DurationProtocol {
  associatedtype Duration
  func advanced(by duration: Self.Duration) -> Self
  func duration(to other: Self) -> Self.Duration
}

// Swift: Span and its family, InlineArray.

@frozen @_addressableForDependencies struct InlineArray<let count : Int, Element> : ~Copyable where Element : ~Copyable {
  let _storage: Builtin.FixedArray<count, Element>
}
extension InlineArray : Copyable where Element : Copyable {}
extension InlineArray : BitwiseCopyable where Element : BitwiseCopyable {}
extension InlineArray : Sendable where Element : Sendable, Element : ~Copyable {}
extension InlineArray where Element : ~Copyable {
  typealias Index = Int
}

@frozen struct _InlineArray<let count : Int, Element> : ~Copyable where Element : ~Copyable {
  let _storage: Builtin.FixedArray<count, Element>
}
extension _InlineArray : Copyable where Element : Copyable {}
extension _InlineArray : BitwiseCopyable where Element : BitwiseCopyable {}
extension _InlineArray : Sendable where Element : Sendable, Element : ~Copyable {}

@frozen struct MutableRawSpan : ~Copyable, ~Escapable, Sendable {
  let _pointer: UnsafeMutableRawPointer?
  let _count: Int
}

@frozen struct MutableSpan<Element> : ~Copyable, ~Escapable where Element : ~Copyable {
  let _pointer: UnsafeMutableRawPointer?
  let _count: Int
}
extension MutableSpan : Sendable where Element : Sendable {}
extension MutableSpan where Element : ~Copyable {
  typealias Index = Int
}

@frozen struct OutputRawSpan : ~Copyable, ~Escapable, Sendable {
  let _pointer: UnsafeMutableRawPointer?
  let capacity: Int
  var _count: Int
}

@frozen struct OutputSpan<Element> : ~Copyable, ~Escapable where Element : ~Copyable {
  let _pointer: UnsafeMutableRawPointer?
  let capacity: Int
  var _count: Int
}
extension OutputSpan : Sendable where Element : Sendable, Element : ~Copyable {}
extension OutputSpan where Element : ~Copyable {
  typealias Index = Int
}

@frozen struct RawSpan : ~Escapable, Copyable, BitwiseCopyable, Sendable {
  let _pointer: UnsafeRawPointer?
  let _count: Int
}

@frozen struct Span<Element> : ~Escapable, Copyable, BitwiseCopyable where Element : ~Copyable {
  let _pointer: UnsafeRawPointer?
  let _count: Int
}
extension Span where Element : ~Copyable {
  typealias Index = Int
}
extension Span : Sendable where Element : Sendable, Element : ~Copyable {}

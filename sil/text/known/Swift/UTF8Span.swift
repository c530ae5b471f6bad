// Swift: UTF8Span and its iterators.

@frozen struct UTF8Span : Copyable, ~Escapable, BitwiseCopyable {
  var _unsafeBaseAddress: UnsafeRawPointer?
  var _countAndFlags: UInt64
  @frozen struct UnicodeScalarIterator : ~Escapable {
    let codeUnits: UTF8Span
    var currentCodeUnitOffset: Int
  }
  struct CharacterIterator : ~Escapable {
    let codeUnits: UTF8Span
    var currentCodeUnitOffset: Int
  }
}

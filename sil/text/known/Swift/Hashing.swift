// Swift: Hasher, AnyHashable.

@frozen struct _UnsafeBitset : Sequence {
  let words: UnsafeMutablePointer<_UnsafeBitset.Word>
  let wordCount: Int
  typealias Element = Int
  @frozen struct Iterator : IteratorProtocol {
    let bitset: _UnsafeBitset
    var index: Int
    var word: _UnsafeBitset.Word
    typealias Element = Int
  }
  @frozen struct Word : Sequence, IteratorProtocol {
    var value: UInt
    typealias Element = Int
    typealias Iterator = _UnsafeBitset.Word
  }
}

protocol Hashable : Equatable {
  var hashValue: Int { get }
  func hash(into hasher: inout Hasher)
  func _rawHashValue(seed: Int) -> Int
}

protocol _HasCustomAnyHashableRepresentation {
  __consuming func _toCustomAnyHashable() -> AnyHashable?
}

protocol _AnyHashableBox {
  var _canonicalBox: any _AnyHashableBox { get }
  func _isEqual(to box: any _AnyHashableBox) -> Bool?
  var _hashValue: Int { get }
  func _hash(into hasher: inout Hasher)
  func _rawHashValue(_seed: Int) -> Int
  var _base: Any { get }
  func _unbox<T>() -> T? where T : Hashable
  func _downCastConditional<T>(into result: UnsafeMutablePointer<T>) -> Bool
}

struct _ConcreteHashableBox<Base> : _AnyHashableBox where Base : Hashable {
  var _baseHashable: Base
}

@frozen struct AnyHashable : Equatable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, _HasCustomAnyHashableRepresentation {
  var _box: any _AnyHashableBox
}
#if !$Embedded
extension AnyHashable : CustomReflectable {}
#endif

@frozen struct Hasher {
  var _core: Hasher._Core
  @frozen struct _TailBuffer {
    var value: UInt64
  }
  @frozen struct _Core {
    var _buffer: Hasher._TailBuffer
    var _state: Hasher._State
  }
  @frozen struct _State {
    var v0: UInt64
    var v1: UInt64
    var v2: UInt64
    var v3: UInt64
    var v4: UInt64
    var v5: UInt64
    var v6: UInt64
    var v7: UInt64
  }
}

#if !$Embedded
struct _UnmanagedAnyObjectArray {
  var value: UnsafeMutableRawPointer
}
#endif

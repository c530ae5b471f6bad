// SwiftShims: the C structures of Swift's runtime that SIL names.

struct InlineRefCountsPlaceholder {
  var refCounts: UInt
}

typealias InlineRefCounts = InlineRefCountsPlaceholder

// In Embedded mode the module Swift declares its own.
#if !$Embedded
struct HeapObject {
  var metadata: OpaquePointer!
  var refCounts: InlineRefCounts
}
#endif

struct EmbeddedHeapObject {
  var metadata: UnsafeMutableRawPointer!
}

struct _SwiftArrayBodyStorage {
  var count: Int
  var _capacityAndFlags: UInt
}

struct _SwiftEmptyArrayStorage {
  var header: HeapObject
  var body: _SwiftArrayBodyStorage
}

struct _SwiftDictionaryBodyStorage {
  var count: Int
  var capacity: Int
  var scale: Int8
  var reservedScale: Int8
  var extra: Int16
  var age: Int32
  var seed: Int
  var rawKeys: UnsafeMutableRawPointer!
  var rawValues: UnsafeMutableRawPointer!
}

struct _SwiftEmptyDictionarySingleton {
  var header: HeapObject
  var body: _SwiftDictionaryBodyStorage
  var metadata: UInt
}

struct _SwiftSetBodyStorage {
  var count: Int
  var capacity: Int
  var scale: Int8
  var reservedScale: Int8
  var extra: Int16
  var age: Int32
  var seed: Int
  var rawElements: UnsafeMutableRawPointer!
}

struct _SwiftEmptySetSingleton {
  var header: HeapObject
  var body: _SwiftSetBodyStorage
  var metadata: UInt
}

struct _SwiftHashingParameters {
  var seed0: UInt64
  var seed1: UInt64
  var deterministic: Bool
}

struct _SwiftStdlibVersion {
  var _value: UInt32
}
extension _SwiftStdlibVersion : Equatable, Comparable, CustomStringConvertible {}

struct _FieldReflectionMetadata {
  var name: UnsafePointer<CChar>!
  var freeFunc: (@convention(c) (UnsafePointer<CChar>?) -> ())!
  var isStrong: Bool
  var isVar: Bool
}

struct MetadataSectionRange {
  var start: UInt
  var length: Int
}

struct _SwiftNSRange {
  var location: Int
  var length: Int
}

struct _SwiftNSOperatingSystemVersion {
  var majorVersion: Int
  var minorVersion: Int
  var patchVersion: Int
}

typealias __swift_bool = Bool
typealias __swift_int8_t = Int8
typealias __swift_uint8_t = UInt8
typealias __swift_int16_t = Int16
typealias __swift_uint16_t = UInt16
typealias __swift_int32_t = Int32
typealias __swift_uint32_t = UInt32
typealias __swift_int64_t = Int64
typealias __swift_uint64_t = UInt64
typealias __swift_intptr_t = Int
typealias __swift_uintptr_t = UInt
typealias __swift_size_t = Int
typealias __swift_ssize_t = Int
typealias HeapObjectDestroyer = @convention(c) (UnsafeMutableRawPointer?) -> ()

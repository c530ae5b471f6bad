// Swift: Encodable, Decodable and their containers.

#if !$Embedded
typealias Codable = Decodable & Encodable
#else
typealias Codable = Decodable & Encodable
#endif

#if !$Embedded
protocol Encodable {
  func encode(to encoder: any Encoder) throws
}

protocol Decodable {
  init(from decoder: any Decoder) throws
}

protocol CodingKey : CustomDebugStringConvertible, CustomStringConvertible, Sendable {
  var stringValue: String { get }
  init?(stringValue: String)
  var intValue: Int? { get }
  init?(intValue: Int)
}

protocol Encoder {
  var codingPath: [any CodingKey] { get }
  var userInfo: [CodingUserInfoKey : Any] { get }
  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> where Key : CodingKey
  func unkeyedContainer() -> any UnkeyedEncodingContainer
  func singleValueContainer() -> any SingleValueEncodingContainer
}

protocol Decoder {
  var codingPath: [any CodingKey] { get }
  var userInfo: [CodingUserInfoKey : Any] { get }
  func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> where Key : CodingKey
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer
  func singleValueContainer() throws -> any SingleValueDecodingContainer
}

protocol KeyedEncodingContainerProtocol where Self.Key : CodingKey {
  associatedtype Key
  var codingPath: [any CodingKey] { get }
  mutating func encodeNil(forKey key: Self.Key) throws
  mutating func encode(_ value: Bool, forKey key: Self.Key) throws
  mutating func encode(_ value: String, forKey key: Self.Key) throws
  mutating func encode(_ value: Double, forKey key: Self.Key) throws
  mutating func encode(_ value: Float, forKey key: Self.Key) throws
  mutating func encode(_ value: Int, forKey key: Self.Key) throws
  mutating func encode(_ value: Int8, forKey key: Self.Key) throws
  mutating func encode(_ value: Int16, forKey key: Self.Key) throws
  mutating func encode(_ value: Int32, forKey key: Self.Key) throws
  mutating func encode(_ value: Int64, forKey key: Self.Key) throws
  mutating func encode(_ value: Int128, forKey key: Self.Key) throws
  mutating func encode(_ value: UInt, forKey key: Self.Key) throws
  mutating func encode(_ value: UInt8, forKey key: Self.Key) throws
  mutating func encode(_ value: UInt16, forKey key: Self.Key) throws
  mutating func encode(_ value: UInt32, forKey key: Self.Key) throws
  mutating func encode(_ value: UInt64, forKey key: Self.Key) throws
  mutating func encode(_ value: UInt128, forKey key: Self.Key) throws
  mutating func encode<T>(_ value: T, forKey key: Self.Key) throws where T : Encodable
  mutating func encodeConditional<T>(_ object: T, forKey key: Self.Key) throws where T : AnyObject, T : Encodable
  mutating func encodeIfPresent(_ value: Bool?, forKey key: Self.Key) throws
  mutating func encodeIfPresent(_ value: String?, forKey key: Self.Key) throws
  mutating func encodeIfPresent(_ value: Double?, forKey key: Self.Key) throws
  mutating func encodeIfPresent(_ value: Float?, forKey key: Self.Key) throws
  mutating func encodeIfPresent(_ value: Int?, forKey key: Self.Key) throws
  mutating func encodeIfPresent(_ value: Int8?, forKey key: Self.Key) throws
  mutating func encodeIfPresent(_ value: Int16?, forKey key: Self.Key) throws
  mutating func encodeIfPresent(_ value: Int32?, forKey key: Self.Key) throws
  mutating func encodeIfPresent(_ value: Int64?, forKey key: Self.Key) throws
  mutating func encodeIfPresent(_ value: Int128?, forKey key: Self.Key) throws
  mutating func encodeIfPresent(_ value: UInt?, forKey key: Self.Key) throws
  mutating func encodeIfPresent(_ value: UInt8?, forKey key: Self.Key) throws
  mutating func encodeIfPresent(_ value: UInt16?, forKey key: Self.Key) throws
  mutating func encodeIfPresent(_ value: UInt32?, forKey key: Self.Key) throws
  mutating func encodeIfPresent(_ value: UInt64?, forKey key: Self.Key) throws
  mutating func encodeIfPresent(_ value: UInt128?, forKey key: Self.Key) throws
  mutating func encodeIfPresent<T>(_ value: T?, forKey key: Self.Key) throws where T : Encodable
  mutating func nestedContainer<NestedKey>(keyedBy keyType: NestedKey.Type, forKey key: Self.Key) -> KeyedEncodingContainer<NestedKey> where NestedKey : CodingKey
  mutating func nestedUnkeyedContainer(forKey key: Self.Key) -> any UnkeyedEncodingContainer
  mutating func superEncoder() -> any Encoder
  mutating func superEncoder(forKey key: Self.Key) -> any Encoder
}

struct KeyedEncodingContainer<K> : KeyedEncodingContainerProtocol where K : CodingKey {
  typealias Key = K
  var _box: _KeyedEncodingContainerBase
}
#if !$Embedded
extension KeyedEncodingContainer : KeyedEncodingContainerProtocol {}
#endif

protocol KeyedDecodingContainerProtocol where Self.Key : CodingKey {
  associatedtype Key
  var codingPath: [any CodingKey] { get }
  var allKeys: [Self.Key] { get }
  func contains(_ key: Self.Key) -> Bool
  func decodeNil(forKey key: Self.Key) throws -> Bool
  func decode(_ type: Bool.Type, forKey key: Self.Key) throws -> Bool
  func decode(_ type: String.Type, forKey key: Self.Key) throws -> String
  func decode(_ type: Double.Type, forKey key: Self.Key) throws -> Double
  func decode(_ type: Float.Type, forKey key: Self.Key) throws -> Float
  func decode(_ type: Int.Type, forKey key: Self.Key) throws -> Int
  func decode(_ type: Int8.Type, forKey key: Self.Key) throws -> Int8
  func decode(_ type: Int16.Type, forKey key: Self.Key) throws -> Int16
  func decode(_ type: Int32.Type, forKey key: Self.Key) throws -> Int32
  func decode(_ type: Int64.Type, forKey key: Self.Key) throws -> Int64
  func decode(_ type: Int128.Type, forKey key: Self.Key) throws -> Int128
  func decode(_ type: UInt.Type, forKey key: Self.Key) throws -> UInt
  func decode(_ type: UInt8.Type, forKey key: Self.Key) throws -> UInt8
  func decode(_ type: UInt16.Type, forKey key: Self.Key) throws -> UInt16
  func decode(_ type: UInt32.Type, forKey key: Self.Key) throws -> UInt32
  func decode(_ type: UInt64.Type, forKey key: Self.Key) throws -> UInt64
  func decode(_ type: UInt128.Type, forKey key: Self.Key) throws -> UInt128
  func decode<T>(_ type: T.Type, forKey key: Self.Key) throws -> T where T : Decodable
  func decodeIfPresent(_ type: Bool.Type, forKey key: Self.Key) throws -> Bool?
  func decodeIfPresent(_ type: String.Type, forKey key: Self.Key) throws -> String?
  func decodeIfPresent(_ type: Double.Type, forKey key: Self.Key) throws -> Double?
  func decodeIfPresent(_ type: Float.Type, forKey key: Self.Key) throws -> Float?
  func decodeIfPresent(_ type: Int.Type, forKey key: Self.Key) throws -> Int?
  func decodeIfPresent(_ type: Int8.Type, forKey key: Self.Key) throws -> Int8?
  func decodeIfPresent(_ type: Int16.Type, forKey key: Self.Key) throws -> Int16?
  func decodeIfPresent(_ type: Int32.Type, forKey key: Self.Key) throws -> Int32?
  func decodeIfPresent(_ type: Int64.Type, forKey key: Self.Key) throws -> Int64?
  func decodeIfPresent(_ type: Int128.Type, forKey key: Self.Key) throws -> Int128?
  func decodeIfPresent(_ type: UInt.Type, forKey key: Self.Key) throws -> UInt?
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Self.Key) throws -> UInt8?
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Self.Key) throws -> UInt16?
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Self.Key) throws -> UInt32?
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Self.Key) throws -> UInt64?
  func decodeIfPresent(_ type: UInt128.Type, forKey key: Self.Key) throws -> UInt128?
  func decodeIfPresent<T>(_ type: T.Type, forKey key: Self.Key) throws -> T? where T : Decodable
  func nestedContainer<NestedKey>(keyedBy type: NestedKey.Type, forKey key: Self.Key) throws -> KeyedDecodingContainer<NestedKey> where NestedKey : CodingKey
  func nestedUnkeyedContainer(forKey key: Self.Key) throws -> any UnkeyedDecodingContainer
  func superDecoder() throws -> any Decoder
  func superDecoder(forKey key: Self.Key) throws -> any Decoder
}

struct KeyedDecodingContainer<K> : KeyedDecodingContainerProtocol where K : CodingKey {
  typealias Key = K
  var _box: _KeyedDecodingContainerBase
}
#if !$Embedded
extension KeyedDecodingContainer : KeyedDecodingContainerProtocol {}
#endif

protocol UnkeyedEncodingContainer {
  var codingPath: [any CodingKey] { get }
  var count: Int { get }
  mutating func encodeNil() throws
  mutating func encode(_ value: Bool) throws
  mutating func encode(_ value: String) throws
  mutating func encode(_ value: Double) throws
  mutating func encode(_ value: Float) throws
  mutating func encode(_ value: Int) throws
  mutating func encode(_ value: Int8) throws
  mutating func encode(_ value: Int16) throws
  mutating func encode(_ value: Int32) throws
  mutating func encode(_ value: Int64) throws
  mutating func encode(_ value: Int128) throws
  mutating func encode(_ value: UInt) throws
  mutating func encode(_ value: UInt8) throws
  mutating func encode(_ value: UInt16) throws
  mutating func encode(_ value: UInt32) throws
  mutating func encode(_ value: UInt64) throws
  mutating func encode(_ value: UInt128) throws
  mutating func encode<T>(_ value: T) throws where T : Encodable
  mutating func encodeConditional<T>(_ object: T) throws where T : AnyObject, T : Encodable
  mutating func encode<T>(contentsOf sequence: T) throws where T : Sequence, T.Element == Bool
  mutating func encode<T>(contentsOf sequence: T) throws where T : Sequence, T.Element == String
  mutating func encode<T>(contentsOf sequence: T) throws where T : Sequence, T.Element == Double
  mutating func encode<T>(contentsOf sequence: T) throws where T : Sequence, T.Element == Float
  mutating func encode<T>(contentsOf sequence: T) throws where T : Sequence, T.Element == Int
  mutating func encode<T>(contentsOf sequence: T) throws where T : Sequence, T.Element == Int8
  mutating func encode<T>(contentsOf sequence: T) throws where T : Sequence, T.Element == Int16
  mutating func encode<T>(contentsOf sequence: T) throws where T : Sequence, T.Element == Int32
  mutating func encode<T>(contentsOf sequence: T) throws where T : Sequence, T.Element == Int64
  mutating func encode<T>(contentsOf sequence: T) throws where T : Sequence, T.Element == Int128
  mutating func encode<T>(contentsOf sequence: T) throws where T : Sequence, T.Element == UInt
  mutating func encode<T>(contentsOf sequence: T) throws where T : Sequence, T.Element == UInt8
  mutating func encode<T>(contentsOf sequence: T) throws where T : Sequence, T.Element == UInt16
  mutating func encode<T>(contentsOf sequence: T) throws where T : Sequence, T.Element == UInt32
  mutating func encode<T>(contentsOf sequence: T) throws where T : Sequence, T.Element == UInt64
  mutating func encode<T>(contentsOf sequence: T) throws where T : Sequence, T.Element == UInt128
  mutating func encode<T>(contentsOf sequence: T) throws where T : Sequence, T.Element : Encodable
  mutating func nestedContainer<NestedKey>(keyedBy keyType: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> where NestedKey : CodingKey
  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer
  mutating func superEncoder() -> any Encoder
}

protocol UnkeyedDecodingContainer {
  var codingPath: [any CodingKey] { get }
  var count: Int? { get }
  var isAtEnd: Bool { get }
  var currentIndex: Int { get }
  mutating func decodeNil() throws -> Bool
  mutating func decode(_ type: Bool.Type) throws -> Bool
  mutating func decode(_ type: String.Type) throws -> String
  mutating func decode(_ type: Double.Type) throws -> Double
  mutating func decode(_ type: Float.Type) throws -> Float
  mutating func decode(_ type: Int.Type) throws -> Int
  mutating func decode(_ type: Int8.Type) throws -> Int8
  mutating func decode(_ type: Int16.Type) throws -> Int16
  mutating func decode(_ type: Int32.Type) throws -> Int32
  mutating func decode(_ type: Int64.Type) throws -> Int64
  mutating func decode(_ type: Int128.Type) throws -> Int128
  mutating func decode(_ type: UInt.Type) throws -> UInt
  mutating func decode(_ type: UInt8.Type) throws -> UInt8
  mutating func decode(_ type: UInt16.Type) throws -> UInt16
  mutating func decode(_ type: UInt32.Type) throws -> UInt32
  mutating func decode(_ type: UInt64.Type) throws -> UInt64
  mutating func decode(_ type: UInt128.Type) throws -> UInt128
  mutating func decode<T>(_ type: T.Type) throws -> T where T : Decodable
  mutating func decodeIfPresent(_ type: Bool.Type) throws -> Bool?
  mutating func decodeIfPresent(_ type: String.Type) throws -> String?
  mutating func decodeIfPresent(_ type: Double.Type) throws -> Double?
  mutating func decodeIfPresent(_ type: Float.Type) throws -> Float?
  mutating func decodeIfPresent(_ type: Int.Type) throws -> Int?
  mutating func decodeIfPresent(_ type: Int8.Type) throws -> Int8?
  mutating func decodeIfPresent(_ type: Int16.Type) throws -> Int16?
  mutating func decodeIfPresent(_ type: Int32.Type) throws -> Int32?
  mutating func decodeIfPresent(_ type: Int64.Type) throws -> Int64?
  mutating func decodeIfPresent(_ type: Int128.Type) throws -> Int128?
  mutating func decodeIfPresent(_ type: UInt.Type) throws -> UInt?
  mutating func decodeIfPresent(_ type: UInt8.Type) throws -> UInt8?
  mutating func decodeIfPresent(_ type: UInt16.Type) throws -> UInt16?
  mutating func decodeIfPresent(_ type: UInt32.Type) throws -> UInt32?
  mutating func decodeIfPresent(_ type: UInt64.Type) throws -> UInt64?
  mutating func decodeIfPresent(_ type: UInt128.Type) throws -> UInt128?
  mutating func decodeIfPresent<T>(_ type: T.Type) throws -> T? where T : Decodable
  mutating func nestedContainer<NestedKey>(keyedBy type: NestedKey.Type) throws -> KeyedDecodingContainer<NestedKey> where NestedKey : CodingKey
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer
  mutating func superDecoder() throws -> any Decoder
}

protocol SingleValueEncodingContainer {
  var codingPath: [any CodingKey] { get }
  mutating func encodeNil() throws
  mutating func encode(_ value: Bool) throws
  mutating func encode(_ value: String) throws
  mutating func encode(_ value: Double) throws
  mutating func encode(_ value: Float) throws
  mutating func encode(_ value: Int) throws
  mutating func encode(_ value: Int8) throws
  mutating func encode(_ value: Int16) throws
  mutating func encode(_ value: Int32) throws
  mutating func encode(_ value: Int64) throws
  mutating func encode(_ value: Int128) throws
  mutating func encode(_ value: UInt) throws
  mutating func encode(_ value: UInt8) throws
  mutating func encode(_ value: UInt16) throws
  mutating func encode(_ value: UInt32) throws
  mutating func encode(_ value: UInt64) throws
  mutating func encode(_ value: UInt128) throws
  mutating func encode<T>(_ value: T) throws where T : Encodable
}

protocol SingleValueDecodingContainer {
  var codingPath: [any CodingKey] { get }
  func decodeNil() -> Bool
  func decode(_ type: Bool.Type) throws -> Bool
  func decode(_ type: String.Type) throws -> String
  func decode(_ type: Double.Type) throws -> Double
  func decode(_ type: Float.Type) throws -> Float
  func decode(_ type: Int.Type) throws -> Int
  func decode(_ type: Int8.Type) throws -> Int8
  func decode(_ type: Int16.Type) throws -> Int16
  func decode(_ type: Int32.Type) throws -> Int32
  func decode(_ type: Int64.Type) throws -> Int64
  func decode(_ type: Int128.Type) throws -> Int128
  func decode(_ type: UInt.Type) throws -> UInt
  func decode(_ type: UInt8.Type) throws -> UInt8
  func decode(_ type: UInt16.Type) throws -> UInt16
  func decode(_ type: UInt32.Type) throws -> UInt32
  func decode(_ type: UInt64.Type) throws -> UInt64
  func decode(_ type: UInt128.Type) throws -> UInt128
  func decode<T>(_ type: T.Type) throws -> T where T : Decodable
}

struct CodingUserInfoKey : RawRepresentable, Equatable, Hashable, Sendable {
  typealias RawValue = String
  let rawValue: String
}

enum EncodingError : Error {
  case invalidValue(Any, EncodingError.Context)
  struct Context : Sendable {
    let codingPath: [any CodingKey]
    let debugDescription: String
    let underlyingError: (any Error)?
  }
}

enum DecodingError : Error {
  case typeMismatch(any Any.Type, DecodingError.Context)
  case valueNotFound(any Any.Type, DecodingError.Context)
  case keyNotFound(any CodingKey, DecodingError.Context)
  case dataCorrupted(DecodingError.Context)
  struct Context : Sendable {
    let codingPath: [any CodingKey]
    let debugDescription: String
    let underlyingError: (any Error)?
  }
}

struct _GenericIndexKey : CodingKey, Sendable {
  var stringValue: String
  var intValue: Int?
}

class _KeyedEncodingContainerBase {
  init()
  var codingPath: [any CodingKey] { get }
  func encodeNil<K>(forKey key: K) throws where K : CodingKey
  func encode<K>(_ value: Bool, forKey key: K) throws where K : CodingKey
  func encode<K>(_ value: String, forKey key: K) throws where K : CodingKey
  func encode<K>(_ value: Double, forKey key: K) throws where K : CodingKey
  func encode<K>(_ value: Float, forKey key: K) throws where K : CodingKey
  func encode<K>(_ value: Int, forKey key: K) throws where K : CodingKey
  func encode<K>(_ value: Int8, forKey key: K) throws where K : CodingKey
  func encode<K>(_ value: Int16, forKey key: K) throws where K : CodingKey
  func encode<K>(_ value: Int32, forKey key: K) throws where K : CodingKey
  func encode<K>(_ value: Int64, forKey key: K) throws where K : CodingKey
  func encode<K>(_ value: Int128, forKey key: K) throws where K : CodingKey
  func encode<K>(_ value: UInt, forKey key: K) throws where K : CodingKey
  func encode<K>(_ value: UInt8, forKey key: K) throws where K : CodingKey
  func encode<K>(_ value: UInt16, forKey key: K) throws where K : CodingKey
  func encode<K>(_ value: UInt32, forKey key: K) throws where K : CodingKey
  func encode<K>(_ value: UInt64, forKey key: K) throws where K : CodingKey
  func encode<K>(_ value: UInt128, forKey key: K) throws where K : CodingKey
  func encode<T, K>(_ value: T, forKey key: K) throws where T : Encodable, K : CodingKey
  func encodeConditional<T, K>(_ object: T, forKey key: K) throws where T : AnyObject, T : Encodable, K : CodingKey
  func encodeIfPresent<K>(_ value: Bool?, forKey key: K) throws where K : CodingKey
  func encodeIfPresent<K>(_ value: String?, forKey key: K) throws where K : CodingKey
  func encodeIfPresent<K>(_ value: Double?, forKey key: K) throws where K : CodingKey
  func encodeIfPresent<K>(_ value: Float?, forKey key: K) throws where K : CodingKey
  func encodeIfPresent<K>(_ value: Int?, forKey key: K) throws where K : CodingKey
  func encodeIfPresent<K>(_ value: Int8?, forKey key: K) throws where K : CodingKey
  func encodeIfPresent<K>(_ value: Int16?, forKey key: K) throws where K : CodingKey
  func encodeIfPresent<K>(_ value: Int32?, forKey key: K) throws where K : CodingKey
  func encodeIfPresent<K>(_ value: Int64?, forKey key: K) throws where K : CodingKey
  func encodeIfPresent<K>(_ value: Int128?, forKey key: K) throws where K : CodingKey
  func encodeIfPresent<K>(_ value: UInt?, forKey key: K) throws where K : CodingKey
  func encodeIfPresent<K>(_ value: UInt8?, forKey key: K) throws where K : CodingKey
  func encodeIfPresent<K>(_ value: UInt16?, forKey key: K) throws where K : CodingKey
  func encodeIfPresent<K>(_ value: UInt32?, forKey key: K) throws where K : CodingKey
  func encodeIfPresent<K>(_ value: UInt64?, forKey key: K) throws where K : CodingKey
  func encodeIfPresent<K>(_ value: UInt128?, forKey key: K) throws where K : CodingKey
  func encodeIfPresent<T, K>(_ value: T?, forKey key: K) throws where T : Encodable, K : CodingKey
  func nestedContainer<NestedKey, K>(keyedBy keyType: NestedKey.Type, forKey key: K) -> KeyedEncodingContainer<NestedKey> where NestedKey : CodingKey, K : CodingKey
  func nestedUnkeyedContainer<K>(forKey key: K) -> any UnkeyedEncodingContainer where K : CodingKey
  func superEncoder() -> any Encoder
  func superEncoder<K>(forKey key: K) -> any Encoder where K : CodingKey
}

final class _KeyedEncodingContainerBox<Concrete> : _KeyedEncodingContainerBase where Concrete : KeyedEncodingContainerProtocol {
  typealias Key = Concrete.Key
  var concrete: Concrete
  init(_ container: Concrete)
  override init()
}

class _KeyedDecodingContainerBase {
  init()
  var codingPath: [any CodingKey] { get }
  var allKeys: [any CodingKey] { get }
  func contains<K>(_ key: K) -> Bool where K : CodingKey
  func decodeNil<K>(forKey key: K) throws -> Bool where K : CodingKey
  func decode<K>(_ type: Bool.Type, forKey key: K) throws -> Bool where K : CodingKey
  func decode<K>(_ type: String.Type, forKey key: K) throws -> String where K : CodingKey
  func decode<K>(_ type: Double.Type, forKey key: K) throws -> Double where K : CodingKey
  func decode<K>(_ type: Float.Type, forKey key: K) throws -> Float where K : CodingKey
  func decode<K>(_ type: Int.Type, forKey key: K) throws -> Int where K : CodingKey
  func decode<K>(_ type: Int8.Type, forKey key: K) throws -> Int8 where K : CodingKey
  func decode<K>(_ type: Int16.Type, forKey key: K) throws -> Int16 where K : CodingKey
  func decode<K>(_ type: Int32.Type, forKey key: K) throws -> Int32 where K : CodingKey
  func decode<K>(_ type: Int64.Type, forKey key: K) throws -> Int64 where K : CodingKey
  func decode<K>(_ type: Int128.Type, forKey key: K) throws -> Int128 where K : CodingKey
  func decode<K>(_ type: UInt.Type, forKey key: K) throws -> UInt where K : CodingKey
  func decode<K>(_ type: UInt8.Type, forKey key: K) throws -> UInt8 where K : CodingKey
  func decode<K>(_ type: UInt16.Type, forKey key: K) throws -> UInt16 where K : CodingKey
  func decode<K>(_ type: UInt32.Type, forKey key: K) throws -> UInt32 where K : CodingKey
  func decode<K>(_ type: UInt64.Type, forKey key: K) throws -> UInt64 where K : CodingKey
  func decode<K>(_ type: UInt128.Type, forKey key: K) throws -> UInt128 where K : CodingKey
  func decode<T, K>(_ type: T.Type, forKey key: K) throws -> T where T : Decodable, K : CodingKey
  func decodeIfPresent<K>(_ type: Bool.Type, forKey key: K) throws -> Bool? where K : CodingKey
  func decodeIfPresent<K>(_ type: String.Type, forKey key: K) throws -> String? where K : CodingKey
  func decodeIfPresent<K>(_ type: Double.Type, forKey key: K) throws -> Double? where K : CodingKey
  func decodeIfPresent<K>(_ type: Float.Type, forKey key: K) throws -> Float? where K : CodingKey
  func decodeIfPresent<K>(_ type: Int.Type, forKey key: K) throws -> Int? where K : CodingKey
  func decodeIfPresent<K>(_ type: Int8.Type, forKey key: K) throws -> Int8? where K : CodingKey
  func decodeIfPresent<K>(_ type: Int16.Type, forKey key: K) throws -> Int16? where K : CodingKey
  func decodeIfPresent<K>(_ type: Int32.Type, forKey key: K) throws -> Int32? where K : CodingKey
  func decodeIfPresent<K>(_ type: Int64.Type, forKey key: K) throws -> Int64? where K : CodingKey
  func decodeIfPresent<K>(_ type: Int128.Type, forKey key: K) throws -> Int128? where K : CodingKey
  func decodeIfPresent<K>(_ type: UInt.Type, forKey key: K) throws -> UInt? where K : CodingKey
  func decodeIfPresent<K>(_ type: UInt8.Type, forKey key: K) throws -> UInt8? where K : CodingKey
  func decodeIfPresent<K>(_ type: UInt16.Type, forKey key: K) throws -> UInt16? where K : CodingKey
  func decodeIfPresent<K>(_ type: UInt32.Type, forKey key: K) throws -> UInt32? where K : CodingKey
  func decodeIfPresent<K>(_ type: UInt64.Type, forKey key: K) throws -> UInt64? where K : CodingKey
  func decodeIfPresent<K>(_ type: UInt128.Type, forKey key: K) throws -> UInt128? where K : CodingKey
  func decodeIfPresent<T, K>(_ type: T.Type, forKey key: K) throws -> T? where T : Decodable, K : CodingKey
  func nestedContainer<NestedKey, K>(keyedBy type: NestedKey.Type, forKey key: K) throws -> KeyedDecodingContainer<NestedKey> where NestedKey : CodingKey, K : CodingKey
  func nestedUnkeyedContainer<K>(forKey key: K) throws -> any UnkeyedDecodingContainer where K : CodingKey
  func superDecoder() throws -> any Decoder
  func superDecoder<K>(forKey key: K) throws -> any Decoder where K : CodingKey
}

final class _KeyedDecodingContainerBox<Concrete> : _KeyedDecodingContainerBase where Concrete : KeyedDecodingContainerProtocol {
  typealias Key = Concrete.Key
  var concrete: Concrete
  init(_ container: Concrete)
  override init()
}

struct _DictionaryCodingKey : CodingKey {
  let stringValue: String
  let intValue: Int?
}

protocol CodingKeyRepresentable {
  var codingKey: any CodingKey { get }
  init?<T>(codingKey: T) where T : CodingKey
}
#else
protocol Encodable {
  func encode(to encoder: any Encoder) throws
}

protocol Decodable {
  init(from decoder: any Decoder) throws
}

protocol CodingKey {}

struct KeyedDecodingContainer<K> where K : CodingKey {}

struct KeyedEncodingContainer<K> where K : CodingKey {}

protocol UnkeyedDecodingContainer {
  mutating func decode<T>(_ type: T.Type) throws -> T
}

protocol UnkeyedEncodingContainer {
  mutating func encode<T>(_ value: T) throws
}

protocol SingleValueDecodingContainer {}

protocol SingleValueEncodingContainer {}

protocol Encoder {
  var codingPath: [any CodingKey] { get }
  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> where Key : CodingKey
  func unkeyedContainer() -> any UnkeyedEncodingContainer
  func singleValueContainer() -> any SingleValueEncodingContainer
}

protocol Decoder {
  var codingPath: [any CodingKey] { get }
  func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> where Key : CodingKey
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer
  func singleValueContainer() throws -> any SingleValueDecodingContainer
}

enum DecodingError : Error {
  case typeMismatch(any Any.Type, DecodingError.Context)
  case valueNotFound(any Any.Type, DecodingError.Context)
  case keyNotFound(any CodingKey, DecodingError.Context)
  case dataCorrupted(DecodingError.Context)
  struct Context : Sendable {}
}
#endif

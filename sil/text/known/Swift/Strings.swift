// Swift: String, its views and indices, Character, Unicode.

typealias _CocoaString = AnyObject
typealias _CountAndFlags = _StringObject.CountAndFlags
typealias _StringSwitchCache = Dictionary<String, Int>
typealias ScalarAndNormData = (scalar: Unicode.Scalar, normData: Unicode._NormData)

@frozen struct Character : Sendable, _ExpressibleByBuiltinExtendedGraphemeClusterLiteral, ExpressibleByExtendedGraphemeClusterLiteral, CustomStringConvertible, LosslessStringConvertible, CustomDebugStringConvertible, Equatable, Comparable, Hashable, TextOutputStreamable {
  var _str: String
  typealias UTF8View = String.UTF8View
  typealias UTF16View = String.UTF16View
  typealias UnicodeScalarView = String.UnicodeScalarView
  typealias ExtendedGraphemeClusterLiteralType = Character
  typealias UnicodeScalarLiteralType = Character
}
#if !$Embedded
extension Character : CustomReflectable, _CustomPlaygroundQuickLookable {}
#endif

@frozen struct _SmallString : RandomAccessCollection, MutableCollection {
  typealias RawBitPattern = (UInt64, UInt64)
  var _storage: (UInt64, UInt64)
  typealias Index = Int
  typealias Element = UInt8
  typealias SubSequence = _SmallString
  typealias Indices = Range<Int>
  typealias Iterator = IndexingIterator<_SmallString>
}

@frozen struct StaticString : Sendable, _ExpressibleByBuiltinUnicodeScalarLiteral, ExpressibleByUnicodeScalarLiteral, _ExpressibleByBuiltinExtendedGraphemeClusterLiteral, ExpressibleByExtendedGraphemeClusterLiteral, _ExpressibleByBuiltinStringLiteral, ExpressibleByStringLiteral, CustomStringConvertible, CustomDebugStringConvertible {
  var _startPtrOrData: Builtin.Word
  var _utf8CodeUnitCount: Builtin.Word
  var _flags: Builtin.Int8
  typealias UnicodeScalarLiteralType = StaticString
  typealias ExtendedGraphemeClusterLiteralType = StaticString
  typealias StringLiteralType = StaticString
}
#if !$Embedded
extension StaticString : CustomReflectable {}
#endif

@frozen @_eagerMove struct String : _HasContiguousBytes, TextOutputStream, TextOutputStreamable, Hashable, Sendable, _ExpressibleByBuiltinUnicodeScalarLiteral, _ExpressibleByBuiltinExtendedGraphemeClusterLiteral, _ExpressibleByBuiltinStringLiteral, ExpressibleByStringLiteral, CustomDebugStringConvertible, CustomStringConvertible, BidirectionalCollection, Equatable, Comparable, StringProtocol, RangeReplaceableCollection {
  var _guts: _StringGuts
  typealias ExtendedGraphemeClusterLiteralType = String
  typealias StringLiteralType = String
  typealias UnicodeScalarLiteralType = String
  typealias SubSequence = Substring
  typealias Element = Character
  typealias Indices = DefaultIndices<String>
  typealias StringInterpolation = DefaultStringInterpolation
  typealias UnicodeScalarIndex = String.Index
  typealias IndexDistance = Int
  @frozen struct Iterator : IteratorProtocol, Sendable {
    var _guts: _StringGuts
    var _position: Int
    var _end: Int
    typealias Element = Character
  }
  @frozen struct Index : Sendable, Equatable, Comparable, Hashable, CustomDebugStringConvertible {
    var _rawBits: UInt64
  }
  @frozen struct UnicodeScalarView : Sendable, BidirectionalCollection, CustomStringConvertible, CustomDebugStringConvertible, RangeReplaceableCollection, _CustomPlaygroundQuickLookable {
    var _guts: _StringGuts
    typealias Index = String.Index
    typealias Element = Unicode.Scalar
    typealias Indices = DefaultIndices<String.UnicodeScalarView>
    typealias SubSequence = Substring.UnicodeScalarView
    @frozen struct Iterator : IteratorProtocol, Sendable {
      var _guts: _StringGuts
      var _position: Int
      var _end: Int
      typealias Element = Unicode.Scalar
    }
  }
  @frozen struct UTF16View : Sendable, BidirectionalCollection, CustomStringConvertible, CustomDebugStringConvertible, _CustomPlaygroundQuickLookable {
    var _guts: _StringGuts
    typealias Index = String.Index
    typealias Element = UInt16
    typealias Indices = DefaultIndices<String.UTF16View>
    typealias SubSequence = Substring.UTF16View
    @frozen struct Iterator : IteratorProtocol, Sendable {
      var _guts: _StringGuts
      var _position: Int
      var _end: Int
      var _nextIsTrailingSurrogate: UInt16?
      typealias Element = UInt16
    }
  }
  @frozen struct UTF8View : Sendable, BidirectionalCollection, CustomStringConvertible, CustomDebugStringConvertible, _CustomPlaygroundQuickLookable {
    var _guts: _StringGuts
    typealias Index = String.Index
    typealias Element = UInt8
    typealias Indices = DefaultIndices<String.UTF8View>
    typealias Iterator = IndexingIterator<String.UTF8View>
    typealias SubSequence = Substring.UTF8View
  }
}
#if !$Embedded
extension String : Decodable, Encodable, CodingKeyRepresentable, CustomReflectable, _CustomPlaygroundQuickLookable, MirrorPath {}
extension String.UnicodeScalarView : CustomReflectable {}
extension String.UTF16View : CustomReflectable {}
extension String.UTF8View : CustomReflectable {}
#endif

final class _StringBreadcrumbs {
  var utf16Length: Int
  var crumbs: [String.Index]
  init(_ str: String)
}

class __SwiftNativeNSString {
  init()
}

@frozen enum _StringComparisonResult : Equatable, Hashable {
  case equal
  case less
}

@frozen @_addressableForDependencies struct _StringGuts : Sendable {
  var _object: _StringObject
  typealias Index = String.Index
}

struct _StringGutsSlice {
  var _guts: _StringGuts
  var _offsetRange: Range<Int>
}

@frozen struct _StringObject {
  #if $Embedded
  typealias AnyObject = Builtin.NativeObject
  #endif
  #if _pointerBitWidth(_64)
  var _countAndFlagsBits: UInt64
  var _object: Builtin.BridgeObject
  #else
  var _count: Int
  var _variant: _StringObject.Variant
  var _discriminator: UInt8
  var _flags: UInt16
  #endif
  typealias RawBitPattern = (UInt64, UInt64)
  @frozen enum Nibbles {}
  @frozen struct CountAndFlags {
    var _storage: UInt64
    typealias RawBitPattern = UInt64
  }
  #if _pointerBitWidth(_32)
  @frozen enum Variant {
    case immortal(UInt)
    #if !$Embedded
    case native(AnyObject)
    #else
    case native(Builtin.NativeObject)
    #endif
    case bridged(_CocoaString)
  }
  #endif
}

protocol StringProtocol : BidirectionalCollection, Comparable, ExpressibleByStringInterpolation, Hashable, LosslessStringConvertible, TextOutputStream, TextOutputStreamable where Self.Element == Character, Self.Index == String.Index, Self.StringInterpolation == DefaultStringInterpolation, Self.SubSequence : StringProtocol, Self.UTF16View : BidirectionalCollection, Self.UTF8View : Collection, Self.UnicodeScalarView : BidirectionalCollection, Self.UTF16View.Element == UInt16, Self.UTF16View.Index == String.Index, Self.UTF8View.Element == UInt8, Self.UTF8View.Index == String.Index, Self.UnicodeScalarView.Element == Unicode.Scalar, Self.UnicodeScalarView.Index == String.Index {
  associatedtype UTF8View
  associatedtype UTF16View
  associatedtype UnicodeScalarView
  override associatedtype SubSequence = Substring
  var utf8: Self.UTF8View { get }
  var utf16: Self.UTF16View { get }
  var unicodeScalars: Self.UnicodeScalarView { get }
  func hasPrefix(_ prefix: String) -> Bool
  func hasSuffix(_ suffix: String) -> Bool
  func lowercased() -> String
  func uppercased() -> String
  init<C, Encoding>(decoding codeUnits: C, as sourceEncoding: Encoding.Type) where C : Collection, Encoding : _UnicodeEncoding, C.Element == Encoding.CodeUnit
  init(cString nullTerminatedUTF8: UnsafePointer<Int8>)
  init<Encoding>(decodingCString nullTerminatedCodeUnits: UnsafePointer<Encoding.CodeUnit>, as sourceEncoding: Encoding.Type) where Encoding : _UnicodeEncoding
  func withCString<Result>(_ body: (UnsafePointer<Int8>) throws -> Result) rethrows -> Result
  func withCString<Result, Encoding>(encodedAs targetEncoding: Encoding.Type, _ body: (UnsafePointer<Encoding.CodeUnit>) throws -> Result) rethrows -> Result where Encoding : _UnicodeEncoding
}

@frozen struct DefaultStringInterpolation : StringInterpolationProtocol, Sendable, CustomStringConvertible, TextOutputStream {
  var _storage: String
  typealias StringLiteralType = String
}

protocol _AbstractStringStorage {
  var asString: String { get }
  var count: Int { get }
  var isASCII: Bool { get }
  var start: UnsafePointer<UInt8> { get }
}

struct _CapacityAndFlags {
  var _storage: UInt64
}

final class __StringStorage : __SwiftNativeNSString, _AbstractStringStorage {
  #if _pointerBitWidth(_64)
  var _capacityAndFlags: _CapacityAndFlags
  var _countAndFlags: _StringObject.CountAndFlags
  #else
  var _realCapacity: Int
  var _count: Int
  var _countFlags: UInt16
  var _capacityFlags: UInt16
  #endif
  init(_doNotCallMe: ())
  override init()
}

final class __SharedStringStorage : __SwiftNativeNSString, _AbstractStringStorage {
  var _owner: AnyObject?
  var start: UnsafePointer<UInt8>
  #if _pointerBitWidth(_64)
  var _countAndFlags: _StringObject.CountAndFlags
  #else
  var _count: Int
  var _countFlags: UInt16
  #endif
  var _breadcrumbs: _StringBreadcrumbs?
  var immortal: Bool
  init(immortal ptr: UnsafePointer<UInt8>, countAndFlags: _StringObject.CountAndFlags)
  init(_mortal ptr: UnsafePointer<UInt8>, countAndFlags: _StringObject.CountAndFlags)
  override init()
}

@frozen struct _OpaqueStringSwitchCache {
  var a: Builtin.Word
  var b: Builtin.Word
}

struct _StringSwitchContext {
  let cases: [StaticString]
  let cachePtr: UnsafeMutablePointer<Dictionary<String, Int>>
}

struct _StringRepresentation {
  var _isASCII: Bool
  var _count: Int
  var _capacity: Int
  #if $Embedded
  typealias AnyObject = Builtin.NativeObject
  #endif
  var _form: _StringRepresentation._Form
  enum _Form {
    case _small
    #if !$Embedded
    case _cocoa(object: AnyObject)
    case _native(object: AnyObject)
    #else
    case _cocoa(object: Builtin.NativeObject)
    case _native(object: Builtin.NativeObject)
    #endif
    case _immortal(address: UInt)
  }
}

struct UTF8ExtraInfo : Equatable {
  var isASCII: Bool
}

#if compiler(>=6.2)
enum UTF8ValidationResult : Equatable {
  case success(UTF8ExtraInfo)
  case error(kind: _UTF8EncodingErrorKind, toBeReplaced: Range<Int>)
}
#else
enum UTF8ValidationResult {
  case success(UTF8ExtraInfo)
  case error(toBeReplaced: Range<Int>)
}
#endif

struct _UTF8EncodingErrorKind : Error, Sendable, Hashable, RawRepresentable {
  var rawValue: UInt8
  typealias RawValue = UInt8
}

enum _WordQuestion : Equatable {
  case checkingRegionalIndicator(count: Int, previousRIIndex: Int)
  case requireAHLetter
  case requireNumeric
  case requireHebrewLetter
}

struct _WordBreakingState {
  var constraint: (question: _WordQuestion, index: Int)?
  var index: Int
  var previousIndex: Int?
  var previousProperty: Unicode._WordBreakProperty?
  var shouldBreakRI: Bool
}

@frozen struct Substring : Sendable, _HasContiguousBytes, Equatable, StringProtocol, CustomStringConvertible, CustomDebugStringConvertible, LosslessStringConvertible, RangeReplaceableCollection, TextOutputStream, TextOutputStreamable, ExpressibleByUnicodeScalarLiteral, ExpressibleByExtendedGraphemeClusterLiteral, ExpressibleByStringLiteral {
  var _slice: Slice<String>
  typealias Index = String.Index
  typealias SubSequence = Substring
  typealias Element = Character
  typealias Indices = DefaultIndices<Substring>
  typealias Iterator = IndexingIterator<Substring>
  typealias StringInterpolation = DefaultStringInterpolation
  typealias UnicodeScalarLiteralType = String
  typealias ExtendedGraphemeClusterLiteralType = String
  typealias StringLiteralType = String
  @frozen struct UTF8View : Sendable, BidirectionalCollection {
    var _slice: Slice<String.UTF8View>
    typealias Index = String.Index
    typealias Indices = DefaultIndices<String.UTF8View>
    typealias Element = UInt8
    typealias SubSequence = Substring.UTF8View
    typealias Iterator = IndexingIterator<Substring.UTF8View>
  }
  @frozen struct UTF16View : Sendable, BidirectionalCollection {
    var _slice: Slice<String.UTF16View>
    typealias Index = String.Index
    typealias Indices = DefaultIndices<String.UTF16View>
    typealias Element = UInt16
    typealias SubSequence = Substring.UTF16View
    typealias Iterator = IndexingIterator<Substring.UTF16View>
  }
  @frozen struct UnicodeScalarView : Sendable, BidirectionalCollection, RangeReplaceableCollection {
    var _slice: Slice<String.UnicodeScalarView>
    typealias Index = String.Index
    typealias Indices = DefaultIndices<String.UnicodeScalarView>
    typealias Element = Unicode.Scalar
    typealias SubSequence = Substring.UnicodeScalarView
    typealias Iterator = IndexingIterator<Substring.UnicodeScalarView>
  }
}
#if !$Embedded
extension Substring : CustomReflectable, _CustomPlaygroundQuickLookable {}
#endif

protocol _UnicodeEncoding where Self == Self.ForwardParser.Encoding, Self.CodeUnit : FixedWidthInteger, Self.CodeUnit : UnsignedInteger, Self.CodeUnit == Self.EncodedScalar.Element, Self.EncodedScalar : BidirectionalCollection, Self.ForwardParser : _UnicodeParser, Self.ReverseParser : _UnicodeParser, Self.ForwardParser.Encoding == Self.ReverseParser.Encoding {
  associatedtype CodeUnit
  associatedtype EncodedScalar
  static var encodedReplacementCharacter: Self.EncodedScalar { get }
  static func decode(_ content: Self.EncodedScalar) -> Unicode.Scalar
  static func encode(_ content: Unicode.Scalar) -> Self.EncodedScalar?
  static func transcode<FromEncoding>(_ content: FromEncoding.EncodedScalar, from _: FromEncoding.Type) -> Self.EncodedScalar? where FromEncoding : _UnicodeEncoding
  associatedtype ForwardParser
  associatedtype ReverseParser
  static func _isScalar(_ x: Self.CodeUnit) -> Bool
}

protocol _UnicodeParser where Self.Encoding : _UnicodeEncoding {
  associatedtype Encoding
  init()
  mutating func parseScalar<I>(from input: inout I) -> Unicode.ParseResult<Self.Encoding.EncodedScalar> where I : IteratorProtocol, I.Element == Self.Encoding.CodeUnit
}

protocol _UTFParser where Self.Encoding : _UnicodeEncoding {
  associatedtype Encoding
  func _parseMultipleCodeUnits() -> (isValid: Bool, bitCount: UInt8)
  func _bufferedScalar(bitCount: UInt8) -> Self.Encoding.EncodedScalar
  var _buffer: _UIntBuffer<Self.Encoding.CodeUnit> { get set }
}

@frozen enum UnicodeDecodingResult : Equatable, Sendable {
  case scalarValue(Unicode.Scalar)
  case emptyInput
  case error
}

protocol UnicodeCodec : _UnicodeEncoding {
  init()
  mutating func decode<I>(_ input: inout I) -> UnicodeDecodingResult where I : IteratorProtocol, Self.CodeUnit == I.Element
  static func encode(_ input: Unicode.Scalar, into processCodeUnit: (Self.CodeUnit) -> ())
  static func _nullCodeUnitOffset(in input: UnsafePointer<Self.CodeUnit>) -> Int
}

protocol _StringElement {
  static func _toUTF16CodeUnit(_: Self) -> UInt16
  static func _fromUTF16CodeUnit(_ utf16: UInt16) -> Self
}

@frozen enum Unicode : ~BitwiseCopyable {
  typealias Encoding = _UnicodeEncoding
  typealias Parser = _UnicodeParser
  typealias Version = (major: Int, minor: Int)
  @frozen enum ASCII : _UnicodeEncoding {
    typealias CodeUnit = UInt8
    typealias EncodedScalar = CollectionOfOne<UInt8>
    typealias ForwardParser = Unicode.ASCII.Parser
    typealias ReverseParser = Unicode.ASCII.Parser
    @frozen struct Parser : _UnicodeParser {
      typealias Encoding = Unicode.ASCII
    }
  }
  @frozen struct Scalar : Sendable, _ExpressibleByBuiltinUnicodeScalarLiteral, ExpressibleByUnicodeScalarLiteral, CustomStringConvertible, CustomDebugStringConvertible, LosslessStringConvertible, Hashable, Equatable, Comparable, TextOutputStreamable {
    var _value: UInt32
    typealias UnicodeScalarLiteralType = Unicode.Scalar
    @frozen struct UTF16View : Sendable, RandomAccessCollection {
      var value: Unicode.Scalar
      typealias Indices = Range<Int>
      typealias Element = UInt16
      typealias Index = Int
      typealias Iterator = IndexingIterator<Unicode.Scalar.UTF16View>
      typealias SubSequence = Slice<Unicode.Scalar.UTF16View>
    }
    @frozen struct UTF8View : Sendable, RandomAccessCollection {
      var value: Unicode.Scalar
      typealias Indices = Range<Int>
      typealias Element = UInt8
      typealias Index = Int
      typealias Iterator = IndexingIterator<Unicode.Scalar.UTF8View>
      typealias SubSequence = Slice<Unicode.Scalar.UTF8View>
    }
    struct Properties : Sendable {
      var _scalar: Unicode.Scalar
      struct _BinaryProperties : OptionSet {
        let rawValue: UInt64
        typealias ArrayLiteralElement = Unicode.Scalar.Properties._BinaryProperties
        typealias Element = Unicode.Scalar.Properties._BinaryProperties
        typealias RawValue = UInt64
      }
      struct _CaseMapping {
        let rawValue: UInt8
      }
    }
  }
  struct _InternalNFC<Source> : Sequence where Source : Sequence, Source.Element == Unicode.Scalar {
    let source: Source
    typealias Element = Unicode.Scalar
    struct Iterator : IteratorProtocol {
      var source: Source.Iterator
      var normalizer: Unicode._NFCNormalizer
      typealias Element = Unicode.Scalar
    }
  }
  struct _NFCNormalizer : Sendable {
    var state: Unicode._NFCNormalizer.State
    var isTerminated: Bool
    var sourceIsAlreadyNFC: Bool
    var nfd: Unicode._NFDNormalizer
    var buffer: Unicode._NormDataBuffer
    var composee: Unicode.Scalar?
    enum State : Equatable, Hashable {
      case emittingSegment
      case consuming
    }
  }
  struct _InternalNFD<Source> : Sequence where Source : Sequence, Source.Element == Unicode.Scalar {
    let source: Source
    typealias Element = Unicode.Scalar
    struct Iterator : IteratorProtocol {
      var source: Source.Iterator
      var normalizer: Unicode._NFDNormalizer
      typealias Element = Unicode.Scalar
    }
  }
  struct _NFDNormalizer : Sendable {
    var state: Unicode._NFDNormalizer.State
    var buffer: Unicode._NormDataBuffer
    var pendingStarter: (scalar: Unicode.Scalar, normData: Unicode._NormData)?
    var bufferIsSorted: Bool
    enum State : Equatable, Hashable {
      case emittingSegment
      case consuming
      case terminated
    }
  }
  struct _NormData {
    var rawValue: UInt16
  }
  struct _NormDataBuffer {
    var storage: [(scalar: Unicode.Scalar, normData: Unicode._NormData)]
    var isReversed: Bool
  }
  struct _DecompositionEntry {
    let rawValue: UInt32
  }
  enum _GraphemeBreakProperty : Equatable, Hashable {
    case any
    case control
    case extend
    case extendedPictographic
    case l
    case lv
    case lvt
    case prepend
    case regionalIndicator
    case spacingMark
    case t
    case v
    case zwj
  }
  enum _WordBreakProperty : Equatable, Hashable {
    case aLetter
    case any
    case doubleQuote
    case extend
    case extendedPictographic
    case extendNumLet
    case format
    case hebrewLetter
    case katakana
    case midLetter
    case midNum
    case midNumLet
    case newlineCRLF
    case numeric
    case regionalIndicator
    case singleQuote
    case wSegSpace
    case zwj
  }
  @frozen enum ParseResult<T> {
    case valid(T)
    case emptyInput
    case error(length: Int)
  }
  enum GeneralCategory : Sendable, Equatable, Hashable {
    case uppercaseLetter
    case lowercaseLetter
    case titlecaseLetter
    case modifierLetter
    case otherLetter
    case nonspacingMark
    case spacingMark
    case enclosingMark
    case decimalNumber
    case letterNumber
    case otherNumber
    case connectorPunctuation
    case dashPunctuation
    case openPunctuation
    case closePunctuation
    case initialPunctuation
    case finalPunctuation
    case otherPunctuation
    case mathSymbol
    case currencySymbol
    case modifierSymbol
    case otherSymbol
    case spaceSeparator
    case lineSeparator
    case paragraphSeparator
    case control
    case format
    case surrogate
    case privateUse
    case unassigned
  }
  struct CanonicalCombiningClass : Comparable, Hashable, RawRepresentable, Sendable {
    let rawValue: UInt8
    typealias RawValue = UInt8
  }
  enum NumericType : Sendable, Equatable, Hashable {
    case decimal
    case digit
    case numeric
  }
  struct _NFD : Sendable, Sequence {
    let base: Substring.UnicodeScalarView
    typealias Element = Unicode.Scalar
    struct Iterator : Sendable, IteratorProtocol {
      var base: Unicode._InternalNFD<Substring.UnicodeScalarView>.Iterator
      typealias Element = Unicode.Scalar
    }
  }
  struct _NFC : Sendable, Sequence {
    let base: Substring.UnicodeScalarView
    typealias Element = Unicode.Scalar
    struct Iterator : Sendable, IteratorProtocol {
      var base: Unicode._InternalNFC<Substring.UnicodeScalarView>.Iterator
      typealias Element = Unicode.Scalar
    }
  }
  @frozen enum UTF8 : Sendable, _UnicodeEncoding, UnicodeCodec {
    case _swift3Buffer(Unicode.UTF8.ForwardParser)
    typealias CodeUnit = UInt8
    typealias EncodedScalar = _ValidUTF8Buffer
    @frozen struct ForwardParser : Sendable, _UnicodeParser, _UTFParser {
      typealias _Buffer = _UIntBuffer<UInt8>
      var _buffer: _UIntBuffer<UInt8>
      typealias Encoding = Unicode.UTF8
    }
    @frozen struct ReverseParser : Sendable, _UnicodeParser, _UTFParser {
      typealias _Buffer = _UIntBuffer<UInt8>
      var _buffer: _UIntBuffer<UInt8>
      typealias Encoding = Unicode.UTF8
    }
    @frozen struct ValidationError : Error, Sendable, Hashable, CustomStringConvertible {
      var kind: Unicode.UTF8.ValidationError.Kind
      var byteOffsets: Range<Int>
      @frozen struct Kind : Error, Sendable, Hashable, RawRepresentable, CustomStringConvertible {
        var rawValue: UInt8
        typealias RawValue = UInt8
      }
    }
  }
  @frozen enum UTF16 : Sendable, _UnicodeEncoding, UnicodeCodec {
    case _swift3Buffer(Unicode.UTF16.ForwardParser)
    typealias CodeUnit = UInt16
    typealias EncodedScalar = _UIntBuffer<UInt16>
    @frozen struct ForwardParser : Sendable, _UnicodeParser, _UTFParser {
      typealias _Buffer = _UIntBuffer<UInt16>
      var _buffer: _UIntBuffer<UInt16>
      typealias Encoding = Unicode.UTF16
    }
    @frozen struct ReverseParser : Sendable, _UnicodeParser, _UTFParser {
      typealias _Buffer = _UIntBuffer<UInt16>
      var _buffer: _UIntBuffer<UInt16>
      typealias Encoding = Unicode.UTF16
    }
  }
  @frozen enum UTF32 : Sendable, _UnicodeEncoding, UnicodeCodec, Equatable, Hashable {
    case _swift3Codec
    typealias CodeUnit = UInt32
    typealias EncodedScalar = CollectionOfOne<UInt32>
    typealias ForwardParser = Unicode.UTF32.Parser
    typealias ReverseParser = Unicode.UTF32.Parser
    @frozen struct Parser : Sendable, _UnicodeParser {
      typealias Encoding = Unicode.UTF32
    }
  }
  struct _CharacterRecognizer : Sendable, Equatable, CustomStringConvertible {
    var _previous: Unicode.Scalar
    var _state: _GraphemeBreakingState
  }
}
#if !$Embedded
extension Unicode.Scalar : CustomReflectable, _CustomPlaygroundQuickLookable {}
#endif
extension Unicode._InternalNFC : Sendable where Source : Sendable {}
extension Unicode._InternalNFC.Iterator : Sendable where Source.Iterator : Sendable {}
extension Unicode._InternalNFD : Sendable where Source : Sendable {}
extension Unicode._InternalNFD.Iterator : Sendable where Source.Iterator : Sendable {}
extension Unicode.ParseResult : Sendable where T : Sendable {}

struct _GraphemeBreakingState : Sendable, Equatable, CustomStringConvertible {
  var hasSeenInCBLinker: Bool
  var isInEmojiSequence: Bool
  var isInIndicSequence: Bool
  var shouldBreakRI: Bool
}

@frozen struct _ValidUTF8Buffer : Sequence, Collection, BidirectionalCollection, RandomAccessCollection, RangeReplaceableCollection {
  typealias Element = UInt8
  var _biasedBits: UInt32
  typealias SubSequence = Slice<_ValidUTF8Buffer>
  typealias Indices = DefaultIndices<_ValidUTF8Buffer>
  @frozen struct Iterator : IteratorProtocol, Sequence {
    var _biasedBits: UInt32
    typealias Element = UInt8
    typealias Iterator = _ValidUTF8Buffer.Iterator
  }
  @frozen struct Index : Comparable {
    var _biasedBits: UInt32
  }
}

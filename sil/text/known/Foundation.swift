// Foundation, of Linux: written by scripts/known-declarations.

struct AffineTransform : ReferenceConvertible, Sendable {
  typealias ReferenceType = NSAffineTransform
  var m11: CGFloat
  var m12: CGFloat
  var m21: CGFloat
  var m22: CGFloat
  var tX: CGFloat
  var tY: CGFloat
}

extension AffineTransform : Hashable {}

extension AffineTransform : Decodable & Encodable {}

extension AffineTransform : CustomStringConvertible {}

struct NSAffineTransformStruct : Sendable {
  var m11: CGFloat
  var m12: CGFloat
  var m21: CGFloat
  var m22: CGFloat
  var tX: CGFloat
  var tY: CGFloat
}

extension NSAffineTransform : @unchecked Sendable {}

class NSAffineTransform : NSObject {
  var affineTransform: AffineTransform
  override init()
  convenience init(transform: AffineTransform)
  override func copy() -> Any
  init?(coder aDecoder: NSCoder)
  override func isEqual(_ object: Any?) -> Bool
  override var hash: Int { get }
}

extension NSAffineTransform : NSCopying {}

extension NSAffineTransform : NSSecureCoding {}

extension AffineTransform : _ObjectiveCBridgeable {
  typealias _ObjectiveCType = NSAffineTransform
}

extension NSAffineTransform : _StructTypeBridgeable {
  typealias _StructType = AffineTransform
}

extension Array : _ObjectiveCBridgeable {
  typealias _ObjectType = NSArray
  typealias _ObjectiveCType = NSArray
}

protocol _StructBridgeable {
  func _bridgeToAny() -> Any
}

protocol _StructTypeBridgeable : _StructBridgeable {
  associatedtype _StructType
  func _bridgeToSwift() -> Self._StructType
}

protocol _SwiftBridgeable {
  associatedtype SwiftType
  var _swiftObject: Self.SwiftType { get }
}

protocol _NSBridgeable {
  associatedtype NSType
  var _nsObject: Self.NSType { get }
}

extension AnyHashable : _ObjectiveCBridgeable {
  typealias _ObjectiveCType = NSObject
}

class Bundle : NSObject, @unchecked Sendable {
  final let _bundleStorage: AnyObject!
  var _bundle: CFBundle! { get }
  class var main: Bundle { get }
  class var allBundlesRegardlessOfType: [Bundle] { get }
  var isFramework: Bool { get }
  class var allBundles: [Bundle] { get }
  class var allFrameworks: [Bundle] { get }
  init(cfBundle: CFBundle)
  init?(path: String)
  convenience init?(url: URL)
  init(for aClass: any AnyObject.Type)
  init?(identifier: String)
  convenience init?(_executableURL: URL)
  override var description: String { get }
  func load() -> Bool
  var isLoaded: Bool { get }
  func unload() -> Bool
  func preflight() throws
  func loadAndReturnError() throws
  var bundleURL: URL { get }
  var resourceURL: URL? { get }
  var executableURL: URL? { get }
  func url(forAuxiliaryExecutable executableName: String) -> URL?
  var privateFrameworksURL: URL? { get }
  var sharedFrameworksURL: URL? { get }
  var sharedSupportURL: URL? { get }
  var builtInPlugInsURL: URL? { get }
  var appStoreReceiptURL: URL? { get }
  var bundlePath: String { get }
  var resourcePath: String? { get }
  var executablePath: String? { get }
  func path(forAuxiliaryExecutable executableName: String) -> String?
  var privateFrameworksPath: String? { get }
  var sharedFrameworksPath: String? { get }
  var sharedSupportPath: String? { get }
  var builtInPlugInsPath: String? { get }
  class func url(forResource name: String?, withExtension ext: String?, subdirectory subpath: String?, in bundleURL: URL) -> URL?
  class func urls(forResourcesWithExtension ext: String?, subdirectory subpath: String?, in bundleURL: NSURL) -> [NSURL]?
  func url(forResource name: String?, withExtension ext: String?) -> URL?
  func url(forResource name: String?, withExtension ext: String?, subdirectory subpath: String?) -> URL?
  func url(forResource name: String?, withExtension ext: String?, subdirectory subpath: String?, localization localizationName: String?) -> URL?
  func urls(forResourcesWithExtension ext: String?, subdirectory subpath: String?) -> [NSURL]?
  func urls(forResourcesWithExtension ext: String?, subdirectory subpath: String?, localization localizationName: String?) -> [NSURL]?
  class func path(forResource name: String?, ofType ext: String?, inDirectory bundlePath: String) -> String?
  class func paths(forResourcesOfType ext: String?, inDirectory bundlePath: String) -> [String]
  func path(forResource name: String?, ofType ext: String?) -> String?
  func path(forResource name: String?, ofType ext: String?, inDirectory subpath: String?) -> String?
  func path(forResource name: String?, ofType ext: String?, inDirectory subpath: String?, forLocalization localizationName: String?) -> String?
  func paths(forResourcesOfType ext: String?, inDirectory subpath: String?) -> [String]
  func paths(forResourcesOfType ext: String?, inDirectory subpath: String?, forLocalization localizationName: String?) -> [String]
  func localizedString(forKey key: String, value: String?, table tableName: String?) -> String
  var bundleIdentifier: String? { get }
  var infoDictionary: [String : Any]? { get }
  var localizedInfoDictionary: [String : Any]? { get }
  func object(forInfoDictionaryKey key: String) -> Any?
  func classNamed(_ className: String) -> (any AnyObject.Type)?
  var principalClass: (any AnyObject.Type)? { get }
  var preferredLocalizations: [String] { get }
  var localizations: [String] { get }
  var developmentLocalization: String? { get }
  class func preferredLocalizations(from localizationsArray: [String]) -> [String]
  class func preferredLocalizations(from localizationsArray: [String], forPreferences preferencesArray: [String]?) -> [String]
  var executableArchitectures: [NSNumber]? { get }
  override func isEqual(_ object: Any?) -> Bool
  override var hash: Int { get }
  override init()
}

extension ByteCountFormatter {
  struct Units : OptionSet, Sendable {
    let rawValue: UInt
    typealias ArrayLiteralElement = ByteCountFormatter.Units
    typealias Element = ByteCountFormatter.Units
    typealias RawValue = UInt
  }
  enum CountStyle : Int, Sendable {
    case file
    case memory
    case decimal
    case binary
    typealias RawValue = Int
  }
}

extension ByteCountFormatter : @unchecked Sendable {}

class ByteCountFormatter : Formatter {
  override init()
  required init?(coder: NSCoder)
  override func encode(with coder: NSCoder)
  var allowedUnits: ByteCountFormatter.Units
  var countStyle: ByteCountFormatter.CountStyle
  var allowsNonnumericFormatting: Bool
  var includesUnit: Bool
  var includesCount: Bool
  var includesActualByteCount: Bool
  var isAdaptive: Bool
  var zeroPadsFractionDigits: Bool
  var formattingContext: Formatter.Context
  var actualBytes: String
  final let numberFormatter: NumberFormatter
  class func string(fromByteCount byteCount: Int64, countStyle: ByteCountFormatter.CountStyle) -> String
  func string(fromByteCount byteCount: Int64) -> String
  func string(for obj: Any?) -> String?
  func convertValue(fromByteCount byteCount: Int64, for byteSize: [ByteCountFormatter.Unit : Double]) -> String
  func valueToUseFor(byteCount: Double, unit: ByteCountFormatter.Units) -> String
  func divide(_ bytes: Double, by byteSize: [ByteCountFormatter.Unit : Double], for unit: ByteCountFormatter.Unit) -> String
  func formatNumberFor(bytes: Double, unit: ByteCountFormatter.Unit) -> String
  func lengthOfInt(number: Int) -> Int
  func partsToIncludeFor(value: String, unit: ByteCountFormatter.Unit) -> String
  enum Unit : String {
    case byte
    case bytes
    case KB
    case MB
    case GB
    case TB
    case PB
    case EB
    case ZB
    case YB
    typealias RawValue = String
  }
  final let decimalByteSize: [ByteCountFormatter.Unit : Double]
  final let binaryByteSize: [ByteCountFormatter.Unit : Double]
}

@frozen struct CGFloat : Sendable {
  typealias NativeType = Double
  var native: Double
}

extension CGFloat : SignedNumeric {
  typealias IntegerLiteralType = Int
  typealias Magnitude = CGFloat
}

extension CGFloat : BinaryFloatingPoint {
  typealias RawSignificand = UInt
  typealias Exponent = Int
  typealias FloatLiteralType = Double
  typealias RawExponent = UInt
}

extension CGFloat : CustomReflectable {}

extension CGFloat : CustomStringConvertible {}

extension CGFloat : Hashable {}

extension CGFloat : Strideable {
  typealias Stride = CGFloat
}

extension CGFloat : _CVarArgPassedAsDouble, _CVarArgAligned {}

extension CGFloat : Decodable & Encodable {}

struct CharacterSet : ReferenceConvertible, Equatable, Hashable, SetAlgebra, Sendable {
  typealias ReferenceType = NSCharacterSet
  nonisolated(unsafe) var _wrapped: NSCharacterSet
  typealias ArrayLiteralElement = Unicode.Scalar
  typealias Element = Unicode.Scalar
}

extension CharacterSet : _ObjectiveCBridgeable {
  typealias _ObjectiveCType = NSCharacterSet
}

extension CharacterSet : Decodable & Encodable {
  enum CodingKeys : Int, CodingKey {
    case bitmap
    typealias RawValue = Int
  }
}

extension DateComponents : ReferenceConvertible {
  typealias ReferenceType = NSDateComponents
}

extension DateComponents : _ObjectiveCBridgeable {
  typealias _ObjectiveCType = NSDateComponents
}

extension DateComponents : _NSBridgeable {
  typealias NSType = NSDateComponents
}

class DateComponentsFormatter : Formatter, @unchecked Sendable {
  enum UnitsStyle : Int, Sendable {
    case positional
    case abbreviated
    case short
    case full
    case spellOut
    case brief
    typealias RawValue = Int
  }
  struct ZeroFormattingBehavior : OptionSet, Sendable {
    let rawValue: UInt
    typealias ArrayLiteralElement = DateComponentsFormatter.ZeroFormattingBehavior
    typealias Element = DateComponentsFormatter.ZeroFormattingBehavior
    typealias RawValue = UInt
  }
  override init()
  required init?(coder: NSCoder)
  func string(for obj: Any?) -> String?
  func string(from components: DateComponents) -> String?
  func string(from startDate: Date, to endDate: Date) -> String?
  func string(from ti: Double) -> String?
  class func localizedString(from components: DateComponents, unitsStyle: DateComponentsFormatter.UnitsStyle) -> String?
  var unitsStyle: DateComponentsFormatter.UnitsStyle
  var allowedUnits: NSCalendar.Unit
  var zeroFormattingBehavior: DateComponentsFormatter.ZeroFormattingBehavior
  var calendar: Calendar?
  var allowsFractionalUnits: Bool
  var maximumUnitCount: Int
  var collapsesLargestUnit: Bool
  var includesApproximationPhrase: Bool
  var includesTimeRemainingPhrase: Bool
  var formattingContext: Formatter.Context
}

class DateFormatter : Formatter, @unchecked Sendable {
  final let _lock: Mutex<DateFormatter.State>
  override init()
  convenience init(state: consuming sending DateFormatter.State)
  override func copy(with zone: NSZone? = nil) -> Any
  required init?(coder: NSCoder)
  struct State : ~Copyable {
    class Box {
      var formatter: CFDateFormatter?
      init()
    }
    var _formatter: DateFormatter.State.Box
    var formattingContext: Formatter.Context
    var _dateFormat: String?
    var dateStyle: DateFormatter.Style
    var timeStyle: DateFormatter.Style
    var _locale: Locale?
    var generatesCalendarDates: Bool
    var _timeZone: TimeZone?
    var _calendar: Calendar!
    var isLenient: Bool
    var _twoDigitStartDate: Date?
    var defaultDate: Date?
    var _eraSymbols: [String]?
    var _monthSymbols: [String]?
    var _shortMonthSymbols: [String]?
    var _weekdaySymbols: [String]?
    var _shortWeekdaySymbols: [String]?
    var _amSymbol: String?
    var _pmSymbol: String?
    var _longEraSymbols: [String]?
    var _veryShortMonthSymbols: [String]?
    var _standaloneMonthSymbols: [String]?
    var _shortStandaloneMonthSymbols: [String]?
    var _veryShortStandaloneMonthSymbols: [String]?
    var _veryShortWeekdaySymbols: [String]?
    var _standaloneWeekdaySymbols: [String]?
    var _shortStandaloneWeekdaySymbols: [String]?
    var _veryShortStandaloneWeekdaySymbols: [String]?
    var _quarterSymbols: [String]?
    var _shortQuarterSymbols: [String]?
    var _standaloneQuarterSymbols: [String]?
    var _shortStandaloneQuarterSymbols: [String]?
    var _gregorianStartDate: Date?
    var doesRelativeDateFormatting: Bool
  }
  override func string(for obj: Any) -> String?
  func string(from date: Date) -> String
  func date(from string: String) -> Date?
  class func localizedString(from date: Date, dateStyle dstyle: DateFormatter.Style, timeStyle tstyle: DateFormatter.Style) -> String
  class func dateFormat(fromTemplate template: String, options opts: Int, locale: Locale?) -> String?
  func setLocalizedDateFormatFromTemplate(_ dateFormatTemplate: String)
  var dateFormat: String! { get set }
  var dateStyle: DateFormatter.Style { get set }
  var timeStyle: DateFormatter.Style { get set }
  var locale: Locale! { get set }
  var generatesCalendarDates: Bool { get set }
  var timeZone: TimeZone! { get set }
  var calendar: Calendar! { get set }
  var isLenient: Bool { get set }
  var twoDigitStartDate: Date? { get set }
  var defaultDate: Date? { get set }
  var eraSymbols: [String] { get set }
  var monthSymbols: [String] { get set }
  var shortMonthSymbols: [String] { get set }
  var weekdaySymbols: [String] { get set }
  var shortWeekdaySymbols: [String] { get set }
  var amSymbol: String { get set }
  var pmSymbol: String { get set }
  var longEraSymbols: [String] { get set }
  var veryShortMonthSymbols: [String] { get set }
  var standaloneMonthSymbols: [String] { get set }
  var shortStandaloneMonthSymbols: [String] { get set }
  var veryShortStandaloneMonthSymbols: [String] { get set }
  var veryShortWeekdaySymbols: [String] { get set }
  var standaloneWeekdaySymbols: [String] { get set }
  var shortStandaloneWeekdaySymbols: [String] { get set }
  var veryShortStandaloneWeekdaySymbols: [String] { get set }
  var quarterSymbols: [String] { get set }
  var shortQuarterSymbols: [String] { get set }
  var standaloneQuarterSymbols: [String] { get set }
  var shortStandaloneQuarterSymbols: [String] { get set }
  var gregorianStartDate: Date? { get set }
  var doesRelativeDateFormatting: Bool { get set }
}

extension DateFormatter {
  enum Style : UInt, Sendable {
    case none
    case short
    case medium
    case long
    case full
    typealias RawValue = UInt
  }
}

extension DateInterval : _ObjectiveCBridgeable {
  typealias _ObjectiveCType = NSDateInterval
}

extension DateIntervalFormatter {
  enum Style : UInt, Sendable {
    case none
    case short
    case medium
    case long
    case full
    typealias RawValue = UInt
  }
}

class DateIntervalFormatter : Formatter, @unchecked Sendable {
  final let core: CFDateIntervalFormatter
  override init()
  init(cfFormatter: CFDateIntervalFormatter)
  required init?(coder: NSCoder)
  override func encode(with aCoder: NSCoder)
  var locale: Locale! { get set }
  var calendar: Calendar! { get set }
  var timeZone: TimeZone! { get set }
  var dateTemplate: String! { get set }
  var dateStyle: DateIntervalFormatter.Style { get set }
  var timeStyle: DateIntervalFormatter.Style { get set }
  enum BoundaryStyle : UInt {
    case `default`
    typealias RawValue = UInt
  }
  var boundaryStyle: DateIntervalFormatter.BoundaryStyle { get set }
  func string(from fromDate: Date, to toDate: Date) -> String
  func string(from dateInterval: DateInterval) -> String?
  override func string(for obj: Any) -> String?
  override func editingString(for obj: Any) -> String?
  override func copy(with zone: NSZone? = nil) -> Any
}

extension Decimal : _ObjectiveCBridgeable {
  typealias _ObjectiveCType = NSDecimalNumber
}

extension Dictionary : _ObjectiveCBridgeable {
  typealias _ObjectType = NSDictionary
  typealias _ObjectiveCType = NSDictionary
}

extension DispatchData.Region : @unchecked Sendable {}

extension DispatchData : DataProtocol {
  typealias Regions = [DispatchData.Region]
  struct Region : DataProtocol, ContiguousBytes {
    let bytes: UnsafeBufferPointer<UInt8>
    let index: Int
    let owner: DispatchData
    typealias Element = UInt8
    typealias Index = Int
    typealias Indices = Range<Int>
    typealias Iterator = IndexingIterator<DispatchData.Region>
    typealias Regions = CollectionOfOne<DispatchData.Region>
    typealias SubSequence = Slice<DispatchData.Region>
  }
}

extension EnergyFormatter {
  enum Unit : Int, Sendable {
    case joule
    case kilojoule
    case calorie
    case kilocalorie
    typealias RawValue = Int
  }
}

extension EnergyFormatter : @unchecked Sendable {}

class EnergyFormatter : Formatter {
  override init()
  required init?(coder: NSCoder)
  var numberFormatter: NumberFormatter!
  var unitStyle: Formatter.UnitStyle
  var isForFoodEnergyUse: Bool
  func string(fromValue value: Double, unit: EnergyFormatter.Unit) -> String
  func string(fromJoules numberInJoules: Double) -> String
  func unitString(fromValue value: Double, unit: EnergyFormatter.Unit) -> String
  func unitString(fromJoules numberInJoules: Double, usedUnit unitp: UnsafeMutablePointer<EnergyFormatter.Unit>?) -> String
  var usesCalories: Bool { get }
}

class FileHandle : NSObject, @unchecked Sendable {
  var _fd: Int32
  var fileDescriptor: Int32 { get }
  func _checkFileHandle()
  var _isPlatformHandleValid: Bool { get }
  var _closeOnDealloc: Bool
  var currentBackgroundActivityOwner: AnyObject?
  var readabilitySource: (any DispatchSourceProtocol)?
  var writabilitySource: (any DispatchSourceProtocol)?
  var privateAsyncVariablesLock: NSLock
  var _queue: DispatchQueue?
  var queue: DispatchQueue { get }
  var queueIfExists: DispatchQueue? { get }
  func monitor(forReading reading: Bool, resumed: Bool = true, handler: @escaping (FileHandle, any DispatchSourceProtocol) -> ()) -> any DispatchSourceProtocol
  var _readabilityHandler: (@Sendable (FileHandle) -> ())?
  var readabilityHandler: (@Sendable (FileHandle) -> ())? { get set }
  var _writeabilityHandler: (@Sendable (FileHandle) -> ())?
  var writeabilityHandler: (@Sendable (FileHandle) -> ())? { get set }
  var availableData: Data { get }
  func _readDataOfLength(_ length: Int, untilEOF: Bool, options: Data.ReadingOptions = []) throws -> NSData.NSDataReadResult
  func _readBytes(into buffer: UnsafeMutablePointer<UInt8>, length: Int) throws -> Int
  func _writeBytes(buf: UnsafeRawPointer, length: Int) throws
  init(fileDescriptor fd: Int32, closeOnDealloc closeopt: Bool)
  convenience init(fileDescriptor fd: Int32)
  init?(path: String, flags: Int32, createMode: Int)
  convenience init?(fileSystemRepresentation: UnsafePointer<Int8>, flags: Int32, createMode: Int)
  func readToEnd() throws -> Data?
  func read(upToCount count: Int) throws -> Data?
  func write<T>(contentsOf data: T) throws where T : DataProtocol
  func offset() throws -> UInt64
  func seekToEnd() throws -> UInt64
  func seek(toOffset offset: UInt64) throws
  func truncate(atOffset offset: UInt64) throws
  func synchronize() throws
  func performOnQueueIfExists(_ block: () throws -> ()) throws
  func close() throws
  func _immediatelyClose(closeFd: Bool = true) throws
  func readDataToEndOfFile() -> Data
  func readData(ofLength length: Int) -> Data
  func write(_ data: Data)
  var offsetInFile: UInt64 { get }
  func seekToEndOfFile() -> UInt64
  func seek(toFileOffset offset: UInt64)
  func truncateFile(atOffset offset: UInt64)
  func synchronizeFile()
  func closeFile()
  override init()
}

class Pipe : NSObject, @unchecked Sendable {
  final let fileHandleForReading: FileHandle
  final let fileHandleForWriting: FileHandle
  override init()
}

extension FileManager {
  enum URLForDirectoryError : Error {
    case directoryUnknown
  }
}

extension FileManager {
  struct VolumeEnumerationOptions : OptionSet, Sendable {
    let rawValue: UInt
    typealias ArrayLiteralElement = FileManager.VolumeEnumerationOptions
    typealias Element = FileManager.VolumeEnumerationOptions
    typealias RawValue = UInt
  }
}

extension FileManager.DirectoryEnumerator : Sendable {}

extension FileManager {
  class DirectoryEnumerator : NSEnumerator {
    var fileAttributes: [FileAttributeKey : Any]? { get }
    var directoryAttributes: [FileAttributeKey : Any]? { get }
    var level: Int { get }
    func skipDescendants()
    override init()
  }
  class NSPathDirectoryEnumerator : FileManager.DirectoryEnumerator {
    final let baseURL: URL
    final let innerEnumerator: FileManager.DirectoryEnumerator
    var _currentItemPath: String?
    override var fileAttributes: [FileAttributeKey : Any]? { get }
    override var directoryAttributes: [FileAttributeKey : Any]? { get }
    override var level: Int { get }
    override func skipDescendants()
    init?(path: String)
    override func nextObject() -> Any?
    override init()
  }
}

extension FileManager {
  class NSURLDirectoryEnumerator : FileManager.DirectoryEnumerator {
    var _url: URL
    var _options: FileManager.DirectoryEnumerationOptions
    var _errorHandler: ((URL, any Error) -> Bool)?
    var _stream: UnsafeMutablePointer<FTS>?
    var _current: UnsafeMutablePointer<_ftsent>?
    var _rootError: (any Error)?
    var _gotRoot: Bool
    init(url: URL, options: FileManager.DirectoryEnumerationOptions, errorHandler: ((URL, any Error) -> Bool)?)
    override func nextObject() -> Any?
    override var level: Int { get }
    override func skipDescendants()
    override var directoryAttributes: [FileAttributeKey : Any]? { get }
    override var fileAttributes: [FileAttributeKey : Any]? { get }
    override init()
  }
}

extension Formatter {
  enum Context : Int, Sendable {
    case unknown
    case dynamic
    case standalone
    case listItem
    case beginningOfSentence
    case middleOfSentence
    typealias RawValue = Int
  }
  enum UnitStyle : Int, Sendable {
    case short
    case medium
    case long
    typealias RawValue = Int
  }
}

class Formatter : NSObject, NSCopying, NSCoding {
  override init()
  init?(coder: NSCoder)
  func encode(with aCoder: NSCoder)
  override func copy() -> Any
  func copy(with zone: NSZone? = nil) -> Any
  func string(for obj: Any) -> String?
  func editingString(for obj: Any) -> String?
  func objectValue(_ string: String) throws -> Any?
  func getObjectValue(_ obj: UnsafeMutablePointer<AnyObject?>?, for string: String, errorDescription error: UnsafeMutablePointer<NSString?>?) -> Bool
}

extension Host : @unchecked Sendable {}

class Host : NSObject {
  enum ResolveType {
    case name
    case address
    case current
  }
  var _info: String?
  var _type: Host.ResolveType
  var _resolved: Bool
  var _names: [String]
  var _addresses: [String]
  init(_ info: String?, _ type: Host.ResolveType)
  class func current() -> Host
  convenience init(name: String?)
  convenience init(address: String)
  func isEqual(to aHost: Host) -> Bool
  func _resolveCurrent(withInfo info: String)
  func _resolve()
  var name: String? { get }
  var names: [String] { get }
  var address: String? { get }
  var addresses: [String] { get }
  var localizedName: String? { get }
  override init()
}

extension IndexPath : ReferenceConvertible {
  typealias ReferenceType = NSIndexPath
}

extension IndexPath : _ObjectiveCBridgeable {
  typealias _ObjectiveCType = NSIndexPath
}

extension NSIndexPath : _HasCustomAnyHashableRepresentation {}

struct IndexSet : ReferenceConvertible, Equatable, BidirectionalCollection, SetAlgebra, Sendable {
  struct RangeView : Equatable, BidirectionalCollection, Sendable {
    typealias Index = Int
    let startIndex: Int
    let endIndex: Int
    var indexSet: IndexSet
    var intersectingRange: Range<Int>?
    typealias Element = Range<Int>
    typealias Indices = DefaultIndices<IndexSet.RangeView>
    typealias Iterator = IndexingIterator<IndexSet.RangeView>
    typealias SubSequence = Slice<IndexSet.RangeView>
  }
  struct Index : CustomStringConvertible, Comparable, Sendable {
    var value: Int
    var extent: Range<Int>
    var rangeIndex: Int
    let rangeCount: Int
  }
  typealias ReferenceType = NSIndexSet
  typealias Element = Int
  var _handle: _MutablePairHandle<NSIndexSet, NSMutableIndexSet>
  typealias ArrayLiteralElement = Int
  typealias Indices = DefaultIndices<IndexSet>
  typealias Iterator = IndexingIterator<IndexSet>
  typealias SubSequence = Slice<IndexSet>
}

extension IndexSet : CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension IndexSet : _ObjectiveCBridgeable {
  typealias _ObjectiveCType = NSIndexSet
}

extension NSIndexSet : _HasCustomAnyHashableRepresentation {}

extension _MutablePair : Sendable {}

enum _MutablePair<ImmutableType, MutableType> {
  case Default(ImmutableType)
  case Mutable(MutableType)
}

final class _MutablePairHandle<ImmutableType, MutableType> : @unchecked Sendable where ImmutableType : NSObject, ImmutableType : NSMutableCopying, MutableType : NSObject, MutableType : NSMutableCopying {
  final var _pointer: _MutablePair<ImmutableType, MutableType>
  init(_ immutable: ImmutableType, copying: Bool = true)
  init(_ mutable: MutableType, copying: Bool = true)
}

extension IndexSet : Decodable & Encodable {
  enum CodingKeys : Int, CodingKey {
    case indexes
    typealias RawValue = Int
  }
  enum RangeCodingKeys : Int, CodingKey {
    case location
    case length
    typealias RawValue = Int
  }
}

extension ISO8601DateFormatter {
  struct Options : OptionSet, Sendable {
    private(set) var rawValue: UInt
    typealias ArrayLiteralElement = ISO8601DateFormatter.Options
    typealias Element = ISO8601DateFormatter.Options
    typealias RawValue = UInt
  }
}

extension ISO8601DateFormatter : @unchecked Sendable {}

class ISO8601DateFormatter : Formatter, NSSecureCoding {
  typealias CFType = CFDateFormatter
  final var __cfObject: CFDateFormatter?
  var timeZone: TimeZone!
  var formatOptions: ISO8601DateFormatter.Options
  override init()
  required init?(coder aDecoder: NSCoder)
  override func encode(with aCoder: NSCoder)
  override func copy(with zone: NSZone? = nil) -> Any
  func string(from date: Date) -> String
  func date(from string: String) -> Date?
  class func string(from date: Date, timeZone: TimeZone, formatOptions: ISO8601DateFormatter.Options = []) -> String
  func _reset()
}

extension JSONSerialization {
  struct ReadingOptions : OptionSet, Sendable {
    let rawValue: UInt
    typealias ArrayLiteralElement = JSONSerialization.ReadingOptions
    typealias Element = JSONSerialization.ReadingOptions
    typealias RawValue = UInt
  }
  struct WritingOptions : OptionSet, Sendable {
    let rawValue: UInt
    typealias ArrayLiteralElement = JSONSerialization.WritingOptions
    typealias Element = JSONSerialization.WritingOptions
    typealias RawValue = UInt
  }
}

extension JSONSerialization : @unchecked Sendable {}

class JSONSerialization : NSObject {
  class func isValidJSONObject(_ obj: Any) -> Bool
  class func _data(withJSONObject value: Any, options opt: JSONSerialization.WritingOptions, stream: Bool) throws -> Data
  class func data(withJSONObject value: Any, options opt: JSONSerialization.WritingOptions = []) throws -> Data
  class func jsonObject(with data: Data, options opt: JSONSerialization.ReadingOptions = []) throws -> Any
  class func writeJSONObject(_ obj: Any, toStream stream: OutputStream, options opt: JSONSerialization.WritingOptions) throws -> Int
  class func jsonObject(with stream: InputStream, options opt: JSONSerialization.ReadingOptions = []) throws -> Any
  override init()
}

extension LengthFormatter {
  enum Unit : Int, Sendable {
    case millimeter
    case centimeter
    case meter
    case kilometer
    case inch
    case foot
    case yard
    case mile
    typealias RawValue = Int
  }
}

extension LengthFormatter : @unchecked Sendable {}

class LengthFormatter : Formatter {
  override init()
  required init?(coder: NSCoder)
  var numberFormatter: NumberFormatter!
  var unitStyle: Formatter.UnitStyle
  var isForPersonHeightUse: Bool
  func string(fromValue value: Double, unit: LengthFormatter.Unit) -> String
  func string(fromMeters numberInMeters: Double) -> String
  func unitString(fromValue value: Double, unit: LengthFormatter.Unit) -> String
  func unitString(fromMeters numberInMeters: Double, usedUnit unitp: UnsafeMutablePointer<LengthFormatter.Unit>?) -> String
  func unit(fromMeters numberInMeters: Double) -> LengthFormatter.Unit
}

extension MassFormatter {
  enum Unit : Int, Sendable {
    case gram
    case kilogram
    case ounce
    case pound
    case stone
    typealias RawValue = Int
  }
}

extension MassFormatter : @unchecked Sendable {}

class MassFormatter : Formatter {
  override init()
  required init?(coder: NSCoder)
  var numberFormatter: NumberFormatter!
  var unitStyle: Formatter.UnitStyle
  var isForPersonMassUse: Bool
  func string(fromValue value: Double, unit: MassFormatter.Unit) -> String
  func string(fromKilograms numberInKilograms: Double) -> String
  func unitString(fromValue value: Double, unit: MassFormatter.Unit) -> String
  func unitString(fromKilograms numberInKilograms: Double, usedUnit unitp: UnsafeMutablePointer<MassFormatter.Unit>?) -> String
  func convertedUnit(fromKilograms numberInKilograms: Double) -> MassFormatter.Unit
  func singlePartString(fromValue value: Double, unit: MassFormatter.Unit) -> String
  func unitStringDisplayedAdjacent(toValue value: Double, unit: MassFormatter.Unit) -> String
}

extension Measurement : Sendable {}

struct Measurement<UnitType> : ReferenceConvertible, Comparable, Equatable where UnitType : Unit {
  typealias ReferenceType = NSMeasurement
  let unit: UnitType
  var value: Double
}

extension Measurement : CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Measurement : _ObjectiveCBridgeable {
  typealias _ObjectiveCType = NSMeasurement
}

extension NSMeasurement : _HasCustomAnyHashableRepresentation {}

extension Measurement : Decodable & Encodable {
  enum CodingKeys : Int, CodingKey {
    case value
    case unit
    typealias RawValue = Int
  }
  enum UnitCodingKeys : Int, CodingKey {
    case symbol
    case converter
    typealias RawValue = Int
  }
  enum LinearConverterCodingKeys : Int, CodingKey {
    case coefficient
    case constant
    typealias RawValue = Int
  }
}

extension MeasurementFormatter : @unchecked Sendable {}

class MeasurementFormatter : Formatter, NSSecureCoding {
  struct UnitOptions : OptionSet, Sendable {
    private(set) var rawValue: UInt
    typealias ArrayLiteralElement = MeasurementFormatter.UnitOptions
    typealias Element = MeasurementFormatter.UnitOptions
    typealias RawValue = UInt
  }
  var unitOptions: MeasurementFormatter.UnitOptions
  var unitStyle: Formatter.UnitStyle
  var locale: Locale!
  var numberFormatter: NumberFormatter!
  func string(from measurement: Measurement<Unit>) -> String
  func string(from unit: Unit) -> String
  override init()
  required init?(coder aDecoder: NSCoder)
  override func encode(with aCoder: NSCoder)
  func string<UnitType>(from measurement: Measurement<UnitType>) -> String where UnitType : Unit
}

struct Morphology : Sendable {
  enum GrammaticalGender : Int, Hashable, Sendable {
    case feminine
    case masculine
    case neuter
    typealias RawValue = Int
  }
  var grammaticalGender: Morphology.GrammaticalGender?
  enum PartOfSpeech : Int, Hashable, Sendable {
    case determiner
    case pronoun
    case letter
    case adverb
    case particle
    case adjective
    case adposition
    case verb
    case noun
    case conjunction
    case numeral
    case interjection
    case preposition
    case abbreviation
    typealias RawValue = Int
  }
  var partOfSpeech: Morphology.PartOfSpeech?
  enum GrammaticalNumber : Int, Hashable, Sendable {
    case singular
    case zero
    case plural
    case pluralTwo
    case pluralFew
    case pluralMany
    typealias RawValue = Int
  }
  var number: Morphology.GrammaticalNumber?
  var customPronouns: [String : Morphology.CustomPronoun]
}

enum InflectionRule : Sendable {
  case automatic
  case explicit(Morphology)
}

extension Morphology : Hashable {}

extension Morphology.CustomPronoun : Hashable {}

extension InflectionRule : Hashable {}

extension Morphology : Decodable & Encodable {
  enum CodingKeys : String, CodingKey {
    case grammaticalGender
    case partOfSpeech
    case number
    case customPronouns
    typealias RawValue = String
  }
}

extension Morphology.CustomPronoun : Decodable & Encodable {}

extension Morphology.GrammaticalGender : Decodable & Encodable {}

extension Morphology.GrammaticalNumber : Decodable & Encodable {}

extension Morphology.PartOfSpeech : Decodable & Encodable {}

extension InflectionRule : Decodable & Encodable {}

extension Morphology {
  struct CustomPronoun : Sendable {
    var subjectForm: String?
    var objectForm: String?
    var possessiveForm: String?
    var possessiveAdjectiveForm: String?
    var reflexiveForm: String?
    enum CodingKeys : CodingKey {
      case subjectForm
      case objectForm
      case possessiveForm
      case possessiveAdjectiveForm
      case reflexiveForm
    }
  }
}

extension Notification : @unchecked Sendable {}

struct Notification : ReferenceConvertible, Equatable, Hashable {
  typealias ReferenceType = NSNotification
  var name: NSNotification.Name
  var object: Any?
  var userInfo: [AnyHashable : Any]?
  typealias Name = NSNotification.Name
}

extension Notification : CustomReflectable {}

extension Notification : _ObjectiveCBridgeable {
  typealias _ObjectiveCType = NSNotification
}

extension NotificationQueue {
  enum PostingStyle : UInt, Sendable {
    case whenIdle
    case asap
    case now
    typealias RawValue = UInt
  }
  struct NotificationCoalescing : OptionSet, Sendable {
    let rawValue: UInt
    typealias ArrayLiteralElement = NotificationQueue.NotificationCoalescing
    typealias Element = NotificationQueue.NotificationCoalescing
    typealias RawValue = UInt
  }
}

extension NotificationQueue : @unchecked Sendable {}

class NotificationQueue : NSObject {
  typealias NotificationQueueList = NSMutableArray
  typealias NSNotificationListEntry = (Notification, [RunLoop.Mode])
  typealias NSNotificationList = [(Notification, [RunLoop.Mode])]
  final let notificationCenter: NotificationCenter
  var asapList: [(Notification, [RunLoop.Mode])]
  var idleList: [(Notification, [RunLoop.Mode])]
  final var $__lazy_storage_$_idleRunloopObserver: CFRunLoopObserver?
  final var $__lazy_storage_$_asapRunloopObserver: CFRunLoopObserver?
  nonisolated(unsafe) static var _notificationQueueList: NSThreadSpecific<NSMutableArray>
  nonisolated(unsafe) static var _defaultQueue: NSThreadSpecific<NotificationQueue>
  class var `default`: NotificationQueue { get }
  init(notificationCenter: NotificationCenter)
  func enqueue(_ notification: Notification, postingStyle: NotificationQueue.PostingStyle)
  func enqueue(_ notification: Notification, postingStyle: NotificationQueue.PostingStyle, coalesceMask: NotificationQueue.NotificationCoalescing, forModes modes: [RunLoop.Mode]?)
  func dequeueNotifications(matching notification: Notification, coalesceMask: NotificationQueue.NotificationCoalescing)
  func notify(_ currentMode: RunLoop.Mode?, notificationList: inout [(Notification, [RunLoop.Mode])])
  func notifyQueues(_ postingStyle: NotificationQueue.PostingStyle)
  override init()
}

extension NSArray : @unchecked Sendable {}

extension NSArray.Iterator : Sendable {}

class NSArray : NSObject, NSCopying, NSMutableCopying, NSSecureCoding, NSCoding, ExpressibleByArrayLiteral {
  final let _cfinfo: _CFInfo
  var _storage: [AnyObject]
  var count: Int { get }
  func object(at index: Int) -> Any
  override init()
  init(objects: UnsafePointer<AnyObject>?, count: Int)
  convenience init(objects: UnsafePointer<AnyObject>, count: Int)
  convenience init(objects elements: [AnyObject])
  init(arrayLiteral elements: [Any])
  init?(coder aDecoder: NSCoder)
  convenience init(object anObject: Any)
  convenience init(array: [Any])
  convenience init(array: NSArray)
  convenience init(array: [Any], copyItems: Bool)
  func encode(with aCoder: NSCoder)
  override func copy() -> Any
  func copy(with zone: NSZone? = nil) -> Any
  override func mutableCopy() -> Any
  func mutableCopy(with zone: NSZone? = nil) -> Any
  override func isEqual(_ value: Any?) -> Bool
  override var hash: Int { get }
  var allObjects: [Any] { get }
  func adding(_ anObject: Any) -> [Any]
  func addingObjects(from otherArray: [Any]) -> [Any]
  func componentsJoined(by separator: String) -> String
  func contains(_ anObject: Any) -> Bool
  override var description: String { get }
  func description(withLocale locale: Locale?) -> String
  func description(withLocale locale: Locale?, indent level: Int) -> String
  func firstObjectCommon(with otherArray: [Any]) -> Any?
  func getObjects(_ objects: inout [Any], range: _NSRange)
  func index(of anObject: Any) -> Int
  func index(of anObject: Any, in range: _NSRange) -> Int
  func indexOfObjectIdentical(to anObject: Any) -> Int
  func indexOfObjectIdentical(to anObject: Any, in range: _NSRange) -> Int
  func isEqual(to otherArray: [Any]) -> Bool
  var firstObject: Any? { get }
  var lastObject: Any? { get }
  struct Iterator : IteratorProtocol {
    let array: NSArray
    let sentinel: Int
    let reverse: Bool
    var idx: Int
    typealias Element = Any
  }
  func objectEnumerator() -> NSEnumerator
  func reverseObjectEnumerator() -> NSEnumerator
  var sortedArrayHint: Data { get }
  func sortedArray(_ comparator: (Any, Any, UnsafeMutableRawPointer?) -> Int, context: UnsafeMutableRawPointer?) -> [Any]
  func sortedArray(_ comparator: (Any, Any, UnsafeMutableRawPointer?) -> Int, context: UnsafeMutableRawPointer?, hint: Data?) -> [Any]
  func subarray(with range: _NSRange) -> [Any]
  func write(to url: URL) throws
  func write(toFile path: String, atomically useAuxiliaryFile: Bool) -> Bool
  func write(to url: URL, atomically: Bool) -> Bool
  func objects(at indexes: IndexSet) -> [Any]
  subscript(idx: Int) -> Any { get }
  func enumerateObjects(_ block: (Any, Int, UnsafeMutablePointer<ObjCBool>) -> ())
  func enumerateObjects(options opts: NSEnumerationOptions = [], using block: (Any, Int, UnsafeMutablePointer<ObjCBool>) -> ())
  func enumerateObjects(at s: IndexSet, options opts: NSEnumerationOptions = [], using block: (Any, Int, UnsafeMutablePointer<ObjCBool>) -> ())
  func indexOfObject(passingTest predicate: (Any, Int, UnsafeMutablePointer<ObjCBool>) -> Bool) -> Int
  func indexOfObject(options opts: NSEnumerationOptions = [], passingTest predicate: (Any, Int, UnsafeMutablePointer<ObjCBool>) -> Bool) -> Int
  func indexOfObject(at s: IndexSet, options opts: NSEnumerationOptions = [], passingTest predicate: (Any, Int, UnsafeMutablePointer<ObjCBool>) -> Bool) -> Int
  func indexesOfObjects(passingTest predicate: (Any, Int, UnsafeMutablePointer<ObjCBool>) -> Bool) -> IndexSet
  func indexesOfObjects(options opts: NSEnumerationOptions = [], passingTest predicate: (Any, Int, UnsafeMutablePointer<ObjCBool>) -> Bool) -> IndexSet
  func indexesOfObjects(at s: IndexSet, options opts: NSEnumerationOptions = [], passingTest predicate: (Any, Int, UnsafeMutablePointer<ObjCBool>) -> Bool) -> IndexSet
  func sortedArray(from range: _NSRange, options: NSSortOptions, usingComparator cmptr: (Any, Any) -> ComparisonResult) -> [Any]
  func sortedArray(comparator cmptr: (Any, Any) -> ComparisonResult) -> [Any]
  func sortedArray(options opts: NSSortOptions = [], usingComparator cmptr: (Any, Any) -> ComparisonResult) -> [Any]
  func index(of obj: Any, inSortedRange r: _NSRange, options opts: NSBinarySearchingOptions = [], usingComparator cmp: (Any, Any) -> ComparisonResult) -> Int
  convenience init(contentsOf url: URL, error: ()) throws
  convenience init?(contentsOfFile path: String)
  convenience init?(contentsOf url: URL)
  func pathsMatchingExtensions(_ filterTypes: [String]) -> [String]
  override var _cfTypeID: UInt { get }
  func sortedArray(using sortDescriptors: [NSSortDescriptor]) -> [Any]
  typealias ArrayLiteralElement = Any
}

extension NSArray : _SwiftBridgeable {
  typealias SwiftType = [AnyObject]
}

extension CFArray : _NSBridgeable, _SwiftBridgeable {
  typealias NSType = NSArray
  typealias SwiftType = Array<Any>
}

extension Array : _NSBridgeable {
  typealias NSType = NSArray
}

struct NSBinarySearchingOptions : OptionSet, Sendable {
  let rawValue: UInt
  typealias ArrayLiteralElement = NSBinarySearchingOptions
  typealias Element = NSBinarySearchingOptions
  typealias RawValue = UInt
}

class NSMutableArray : NSArray {
  func add(_ anObject: Any)
  func insert(_ anObject: Any, at index: Int)
  func insert(_ objects: [Any], at indexes: IndexSet)
  func removeLastObject()
  func removeObject(at index: Int)
  func replaceObject(at index: Int, with anObject: Any)
  override init()
  init(capacity numItems: Int)
  required init(objects: UnsafePointer<AnyObject>?, count: Int)
  override subscript(idx: Int) -> Any { get set(newObject) }
  func addObjects(from otherArray: [Any])
  func exchangeObject(at idx1: Int, withObjectAt idx2: Int)
  func removeAllObjects()
  func remove(_ anObject: Any, in range: _NSRange)
  func remove(_ anObject: Any)
  func removeObject(identicalTo anObject: Any, in range: _NSRange)
  func removeObject(identicalTo anObject: Any)
  func removeObjects(in otherArray: [Any])
  func removeObjects(in range: _NSRange)
  func replaceObjects(in range: _NSRange, withObjectsFrom otherArray: [Any], range otherRange: _NSRange)
  func replaceObjects(in range: _NSRange, withObjectsFrom otherArray: [Any])
  func setArray(_ otherArray: [Any])
  func removeObjects(at indexes: IndexSet)
  func replaceObjects(at indexes: IndexSet, with objects: [Any])
  func sort(_ compare: (Any, Any, UnsafeMutableRawPointer?) -> Int, context: UnsafeMutableRawPointer?)
  func sort(comparator: (Any, Any) -> ComparisonResult)
  func sort(options opts: NSSortOptions = [], usingComparator cmptr: (Any, Any) -> ComparisonResult)
  func sort(using sortDescriptors: [NSSortDescriptor])
}

extension NSArray : Sequence {
  typealias Element = Any
}

extension NSArray : CustomReflectable {}

extension NSArray : _StructTypeBridgeable {
  typealias _StructType = Array<Any>
}

extension NSAttributedString {
  struct Key : RawRepresentable, Equatable, Hashable, Sendable {
    let rawValue: String
    typealias RawValue = String
  }
}

extension NSAttributedString.Key : _ObjectiveCBridgeable {
  typealias _ObjectiveCType = NSString
}

extension NSAttributedString : @unchecked Sendable {}

class NSAttributedString : NSObject, NSCopying, NSMutableCopying, NSSecureCoding {
  final let _cfinfo: _CFInfo
  var _string: NSString
  var _attributeArray: OpaquePointer
  init?(coder aDecoder: NSCoder)
  func encode(with aCoder: NSCoder)
  override func copy() -> Any
  func copy(with zone: NSZone? = nil) -> Any
  override func mutableCopy() -> Any
  func mutableCopy(with zone: NSZone? = nil) -> Any
  var string: String { get }
  func attributes(at location: Int, effectiveRange range: UnsafeMutablePointer<_NSRange>?) -> [NSAttributedString.Key : Any]
  var length: Int { get }
  func attribute(_ attrName: NSAttributedString.Key, at location: Int, effectiveRange range: UnsafeMutablePointer<_NSRange>?) -> Any?
  func attributedSubstring(from range: _NSRange) -> NSAttributedString
  func attributes(at location: Int, longestEffectiveRange range: UnsafeMutablePointer<_NSRange>?, in rangeLimit: _NSRange) -> [NSAttributedString.Key : Any]
  func attribute(_ attrName: NSAttributedString.Key, at location: Int, longestEffectiveRange range: UnsafeMutablePointer<_NSRange>?, in rangeLimit: _NSRange) -> Any?
  override func isEqual(_ object: Any?) -> Bool
  func isEqual(to other: NSAttributedString) -> Bool
  init(string: String)
  init(string: String, attributes attrs: [NSAttributedString.Key : Any]? = nil)
  init(attributedString: NSAttributedString)
  func enumerateAttributes(in enumerationRange: _NSRange, options opts: NSAttributedString.EnumerationOptions = [], using block: ([NSAttributedString.Key : Any], _NSRange, UnsafeMutablePointer<ObjCBool>) -> ())
  func enumerateAttribute(_ attrName: NSAttributedString.Key, in enumerationRange: _NSRange, options opts: NSAttributedString.EnumerationOptions = [], using block: (Any?, _NSRange, UnsafeMutablePointer<ObjCBool>) -> ())
  override var description: String { get }
  override init()
}

extension NSAttributedString {
  struct AttributeEnumerationRange {
    var startIndex: Int
    var endIndex: Int
    let reversed: Bool
    var currentIndex: Int
  }
  struct RangeInfo {
    let rangePointer: UnsafeMutablePointer<_NSRange>?
    let shouldFetchLongestEffectiveRange: Bool
    let longestEffectiveRangeSearchRange: _NSRange?
  }
}

extension NSAttributedString {
  struct EnumerationOptions : OptionSet, Sendable {
    let rawValue: UInt
    typealias ArrayLiteralElement = NSAttributedString.EnumerationOptions
    typealias Element = NSAttributedString.EnumerationOptions
    typealias RawValue = UInt
  }
}

class NSMutableAttributedString : NSAttributedString {
  func replaceCharacters(in range: _NSRange, with str: String)
  func setAttributes(_ attrs: [NSAttributedString.Key : Any]?, range: _NSRange)
  var mutableString: NSMutableString { get }
  func addAttribute(_ name: NSAttributedString.Key, value: Any, range: _NSRange)
  func addAttributes(_ attrs: [NSAttributedString.Key : Any], range: _NSRange)
  func removeAttribute(_ name: NSAttributedString.Key, range: _NSRange)
  func replaceCharacters(in range: _NSRange, with attrString: NSAttributedString)
  func insert(_ attrString: NSAttributedString, at loc: Int)
  func append(_ attrString: NSAttributedString)
  func deleteCharacters(in range: _NSRange)
  func setAttributedString(_ attrString: NSAttributedString)
  func beginEditing()
  func endEditing()
  override func copy(with zone: NSZone? = nil) -> Any
  override init(string: String)
  override init(string: String, attributes attrs: [NSAttributedString.Key : Any]? = nil)
  override init(attributedString: NSAttributedString)
  required init?(coder aDecoder: NSCoder)
}

class NSCacheEntry<KeyType, ObjectType> where KeyType : AnyObject, ObjectType : AnyObject {
  var key: KeyType
  var value: ObjectType
  var cost: Int
  var prevByCost: NSCacheEntry<KeyType, ObjectType>?
  var nextByCost: NSCacheEntry<KeyType, ObjectType>?
  init(key: KeyType, value: ObjectType, cost: Int)
}

class NSCacheKey : NSObject {
  var value: AnyObject
  init(_ value: AnyObject)
  override var hash: Int { get }
  override func isEqual(_ object: Any?) -> Bool
  override init()
}

extension NSCache : @unchecked Sendable {}

class NSCache<KeyType, ObjectType> : NSObject where KeyType : AnyObject, ObjectType : AnyObject {
  var _entries: [NSCacheKey : NSCacheEntry<KeyType, ObjectType>]
  final let _lock: NSLock
  var _totalCost: Int
  var _head: NSCacheEntry<KeyType, ObjectType>?
  var name: String
  var totalCostLimit: Int
  var countLimit: Int
  var evictsObjectsWithDiscardedContent: Bool
  override init()
  weak var delegate: @sil_weak (any NSCacheDelegate)?
  func object(forKey key: KeyType) -> ObjectType?
  func setObject(_ obj: ObjectType, forKey key: KeyType)
  func remove(_ entry: NSCacheEntry<KeyType, ObjectType>)
  func insert(_ entry: NSCacheEntry<KeyType, ObjectType>)
  func setObject(_ obj: ObjectType, forKey key: KeyType, cost g: Int)
  func removeObject(forKey key: KeyType)
  func removeAllObjects()
}

protocol NSCacheDelegate : NSObjectProtocol {
  func cache(_ cache: NSCache<AnyObject, AnyObject>, willEvictObject obj: Any)
}

extension NSCalendar {
  struct Identifier : RawRepresentable, Equatable, Hashable, Comparable, Sendable {
    private(set) var rawValue: String
    typealias RawValue = String
  }
  struct Unit : OptionSet, Sendable {
    let rawValue: UInt
    typealias ArrayLiteralElement = NSCalendar.Unit
    typealias Element = NSCalendar.Unit
    typealias RawValue = UInt
  }
  struct Options : OptionSet, Sendable {
    let rawValue: UInt
    typealias ArrayLiteralElement = NSCalendar.Options
    typealias Element = NSCalendar.Options
    typealias RawValue = UInt
  }
}

extension NSCalendar : @unchecked Sendable {}

class NSCalendar : NSObject, NSCopying, NSSecureCoding {
  var _calendar: Calendar
  init(calendar: Calendar)
  init?(coder aDecoder: NSCoder)
  func encode(with aCoder: NSCoder)
  override func copy() -> Any
  func copy(with zone: NSZone? = nil) -> Any
  class var current: Calendar { get }
  class var autoupdatingCurrent: Calendar { get }
  init?(identifier calendarIdentifierConstant: NSCalendar.Identifier)
  init?(calendarIdentifier ident: NSCalendar.Identifier)
  override var hash: Int { get }
  override func isEqual(_ value: Any?) -> Bool
  override var description: String { get }
  var calendarIdentifier: NSCalendar.Identifier { get }
  var locale: Locale? { get set }
  var timeZone: TimeZone { get set }
  var firstWeekday: Int { get set }
  var minimumDaysInFirstWeek: Int { get set }
  var gregorianStartDate: Date? { get set }
  var eraSymbols: [String] { get }
  var longEraSymbols: [String] { get }
  var monthSymbols: [String] { get }
  var shortMonthSymbols: [String] { get }
  var veryShortMonthSymbols: [String] { get }
  var standaloneMonthSymbols: [String] { get }
  var shortStandaloneMonthSymbols: [String] { get }
  var veryShortStandaloneMonthSymbols: [String] { get }
  var weekdaySymbols: [String] { get }
  var shortWeekdaySymbols: [String] { get }
  var veryShortWeekdaySymbols: [String] { get }
  var standaloneWeekdaySymbols: [String] { get }
  var shortStandaloneWeekdaySymbols: [String] { get }
  var veryShortStandaloneWeekdaySymbols: [String] { get }
  var quarterSymbols: [String] { get }
  var shortQuarterSymbols: [String] { get }
  var standaloneQuarterSymbols: [String] { get }
  var shortStandaloneQuarterSymbols: [String] { get }
  var amSymbol: String { get }
  var pmSymbol: String { get }
  func minimumRange(of unit: NSCalendar.Unit) -> _NSRange
  func maximumRange(of unit: NSCalendar.Unit) -> _NSRange
  func range(of smaller: NSCalendar.Unit, in larger: NSCalendar.Unit, for date: Date) -> _NSRange
  func ordinality(of smaller: NSCalendar.Unit, in larger: NSCalendar.Unit, for date: Date) -> Int
  func range(of unit: NSCalendar.Unit, for date: Date) -> DateInterval?
  func date(from comps: DateComponents) -> Date?
  func components(_ unitFlags: NSCalendar.Unit, from date: Date) -> DateComponents
  func date(byAdding comps: DateComponents, to date: Date, options opts: NSCalendar.Options = []) -> Date?
  func components(_ unitFlags: NSCalendar.Unit, from startingDate: Date, to resultDate: Date, options opts: NSCalendar.Options = []) -> DateComponents
  func getEra(_ eraValuePointer: UnsafeMutablePointer<Int>?, year yearValuePointer: UnsafeMutablePointer<Int>?, month monthValuePointer: UnsafeMutablePointer<Int>?, day dayValuePointer: UnsafeMutablePointer<Int>?, from date: Date)
  func getEra(_ eraValuePointer: UnsafeMutablePointer<Int>?, yearForWeekOfYear yearValuePointer: UnsafeMutablePointer<Int>?, weekOfYear weekValuePointer: UnsafeMutablePointer<Int>?, weekday weekdayValuePointer: UnsafeMutablePointer<Int>?, from date: Date)
  func getHour(_ hourValuePointer: UnsafeMutablePointer<Int>?, minute minuteValuePointer: UnsafeMutablePointer<Int>?, second secondValuePointer: UnsafeMutablePointer<Int>?, nanosecond nanosecondValuePointer: UnsafeMutablePointer<Int>?, from date: Date)
  func component(_ unit: NSCalendar.Unit, from date: Date) -> Int
  func date(era eraValue: Int, year yearValue: Int, month monthValue: Int, day dayValue: Int, hour hourValue: Int, minute minuteValue: Int, second secondValue: Int, nanosecond nanosecondValue: Int) -> Date?
  func date(era eraValue: Int, yearForWeekOfYear yearValue: Int, weekOfYear weekValue: Int, weekday weekdayValue: Int, hour hourValue: Int, minute minuteValue: Int, second secondValue: Int, nanosecond nanosecondValue: Int) -> Date?
  func startOfDay(for date: Date) -> Date
  func components(in timezone: TimeZone, from date: Date) -> DateComponents
  func compare(_ date1: Date, to date2: Date, toUnitGranularity unit: NSCalendar.Unit) -> ComparisonResult
  func isDate(_ date1: Date, equalTo date2: Date, toUnitGranularity unit: NSCalendar.Unit) -> Bool
  func isDate(_ date1: Date, inSameDayAs date2: Date) -> Bool
  func isDateInToday(_ date: Date) -> Bool
  func isDateInYesterday(_ date: Date) -> Bool
  func isDateInTomorrow(_ date: Date) -> Bool
  func isDateInWeekend(_ date: Date) -> Bool
  func range(ofWeekendContaining date: Date) -> DateInterval?
  func nextWeekendAfter(_ date: Date, options: NSCalendar.Options) -> DateInterval?
  func components(_ unitFlags: NSCalendar.Unit, from startingDateComp: DateComponents, to resultDateComp: DateComponents, options: NSCalendar.Options = []) -> DateComponents
  func date(byAdding unit: NSCalendar.Unit, value: Int, to date: Date, options: NSCalendar.Options = []) -> Date?
  func enumerateDates(startingAfter start: Date, matching comps: DateComponents, options opts: NSCalendar.Options = [], using block: (Date?, Bool, UnsafeMutablePointer<ObjCBool>) -> ())
  func verifyCalendarOptions(_ options: NSCalendar.Options) -> Bool
  func nextDate(after date: Date, matching comps: DateComponents, options: NSCalendar.Options = []) -> Date?
  func nextDate(after date: Date, matching unit: NSCalendar.Unit, value: Int, options: NSCalendar.Options = []) -> Date?
  func nextDate(after date: Date, matchingHour hourValue: Int, minute minuteValue: Int, second secondValue: Int, options: NSCalendar.Options = []) -> Date?
  func date(bySettingUnit unit: NSCalendar.Unit, value v: Int, of date: Date, options opts: NSCalendar.Options = []) -> Date?
  func date(bySettingHour h: Int, minute m: Int, second s: Int, of date: Date, options opts: NSCalendar.Options = []) -> Date?
  func date(_ date: Date, matchesComponents components: DateComponents) -> Bool
  override init()
}

extension CFCalendar : _NSBridgeable, _SwiftBridgeable {
  typealias NSType = NSCalendar
  typealias SwiftType = Calendar
}

extension NSCalendar : _SwiftBridgeable {
  typealias SwiftType = Calendar
}

extension NSCalendar : _StructTypeBridgeable {
  typealias _StructType = Calendar
}

extension Calendar : _NSBridgeable {
  typealias NSType = NSCalendar
  typealias CFType = CFCalendar
}

extension Calendar : ReferenceConvertible {
  typealias ReferenceType = NSCalendar
}

extension Calendar : _ObjectiveCBridgeable {
  typealias _ObjectType = NSCalendar
  typealias _ObjectiveCType = NSCalendar
}

class _NSCFString : NSMutableString {
  required init(characters: UnsafePointer<UInt16>, length: Int)
  required init?(coder aDecoder: NSCoder)
  required init(extendedGraphemeClusterLiteral value: StaticString)
  required init(stringLiteral value: StaticString)
  required init(capacity: Int)
  required init(string aString: String)
  override var length: Int { get }
  override func character(at index: Int) -> UInt16
  override func replaceCharacters(in range: _NSRange, with aString: String)
  override var classForCoder: any AnyObject.Type { get }
}

final class _NSCFConstantString : _NSCFString {
  required init(characters: UnsafePointer<UInt16>, length: Int)
  required init?(coder aDecoder: NSCoder)
  required init(extendedGraphemeClusterLiteral value: StaticString)
  required init(stringLiteral value: StaticString)
  required init(capacity: Int)
  required init(string aString: String)
}

extension NSCharacterSet : @unchecked Sendable {}

class NSCharacterSet : NSObject, NSCopying, NSMutableCopying, NSSecureCoding {
  typealias CFType = CFCharacterSet
  var _base: _CFInfo
  var _hashValue: UInt
  var _buffer: UnsafeMutableRawPointer?
  var _length: Int
  var _annex: UnsafeMutableRawPointer?
  var _cfObject: CFCharacterSet { get }
  override var hash: Int { get }
  override func isEqual(_ value: Any?) -> Bool
  override var description: String { get }
  override init()
  class var controlCharacters: CharacterSet { get }
  class var whitespaces: CharacterSet { get }
  class var whitespacesAndNewlines: CharacterSet { get }
  class var decimalDigits: CharacterSet { get }
  class var letters: CharacterSet { get }
  class var lowercaseLetters: CharacterSet { get }
  class var uppercaseLetters: CharacterSet { get }
  class var nonBaseCharacters: CharacterSet { get }
  class var alphanumerics: CharacterSet { get }
  class var decomposables: CharacterSet { get }
  class var illegalCharacters: CharacterSet { get }
  class var punctuationCharacters: CharacterSet { get }
  class var capitalizedLetters: CharacterSet { get }
  class var symbols: CharacterSet { get }
  class var newlines: CharacterSet { get }
  init(range aRange: _NSRange)
  init(charactersIn aString: String)
  init(bitmapRepresentation data: Data)
  convenience init?(contentsOfFile fName: String)
  class var supportsSecureCoding: Bool { get }
  init?(coder aDecoder: NSCoder)
  func encode(with aCoder: NSCoder)
  func characterIsMember(_ aCharacter: UInt16) -> Bool
  var bitmapRepresentation: Data { get }
  var inverted: CharacterSet { get }
  func longCharacterIsMember(_ theLongChar: UInt32) -> Bool
  func isSuperset(of theOtherSet: CharacterSet) -> Bool
  func hasMemberInPlane(_ thePlane: UInt8) -> Bool
  override func copy() -> Any
  func copy(with zone: NSZone? = nil) -> Any
  override func mutableCopy() -> Any
  func mutableCopy(with zone: NSZone? = nil) -> Any
}

class NSMutableCharacterSet : NSCharacterSet {
  func addCharacters(in aRange: _NSRange)
  func removeCharacters(in aRange: _NSRange)
  func addCharacters(in aString: String)
  func removeCharacters(in aString: String)
  func formUnion(with otherSet: CharacterSet)
  func formIntersection(with otherSet: CharacterSet)
  func invert()
  class func control() -> NSMutableCharacterSet
  class func whitespace() -> NSMutableCharacterSet
  class func whitespaceAndNewline() -> NSMutableCharacterSet
  class func decimalDigit() -> NSMutableCharacterSet
  class func letter() -> NSMutableCharacterSet
  class func lowercaseLetter() -> NSMutableCharacterSet
  class func uppercaseLetter() -> NSMutableCharacterSet
  class func nonBase() -> NSMutableCharacterSet
  class func alphanumeric() -> NSMutableCharacterSet
  class func decomposable() -> NSMutableCharacterSet
  class func illegal() -> NSMutableCharacterSet
  class func punctuation() -> NSMutableCharacterSet
  class func capitalizedLetter() -> NSMutableCharacterSet
  class func symbol() -> NSMutableCharacterSet
  class func newline() -> NSMutableCharacterSet
  override init()
  override init(range aRange: _NSRange)
  override init(charactersIn aString: String)
  override init(bitmapRepresentation data: Data)
  required init?(coder aDecoder: NSCoder)
}

extension CharacterSet : _NSBridgeable {
  typealias CFType = CFCharacterSet
  typealias NSType = NSCharacterSet
}

extension CFCharacterSet : _NSBridgeable, _SwiftBridgeable {
  typealias NSType = NSCharacterSet
  typealias SwiftType = CharacterSet
}

extension NSCharacterSet : _SwiftBridgeable {
  typealias SwiftType = CharacterSet
}

extension NSCharacterSet : _StructTypeBridgeable {
  typealias _StructType = CharacterSet
}

extension NSCoder {
  enum DecodingFailurePolicy : Int, Sendable {
    case raiseException
    case setErrorAndReturn
    typealias RawValue = Int
  }
}

protocol NSCoding {
  func encode(with aCoder: NSCoder)
  init?(coder aDecoder: NSCoder)
}

protocol NSSecureCoding : NSCoding {
  static var supportsSecureCoding: Bool { get }
}

class NSCoder : NSObject {
  var _pendingBuffers: [(UnsafeMutableRawPointer, Int)]
  func encodeValue(ofObjCType type: UnsafePointer<Int8>, at addr: UnsafeRawPointer)
  func encode(_ data: Data)
  func decodeValue(ofObjCType type: UnsafePointer<Int8>, at data: UnsafeMutableRawPointer)
  func decodeData() -> Data?
  func version(forClassName className: String) -> Int
  func decodeObject<DecodedObjectType>(of cls: DecodedObjectType.Type, forKey key: String) -> DecodedObjectType? where DecodedObjectType : NSObject, DecodedObjectType : NSCoding
  func decodeObject(of classes: [any AnyObject.Type]?, forKey key: String) -> Any?
  func decodeTopLevelObject() throws -> Any?
  func decodeTopLevelObject(forKey key: String) throws -> Any?
  func decodeTopLevelObject<DecodedObjectType>(of cls: DecodedObjectType.Type, forKey key: String) throws -> DecodedObjectType? where DecodedObjectType : NSObject, DecodedObjectType : NSCoding
  func decodeTopLevelObject(of classes: [any AnyObject.Type], forKey key: String) throws -> Any?
  func encode(_ object: Any?)
  func encodeRootObject(_ rootObject: Any)
  func encodeBycopyObject(_ anObject: Any?)
  func encodeByrefObject(_ anObject: Any?)
  func encodeConditionalObject(_ object: Any?)
  func encodeArray(ofObjCType type: UnsafePointer<Int8>, count: Int, at array: UnsafeRawPointer)
  func encodeBytes(_ byteaddr: UnsafeRawPointer?, length: Int)
  func decodeObject() -> Any?
  func decodeArray(ofObjCType itemType: UnsafePointer<Int8>, count: Int, at array: UnsafeMutableRawPointer)
  func encodePropertyList(_ aPropertyList: Any)
  func decodePropertyList() -> Any?
  var systemVersion: UInt32 { get }
  var allowsKeyedCoding: Bool { get }
  func encode(_ objv: Any?, forKey key: String)
  func encodeConditionalObject(_ objv: Any?, forKey key: String)
  func encode(_ boolv: Bool, forKey key: String)
  func encode(_ intv: Int32, forKey key: String)
  func encode(_ intv: Int64, forKey key: String)
  func encode(_ realv: Float, forKey key: String)
  func encode(_ realv: Double, forKey key: String)
  func encodeBytes(_ bytesp: UnsafePointer<UInt8>?, length lenv: Int, forKey key: String)
  func containsValue(forKey key: String) -> Bool
  func decodeObject(forKey key: String) -> Any?
  func decodeBool(forKey key: String) -> Bool
  func decodeCInt(forKey key: String) -> Int32
  func decodeInt32(forKey key: String) -> Int32
  func decodeInt64(forKey key: String) -> Int64
  func decodeFloat(forKey key: String) -> Float
  func decodeDouble(forKey key: String) -> Double
  func withDecodedUnsafeBufferPointer<ResultType>(forKey key: String, body: (UnsafeBufferPointer<UInt8>?) throws -> ResultType) rethrows -> ResultType
  func withDecodedUnsafeBytes<ResultType>(forKey key: String, body: (UnsafeRawBufferPointer?) throws -> ResultType) rethrows -> ResultType
  func encode(_ intv: Int, forKey key: String)
  func decodeInteger(forKey key: String) -> Int
  var requiresSecureCoding: Bool { get }
  func decodePropertyList(forKey key: String) -> Any?
  var allowedClasses: [any AnyObject.Type]? { get }
  func failWithError(_ error: any Error)
  private(set) var _hasFailed: Bool
  internal(set) var decodingFailurePolicy: NSCoder.DecodingFailurePolicy
  var error: (any Error)? { get }
  func _decodeArrayOfObjectsForKey(_ key: String) -> [Any]
  func _decodePropertyListForKey(_ key: String) -> Any?
  override init()
}

class NSComparisonPredicate : NSPredicate {
  init(leftExpression lhs: NSExpression, rightExpression rhs: NSExpression, modifier: NSComparisonPredicate.Modifier, type: NSComparisonPredicate.Operator, options: NSComparisonPredicate.Options)
  var predicateOperatorType: NSComparisonPredicate.Operator { get }
  var comparisonPredicateModifier: NSComparisonPredicate.Modifier { get }
  var leftExpression: NSExpression { get }
  var rightExpression: NSExpression { get }
  var options: NSComparisonPredicate.Options { get }
  struct Options : OptionSet, Sendable {
    let rawValue: UInt
    typealias ArrayLiteralElement = NSComparisonPredicate.Options
    typealias Element = NSComparisonPredicate.Options
    typealias RawValue = UInt
  }
  enum Modifier : UInt, Sendable {
    case direct
    case all
    case any
    typealias RawValue = UInt
  }
  enum Operator : UInt, Sendable {
    case lessThan
    case lessThanOrEqualTo
    case greaterThan
    case greaterThanOrEqualTo
    case equalTo
    case notEqualTo
    case matches
    case like
    case beginsWith
    case endsWith
    case `in`
    case contains
    case between
    typealias RawValue = UInt
  }
  override init(value: Bool)
  override init(block: @escaping (Any?, [String : Any]?) -> Bool)
}

extension NSCompoundPredicate {
  enum LogicalType : UInt, Sendable {
    case not
    case and
    case or
    typealias RawValue = UInt
  }
}

class NSCompoundPredicate : NSPredicate {
  init(type: NSCompoundPredicate.LogicalType, subpredicates: [NSPredicate])
  var compoundPredicateType: NSCompoundPredicate.LogicalType
  var subpredicates: [NSPredicate]
  convenience init(andPredicateWithSubpredicates subpredicates: [NSPredicate])
  convenience init(orPredicateWithSubpredicates subpredicates: [NSPredicate])
  convenience init(notPredicateWithSubpredicate predicate: NSPredicate)
  override func evaluate(with object: Any?, substitutionVariables bindings: [String : Any]?) -> Bool
  override init(value: Bool)
  override init(block: @escaping (Any?, [String : Any]?) -> Bool)
}

extension NSData {
  typealias ReadingOptions = Data.ReadingOptions
  typealias WritingOptions = Data.WritingOptions
  typealias SearchOptions = Data.SearchOptions
  typealias Base64EncodingOptions = Data.Base64EncodingOptions
  typealias Base64DecodingOptions = Data.Base64DecodingOptions
}

final class _NSDataDeallocator {
  final var handler: (UnsafeMutableRawPointer, Int) -> ()
  init()
}

extension NSData : @unchecked Sendable {}

extension NSData.NSDataReadResult : Sendable {}

class NSData : NSObject, NSCopying, NSMutableCopying, NSSecureCoding {
  typealias CFType = CFData
  var _base: _CFInfo
  var _length: Int
  var _capacity: Int
  var _deallocator: UnsafeMutableRawPointer?
  var _deallocHandler: _NSDataDeallocator?
  var _bytes: UnsafeMutablePointer<UInt8>?
  func _providesConcreteBacking() -> Bool
  override var _cfTypeID: UInt { get }
  func _init(bytes: UnsafeMutableRawPointer?, length: Int, copy: Bool = false, deallocator: ((UnsafeMutableRawPointer, Int) -> ())? = nil)
  init(bytes: UnsafeMutableRawPointer?, length: Int, copy: Bool = false, deallocator: ((UnsafeMutableRawPointer, Int) -> ())? = nil)
  override init()
  init(bytes: UnsafeRawPointer?, length: Int)
  init(bytesNoCopy bytes: UnsafeMutableRawPointer, length: Int)
  init(bytesNoCopy bytes: UnsafeMutableRawPointer, length: Int, freeWhenDone: Bool)
  init(bytesNoCopy bytes: UnsafeMutableRawPointer, length: Int, deallocator: ((UnsafeMutableRawPointer, Int) -> ())? = nil)
  init(contentsOfFile path: String, options readOptionsMask: Data.ReadingOptions = []) throws
  init?(contentsOfFile path: String)
  init(data: Data)
  init(contentsOf url: URL, options readOptionsMask: Data.ReadingOptions = []) throws
  init?(contentsOf url: URL)
  init?(base64Encoded base64String: String, options: Data.Base64DecodingOptions = [])
  init?(base64Encoded base64Data: Data, options: Data.Base64DecodingOptions = [])
  var length: Int { get }
  var bytes: UnsafeRawPointer { get }
  override var hash: Int { get }
  override func isEqual(_ value: Any?) -> Bool
  func isEqual(to other: Data) -> Bool
  override func copy() -> Any
  func copy(with zone: NSZone? = nil) -> Any
  override func mutableCopy() -> Any
  func mutableCopy(with zone: NSZone? = nil) -> Any
  func byteDescription(limit: Int? = nil) -> String
  override var debugDescription: String { get }
  override var description: String { get }
  func encode(with aCoder: NSCoder)
  init?(coder aDecoder: NSCoder)
  struct NSDataReadResult {
    var bytes: UnsafeMutableRawPointer?
    var length: Int
    var deallocator: ((UnsafeMutableRawPointer, Int) -> ())!
  }
  func write(toFile path: String, options writeOptionsMask: Data.WritingOptions = []) throws
  func write(toFile path: String, atomically useAuxiliaryFile: Bool) -> Bool
  func write(to url: URL, atomically: Bool) -> Bool
  func write(to url: URL, options writeOptionsMask: Data.WritingOptions = []) throws
  func getBytes(_ buffer: UnsafeMutableRawPointer, length: Int)
  func getBytes(_ buffer: UnsafeMutableRawPointer, range: _NSRange)
  func subdata(with range: _NSRange) -> Data
  func range(of dataToFind: Data, options mask: Data.SearchOptions = [], in searchRange: _NSRange) -> _NSRange
  func enumerateByteRangesUsingBlockRethrows(_ block: (UnsafeRawPointer, _NSRange, UnsafeMutablePointer<Bool>) throws -> ()) throws
  func enumerateBytes(_ block: (UnsafeRawPointer, _NSRange, UnsafeMutablePointer<Bool>) -> ())
  func base64EncodedString(options: Data.Base64EncodingOptions = []) -> String
  func base64EncodedData(options: Data.Base64EncodingOptions = []) -> Data
}

extension NSData : _SwiftBridgeable {
  typealias SwiftType = Data
}

extension Data : _NSBridgeable {
  typealias CFType = CFData
  typealias NSType = NSData
}

extension CFData : _NSBridgeable, _SwiftBridgeable {
  typealias NSType = NSData
  typealias SwiftType = Data
}

class NSMutableData : NSData {
  override init()
  override init(bytes: UnsafeMutableRawPointer?, length: Int, copy: Bool = false, deallocator: ((UnsafeMutableRawPointer, Int) -> ())? = nil)
  override init(bytes: UnsafeRawPointer?, length: Int)
  init?(capacity: Int)
  init?(length: Int)
  required init?(coder aDecoder: NSCoder)
  override init(bytesNoCopy bytes: UnsafeMutableRawPointer, length: Int)
  override init(bytesNoCopy bytes: UnsafeMutableRawPointer, length: Int, deallocator: ((UnsafeMutableRawPointer, Int) -> ())? = nil)
  override init(bytesNoCopy bytes: UnsafeMutableRawPointer, length: Int, freeWhenDone: Bool)
  override init(data: Data)
  override init?(contentsOfFile path: String)
  override init(contentsOfFile path: String, options: Data.ReadingOptions = []) throws
  override init?(contentsOf url: URL)
  override init(contentsOf url: URL, options: Data.ReadingOptions = []) throws
  override init?(base64Encoded base64Data: Data, options: Data.Base64DecodingOptions = [])
  override init?(base64Encoded base64Data: String, options: Data.Base64DecodingOptions = [])
  var mutableBytes: UnsafeMutableRawPointer { get }
  override var length: Int { get set }
  override func copy(with zone: NSZone? = nil) -> Any
  func append(_ bytes: UnsafeRawPointer, length: Int)
  func append(_ other: Data)
  func increaseLength(by extraLength: Int)
  func replaceBytes(in range: _NSRange, withBytes bytes: UnsafeRawPointer)
  func resetBytes(in range: _NSRange)
  func setData(_ data: Data)
  func replaceBytes(in range: _NSRange, withBytes replacementBytes: UnsafeRawPointer?, length replacementLength: Int)
}

extension NSData : _StructTypeBridgeable {
  typealias _StructType = Data
}

extension Data : _ObjectiveCBridgeable {
  typealias _ObjectiveCType = NSData
}

extension NSData : _HasCustomAnyHashableRepresentation {}

extension NSData : DataProtocol {
  typealias Element = UInt8
  typealias Index = Int
  typealias Indices = Range<Int>
  typealias Iterator = IndexingIterator<NSData>
  typealias Regions = [Data]
  typealias SubSequence = Slice<NSData>
}

class NSDate : NSObject, NSCopying, NSSecureCoding, NSCoding, @unchecked Sendable {
  typealias CFType = CFDate
  override var hash: Int { get }
  override func isEqual(_ value: Any?) -> Bool
  final let _base: _CFInfo
  final let _timeIntervalSinceReferenceDate: Double
  var timeIntervalSinceReferenceDate: Double { get }
  class var timeIntervalSinceReferenceDate: Double { get }
  override convenience init()
  init(timeIntervalSinceReferenceDate ti: Double)
  init?(coder aDecoder: NSCoder)
  override func copy() -> Any
  func copy(with zone: NSZone? = nil) -> Any
  func encode(with aCoder: NSCoder)
  override var description: String { get }
  func description(with locale: Locale?) -> String
  override var _cfTypeID: UInt { get }
}

extension Date : CustomPlaygroundDisplayConvertible {}

class NSDateInterval : NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  final let startDate: Date
  var endDate: Date { get }
  final let duration: Double
  override convenience init()
  init?(coder: NSCoder)
  init(start startDate: Date, duration: Double)
  convenience init(start startDate: Date, end endDate: Date)
  func copy(with zone: NSZone?) -> Any
  func encode(with aCoder: NSCoder)
  func compare(_ dateInterval: DateInterval) -> ComparisonResult
  func isEqual(to dateInterval: DateInterval) -> Bool
  func intersects(_ dateInterval: DateInterval) -> Bool
  func intersection(with dateInterval: DateInterval) -> DateInterval?
  func contains(_ date: Date) -> Bool
}

extension NSDate : _StructTypeBridgeable {
  typealias _StructType = Date
}

extension NSDateInterval : _StructTypeBridgeable {
  typealias _StructType = DateInterval
}

extension NSDateInterval : _SwiftBridgeable {
  typealias SwiftType = DateInterval
}

extension NSDate : _SwiftBridgeable {
  typealias SwiftType = Date
}

extension CFDate : _NSBridgeable, _SwiftBridgeable {
  typealias NSType = NSDate
  typealias SwiftType = Date
}

extension Date : _NSBridgeable {
  typealias NSType = NSDate
  typealias CFType = CFDate
}

extension Date : _ObjectiveCBridgeable {
  typealias _ObjectiveCType = NSDate
}

extension NSDateComponents : @unchecked Sendable {}

class NSDateComponents : NSObject, NSCopying, NSSecureCoding {
  var _components: DateComponents
  init(components: DateComponents)
  override init()
  override var hash: Int { get }
  override func isEqual(_ object: Any?) -> Bool
  init?(coder aDecoder: NSCoder)
  func encode(with aCoder: NSCoder)
  override func copy() -> Any
  func copy(with zone: NSZone? = nil) -> Any
  var calendar: Calendar? { get set }
  var timeZone: TimeZone? { get set }
  var era: Int { get set }
  var year: Int { get set }
  var month: Int { get set }
  var day: Int { get set }
  var hour: Int { get set }
  var minute: Int { get set }
  var second: Int { get set }
  var weekday: Int { get set }
  var weekdayOrdinal: Int { get set }
  var quarter: Int { get set }
  var nanosecond: Int { get set }
  var weekOfYear: Int { get set }
  var weekOfMonth: Int { get set }
  var yearForWeekOfYear: Int { get set }
  var isLeapMonth: Bool { get set }
  var date: Date? { get }
  func setValue(_ value: Int, forComponent unit: NSCalendar.Unit)
  func value(forComponent unit: NSCalendar.Unit) -> Int
  var isValidDate: Bool { get }
  func isValidDate(in calendar: Calendar) -> Bool
}

extension NSDateComponents : _SwiftBridgeable {
  typealias SwiftType = DateComponents
}

extension NSDateComponents : _StructTypeBridgeable {
  typealias _StructType = DateComponents
}

struct NSExceptionName : RawRepresentable, Equatable, Hashable, Sendable {
  let rawValue: String
  typealias RawValue = String
}

extension NSDecimalNumber {
  typealias RoundingMode = Decimal.RoundingMode
  typealias CalculationError = Decimal.CalculationError
}

protocol NSDecimalNumberBehaviors {
  func roundingMode() -> Decimal.RoundingMode
  func scale() -> Int16
}

class NSDecimalNumber : NSNumber, @unchecked Sendable {
  final let decimal: Decimal
  convenience init(mantissa: UInt64, exponent: Int16, isNegative: Bool)
  init(decimal dcm: Decimal)
  convenience init(string numberValue: String?)
  convenience init(string numberValue: String?, locale: Any?)
  required init?(coder: NSCoder)
  init(value: Int)
  init(value: UInt)
  init(value: Int8)
  init(value: UInt8)
  init(value: Int16)
  init(value: UInt16)
  init(value: Int32)
  init(value: UInt32)
  init(value: Int64)
  init(value: UInt64)
  init(value: Bool)
  init(value: Float)
  init(value: Double)
  required convenience init(floatLiteral value: Double)
  required convenience init(booleanLiteral value: Bool)
  required convenience init(integerLiteral value: Int)
  required convenience init(bytes buffer: UnsafeRawPointer, objCType type: UnsafePointer<Int8>)
  override var description: String { get }
  override func description(withLocale locale: Locale?) -> String
  class var zero: NSDecimalNumber { get }
  class var one: NSDecimalNumber { get }
  class var minimum: NSDecimalNumber { get }
  class var maximum: NSDecimalNumber { get }
  class var notANumber: NSDecimalNumber { get }
  func adding(_ other: NSDecimalNumber) -> NSDecimalNumber
  func adding(_ other: NSDecimalNumber, withBehavior b: (any NSDecimalNumberBehaviors)?) -> NSDecimalNumber
  func subtracting(_ other: NSDecimalNumber) -> NSDecimalNumber
  func subtracting(_ other: NSDecimalNumber, withBehavior b: (any NSDecimalNumberBehaviors)?) -> NSDecimalNumber
  func multiplying(by other: NSDecimalNumber) -> NSDecimalNumber
  func multiplying(by other: NSDecimalNumber, withBehavior b: (any NSDecimalNumberBehaviors)?) -> NSDecimalNumber
  func dividing(by other: NSDecimalNumber) -> NSDecimalNumber
  func dividing(by other: NSDecimalNumber, withBehavior b: (any NSDecimalNumberBehaviors)?) -> NSDecimalNumber
  func raising(toPower power: Int) -> NSDecimalNumber
  func raising(toPower power: Int, withBehavior b: (any NSDecimalNumberBehaviors)?) -> NSDecimalNumber
  func multiplying(byPowerOf10 power: Int16) -> NSDecimalNumber
  func multiplying(byPowerOf10 power: Int16, withBehavior b: (any NSDecimalNumberBehaviors)?) -> NSDecimalNumber
  func rounding(accordingToBehavior b: (any NSDecimalNumberBehaviors)?) -> NSDecimalNumber
  override func compare(_ decimalNumber: NSNumber) -> ComparisonResult
  class var defaultBehavior: any NSDecimalNumberBehaviors { get }
  override var objCType: UnsafePointer<Int8> { get }
  override var int8Value: Int8 { get }
  override var uint8Value: UInt8 { get }
  override var int16Value: Int16 { get }
  override var uint16Value: UInt16 { get }
  override var int32Value: Int32 { get }
  override var uint32Value: UInt32 { get }
  override var int64Value: Int64 { get }
  override var uint64Value: UInt64 { get }
  override var floatValue: Float { get }
  override var doubleValue: Double { get }
  override var boolValue: Bool { get }
  override var intValue: Int { get }
  override var uintValue: UInt { get }
  override func isEqual(_ value: Any?) -> Bool
  override var _swiftValueOfOptimalType: any Sendable { get }
  override init()
}

class NSDecimalNumberHandler : NSObject, NSDecimalNumberBehaviors, NSCoding, @unchecked Sendable {
  final let _roundingMode: Decimal.RoundingMode
  final let _scale: Int16
  final let _raiseOnExactness: Bool
  final let _raiseOnOverflow: Bool
  final let _raiseOnUnderflow: Bool
  final let _raiseOnDivideByZero: Bool
  override init()
  init?(coder: NSCoder)
  func encode(with coder: NSCoder)
  class var `default`: NSDecimalNumberHandler { get }
  init(roundingMode: Decimal.RoundingMode, scale: Int16, raiseOnExactness exact: Bool, raiseOnOverflow overflow: Bool, raiseOnUnderflow underflow: Bool, raiseOnDivideByZero divideByZero: Bool)
  func roundingMode() -> Decimal.RoundingMode
  func scale() -> Int16
}

extension NSDictionary : @unchecked Sendable {}

extension NSDictionary.Iterator : Sendable {}

class NSDictionary : NSObject, NSCopying, NSMutableCopying, NSSecureCoding, NSCoding, ExpressibleByDictionaryLiteral {
  final let _cfinfo: _CFInfo
  var _storage: [NSObject : AnyObject]
  var count: Int { get }
  func object(forKey aKey: Any) -> Any?
  func value(forKey key: String) -> Any?
  func keyEnumerator() -> NSEnumerator
  convenience init?(contentsOfFile path: String)
  convenience init?(contentsOf url: URL)
  override convenience init()
  init(objects: UnsafePointer<AnyObject>!, forKeys keys: UnsafePointer<NSObject>!, count cnt: Int)
  convenience init(object: Any, forKey key: any NSCopying)
  convenience init(objects: [Any], forKeys keys: [NSObject])
  convenience init(dictionary otherDictionary: [AnyHashable : Any])
  convenience init(dictionary otherDictionary: [AnyHashable : Any], copyItems flag: Bool)
  init(dictionaryLiteral elements: [(Any, Any)])
  init?(coder aDecoder: NSCoder)
  func encode(with aCoder: NSCoder)
  override func copy() -> Any
  func copy(with zone: NSZone? = nil) -> Any
  override func mutableCopy() -> Any
  func mutableCopy(with zone: NSZone? = nil) -> Any
  override func isEqual(_ value: Any?) -> Bool
  override var hash: Int { get }
  var allKeys: [Any] { get }
  var allValues: [Any] { get }
  func getObjects(_ objects: inout [Any], andKeys keys: inout [Any], count: Int)
  subscript(key: Any) -> Any? { get }
  func allKeys(for anObject: Any) -> [Any]
  override var description: String { get }
  var descriptionInStringsFileFormat: String { get }
  func description(withLocale locale: Locale?) -> String
  func description(withLocale locale: Locale?, indent level: Int) -> String
  func isEqual(to otherDictionary: [AnyHashable : Any]) -> Bool
  struct Iterator : IteratorProtocol {
    let dictionary: NSDictionary
    var keyGenerator: IndexingIterator<Array<Any>>
    typealias Element = (key: Any, value: Any)
  }
  struct ObjectGenerator : IteratorProtocol {
    let dictionary: NSDictionary
    var keyGenerator: IndexingIterator<Array<Any>>
    typealias Element = Any
  }
  func objectEnumerator() -> NSEnumerator
  func objects(forKeys keys: [Any], notFoundMarker marker: Any) -> [Any]
  func write(toFile path: String, atomically useAuxiliaryFile: Bool) -> Bool
  func write(to url: URL, atomically: Bool) -> Bool
  func enumerateKeysAndObjects(_ block: (Any, Any, UnsafeMutablePointer<ObjCBool>) -> ())
  func enumerateKeysAndObjects(options opts: NSEnumerationOptions = [], using block: (Any, Any, UnsafeMutablePointer<ObjCBool>) -> ())
  func keysSortedByValue(comparator cmptr: (Any, Any) -> ComparisonResult) -> [Any]
  func keysSortedByValue(options opts: NSSortOptions = [], usingComparator cmptr: (Any, Any) -> ComparisonResult) -> [Any]
  func keysOfEntries(passingTest predicate: (Any, Any, UnsafeMutablePointer<ObjCBool>) -> Bool) -> Set<AnyHashable>
  func keysOfEntries(options opts: NSEnumerationOptions = [], passingTest predicate: (Any, Any, UnsafeMutablePointer<ObjCBool>) -> Bool) -> Set<AnyHashable>
  override var _cfTypeID: UInt { get }
  typealias Key = Any
  typealias Value = Any
}

extension NSDictionary : _SwiftBridgeable {
  typealias SwiftType = Dictionary<AnyHashable, Any>
}

extension CFDictionary : _NSBridgeable, _SwiftBridgeable {
  typealias NSType = NSDictionary
  typealias SwiftType = [AnyHashable : Any]
}

extension Dictionary : _NSBridgeable {
  typealias NSType = NSDictionary
}

class NSMutableDictionary : NSDictionary {
  func removeObject(forKey aKey: Any)
  func setObject(_ anObject: Any, forKey aKey: AnyHashable)
  init()
  convenience init(capacity numItems: Int)
  required init(objects: UnsafePointer<AnyObject>!, forKeys keys: UnsafePointer<NSObject>!, count cnt: Int)
  func addEntries(from otherDictionary: [AnyHashable : Any])
  func removeAllObjects()
  func removeObjects(forKeys keyArray: [Any])
  func setDictionary(_ otherDictionary: [AnyHashable : Any])
  subscript(key: AnyHashable) -> Any? { get set }
}

extension NSDictionary : Sequence {
  typealias Element = (key: Any, value: Any)
}

extension NSDictionary : CustomReflectable {}

extension NSDictionary : _StructTypeBridgeable {
  typealias _StructType = Dictionary<AnyHashable, Any>
}

extension NSEnumerator.Iterator : Sendable {}

class NSEnumerator : NSObject {
  func nextObject() -> Any?
  override init()
}

extension NSEnumerator : Sequence {
  struct Iterator : IteratorProtocol {
    let enumerator: NSEnumerator
    typealias Element = Any
  }
  typealias Element = Any
}

class NSError : NSObject, NSCopying, NSSecureCoding, NSCoding, @unchecked Sendable {
  typealias CFType = CFError
  final let _domain: String
  final let _code: Int
  final let _userInfo: [String : Any]?
  init(domain: String, code: Int, userInfo dict: [String : Any]? = nil)
  init?(coder aDecoder: NSCoder)
  func encode(with aCoder: NSCoder)
  override func copy() -> Any
  func copy(with zone: NSZone? = nil) -> Any
  var domain: String { get }
  var code: Int { get }
  var userInfo: [String : Any] { get }
  var localizedDescription: String { get }
  var localizedFailureReason: String? { get }
  var localizedRecoverySuggestion: String? { get }
  var localizedRecoveryOptions: [String]? { get }
  var recoveryAttempter: Any? { get }
  var helpAnchor: String? { get }
  typealias UserInfoProvider = @Sendable (any Error, String) -> Any?
  class func setUserInfoValueProvider(forDomain errorDomain: String, provider: (@Sendable (any Error, String) -> Any?)?)
  class func userInfoValueProvider(forDomain errorDomain: String) -> (@Sendable (any Error, String) -> Any?)?
  override var description: String { get }
  override var hash: Int { get }
  override func isEqual(_ object: Any?) -> Bool
  override init()
}

extension NSError : Error {}

extension CFError : _NSBridgeable {
  typealias NSType = NSError
}

extension _CFErrorSPIForFoundationXMLUseOnly : Sendable {}

struct _CFErrorSPIForFoundationXMLUseOnly {
  let error: AnyObject
}

protocol RecoverableError : Error {
  var recoveryOptions: [String] { get }
  func attemptRecovery(optionIndex recoveryOptionIndex: Int, resultHandler handler: @escaping (Bool) -> ())
  func attemptRecovery(optionIndex recoveryOptionIndex: Int) -> Bool
}

protocol CustomNSError : Error {
  static var errorDomain: String { get }
  var errorCode: Int { get }
  var errorUserInfo: [String : Any] { get }
}

protocol _ObjectiveCBridgeableError : Error {
  init?(_bridgedNSError: NSError)
}

protocol __BridgedNSError : Error {
  static var _nsErrorDomain: String { get }
}

protocol _BridgedNSError : _ObjectiveCBridgeableError, __BridgedNSError, Hashable, RawRepresentable {
  override static var _nsErrorDomain: String { get }
}

protocol _BridgedStoredNSError : CustomNSError, _ObjectiveCBridgeableError, __BridgedNSError, CustomStringConvertible, Hashable {
  associatedtype Code : _ErrorCodeProtocol
  var code: Self.Code { get }
  var _nsError: NSError { get }
  init(_nsError error: NSError)
}

protocol _ErrorCodeProtocol : Equatable {
  associatedtype _ErrorType : _BridgedStoredNSError where Self == Self._ErrorType.Code
}

extension CocoaError : _BridgedStoredNSError {}

extension CocoaError.Code : _ErrorCodeProtocol {
  typealias _ErrorType = CocoaError
}

extension CocoaError : _ObjectiveCBridgeable {
  typealias _ObjectiveCType = NSError
}

struct URLError : _BridgedStoredNSError, Sendable {
  let _nsError: NSError
  enum Code : Int, _ErrorCodeProtocol, Sendable {
    typealias _ErrorType = URLError
    case unknown
    case cancelled
    case badURL
    case timedOut
    case unsupportedURL
    case cannotFindHost
    case cannotConnectToHost
    case networkConnectionLost
    case dnsLookupFailed
    case httpTooManyRedirects
    case resourceUnavailable
    case notConnectedToInternet
    case redirectToNonExistentLocation
    case badServerResponse
    case userCancelledAuthentication
    case userAuthenticationRequired
    case zeroByteResource
    case cannotDecodeRawData
    case cannotDecodeContentData
    case cannotParseResponse
    case appTransportSecurityRequiresSecureConnection
    case fileDoesNotExist
    case fileIsDirectory
    case noPermissionsToReadFile
    case dataLengthExceedsMaximum
    case secureConnectionFailed
    case serverCertificateHasBadDate
    case serverCertificateUntrusted
    case serverCertificateHasUnknownRoot
    case serverCertificateNotYetValid
    case clientCertificateRejected
    case clientCertificateRequired
    case cannotLoadFromNetwork
    case cannotCreateFile
    case cannotOpenFile
    case cannotCloseFile
    case cannotWriteToFile
    case cannotRemoveFile
    case cannotMoveFile
    case downloadDecodingFailedMidStream
    case downloadDecodingFailedToComplete
    case internationalRoamingOff
    case callIsActive
    case dataNotAllowed
    case requestBodyStreamExhausted
    case backgroundSessionRequiresSharedContainer
    case backgroundSessionInUseByAnotherProcess
    case backgroundSessionWasDisconnected
    typealias RawValue = Int
  }
}

extension POSIXErrorCode : _ErrorCodeProtocol {
  typealias _ErrorType = POSIXError
}

extension POSIXError : _BridgedStoredNSError {
  typealias Code = POSIXErrorCode
}

extension NSExpression {
  enum ExpressionType : UInt, Sendable {
    case constantValue
    case evaluatedObject
    case variable
    case keyPath
    case function
    case unionSet
    case intersectSet
    case minusSet
    case subquery
    case aggregate
    case anyKey
    case block
    case conditional
    typealias RawValue = UInt
  }
}

extension NSExpression : @unchecked Sendable {}

class NSExpression : NSObject, NSCopying {
  override func copy() -> Any
  func copy(with zone: NSZone? = nil) -> Any
  convenience init(format expressionFormat: String, argumentArray arguments: [Any])
  convenience init(format expressionFormat: String, arguments argList: CVaListPointer)
  convenience init(forConstantValue obj: Any?)
  class func expressionForEvaluatedObject() -> NSExpression
  convenience init(forVariable string: String)
  convenience init(forKeyPath keyPath: String)
  convenience init(forFunction name: String, arguments parameters: [Any])
  convenience init(forAggregate subexpressions: [Any])
  convenience init(forUnionSet left: NSExpression, with right: NSExpression)
  convenience init(forIntersectSet left: NSExpression, with right: NSExpression)
  convenience init(forMinusSet left: NSExpression, with right: NSExpression)
  convenience init(forSubquery expression: NSExpression, usingIteratorVariable variable: String, predicate: Any)
  convenience init(forFunction target: NSExpression, selectorName name: String, arguments parameters: [Any]?)
  class func expressionForAnyKey() -> NSExpression
  convenience init(block: @escaping (Any?, [Any], NSMutableDictionary?) -> Any, arguments: [NSExpression]?)
  convenience init(forConditional predicate: Any, trueExpression: NSExpression, falseExpression: NSExpression)
  init(expressionType type: NSExpression.ExpressionType)
  var expressionType: NSExpression.ExpressionType { get }
  var constantValue: Any { get }
  var keyPath: String { get }
  var function: String { get }
  var variable: String { get }
  var operand: NSExpression { get }
  var arguments: [NSExpression]? { get }
  var collection: Any { get }
  var predicate: NSPredicate { get }
  var left: NSExpression { get }
  var right: NSExpression { get }
  var `true`: NSExpression { get }
  var `false`: NSExpression { get }
  var expressionBlock: (Any?, [Any], NSMutableDictionary?) -> Any { get }
  func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any?
  func allowEvaluation()
  convenience init(format expressionFormat: String, _ args: [any CVarArg])
  override init()
}

struct CGPoint : Sendable {
  var x: CGFloat
  var y: CGFloat
}

extension CGPoint : Equatable {}

extension CGPoint : NSSpecialValueCoding, Hashable {}

extension CGPoint : Decodable & Encodable {}

struct CGSize : Sendable {
  var width: CGFloat
  var height: CGFloat
}

extension CGSize : Equatable {}

extension CGSize : NSSpecialValueCoding, Hashable {}

extension CGSize : Decodable & Encodable {}

struct CGRect : Sendable {
  var origin: CGPoint
  var size: CGSize
}

extension CGRect : Equatable {}

extension CGRect : Decodable & Encodable {}

extension CGRect : NSSpecialValueCoding, Hashable {}

enum NSRectEdge : UInt, Sendable {
  case minX
  case minY
  case maxX
  case maxY
  typealias RawValue = UInt
}

enum CGRectEdge : UInt32, Sendable {
  case minXEdge
  case minYEdge
  case maxXEdge
  case maxYEdge
  typealias RawValue = UInt32
}

struct NSEdgeInsets : Sendable {
  var top: CGFloat
  var left: CGFloat
  var bottom: CGFloat
  var right: CGFloat
}

extension NSEdgeInsets : NSSpecialValueCoding {}

struct AlignmentOptions : OptionSet, Sendable {
  var rawValue: UInt64
  typealias ArrayLiteralElement = AlignmentOptions
  typealias Element = AlignmentOptions
  typealias RawValue = UInt64
}

extension NSIndexPath : @unchecked Sendable {}

class NSIndexPath : NSObject, NSCopying, NSSecureCoding {
  var _indexes: [Int]
  override init()
  init(indexes: UnsafePointer<Int>?, length: Int)
  init(indexes: [Int])
  override func copy() -> Any
  func copy(with zone: NSZone? = nil) -> Any
  convenience init(index: Int)
  enum NSCodingKeys {}
  func encode(with aCoder: NSCoder)
  init?(coder aDecoder: NSCoder)
  func adding(_ index: Int) -> IndexPath
  func removingLastIndex() -> IndexPath
  func index(atPosition position: Int) -> Int
  var length: Int { get }
  func getIndexes(_ indexes: UnsafeMutablePointer<Int>, range positionRange: _NSRange)
  func getIndexes(_ indexes: UnsafeMutablePointer<Int>)
  func compare(_ otherObject: IndexPath) -> ComparisonResult
  override var hash: Int { get }
  override func isEqual(_ object: Any?) -> Bool
}

extension NSIndexPath : _StructTypeBridgeable {
  typealias _StructType = IndexPath
}

extension NSIndexPath : _SwiftBridgeable {
  typealias SwiftType = IndexPath
}

extension NSIndexSet : @unchecked Sendable {}

class NSIndexSet : NSObject, NSCopying, NSMutableCopying, NSSecureCoding {
  var _ranges: [_NSRange]
  var _count: Int
  override init()
  init(indexesIn range: _NSRange)
  init(indexSet: IndexSet)
  override func copy() -> Any
  func copy(with zone: NSZone? = nil) -> Any
  override func mutableCopy() -> Any
  func mutableCopy(with zone: NSZone? = nil) -> Any
  init?(coder aDecoder: NSCoder)
  func encode(with aCoder: NSCoder)
  convenience init(index value: Int)
  func isEqual(to indexSet: IndexSet) -> Bool
  override func isEqual(_ object: Any?) -> Bool
  override var hash: Int { get }
  var count: Int { get }
  var firstIndex: Int { get }
  var lastIndex: Int { get }
  func _indexAndRangeAdjacentToOrContainingIndex(_ idx: Int) -> (Int, _NSRange)?
  func _indexOfRangeContainingIndex(_ idx: Int) -> Int?
  func _indexOfRangeBeforeOrContainingIndex(_ idx: Int) -> Int?
  func _indexOfRangeAfterOrContainingIndex(_ idx: Int) -> Int?
  func _indexClosestToIndex(_ idx: Int, equalAllowed: Bool, following: Bool) -> Int?
  func indexGreaterThanIndex(_ value: Int) -> Int
  func indexLessThanIndex(_ value: Int) -> Int
  func indexGreaterThanOrEqual(to value: Int) -> Int
  func indexLessThanOrEqual(to value: Int) -> Int
  func getIndexes(_ indexBuffer: UnsafeMutablePointer<Int>, maxCount bufferSize: Int, inIndexRange range: UnsafeMutablePointer<_NSRange>?) -> Int
  func countOfIndexes(in range: _NSRange) -> Int
  func contains(_ value: Int) -> Bool
  func contains(in range: _NSRange) -> Bool
  func contains(_ indexSet: IndexSet) -> Bool
  func intersects(in range: _NSRange) -> Bool
  func _enumerateWithOptions<P, R>(_ opts: NSEnumerationOptions, range: _NSRange, paramType: P.Type, returnType: R.Type, block: (P, UnsafeMutablePointer<ObjCBool>) -> R) -> Int?
  func enumerate(_ block: (Int, UnsafeMutablePointer<ObjCBool>) -> ())
  func enumerate(options opts: NSEnumerationOptions = [], using block: (Int, UnsafeMutablePointer<ObjCBool>) -> ())
  func enumerate(in range: _NSRange, options opts: NSEnumerationOptions = [], using block: (Int, UnsafeMutablePointer<ObjCBool>) -> ())
  func index(passingTest predicate: (Int, UnsafeMutablePointer<ObjCBool>) -> Bool) -> Int
  func index(options opts: NSEnumerationOptions = [], passingTest predicate: (Int, UnsafeMutablePointer<ObjCBool>) -> Bool) -> Int
  func index(in range: _NSRange, options opts: NSEnumerationOptions = [], passingTest predicate: (Int, UnsafeMutablePointer<ObjCBool>) -> Bool) -> Int
  func indexes(passingTest predicate: (Int, UnsafeMutablePointer<ObjCBool>) -> Bool) -> IndexSet
  func indexes(options opts: NSEnumerationOptions = [], passingTest predicate: (Int, UnsafeMutablePointer<ObjCBool>) -> Bool) -> IndexSet
  func indexes(in range: _NSRange, options opts: NSEnumerationOptions = [], passingTest predicate: (Int, UnsafeMutablePointer<ObjCBool>) -> Bool) -> IndexSet
  func enumerateRanges(_ block: (_NSRange, UnsafeMutablePointer<ObjCBool>) -> ())
  func enumerateRanges(options opts: NSEnumerationOptions = [], using block: (_NSRange, UnsafeMutablePointer<ObjCBool>) -> ())
  func enumerateRanges(in range: _NSRange, options opts: NSEnumerationOptions = [], using block: (_NSRange, UnsafeMutablePointer<ObjCBool>) -> ())
}

extension NSIndexSetIterator : Sendable {}

struct NSIndexSetIterator : IteratorProtocol {
  typealias Element = Int
  let _set: NSIndexSet
  var _first: Bool
  var _current: Int?
}

extension NSIndexSet : Sequence {
  typealias Element = Int
  typealias Iterator = NSIndexSetIterator
}

class NSMutableIndexSet : NSIndexSet {
  func add(_ indexSet: IndexSet)
  override func copy(with zone: NSZone? = nil) -> Any
  func remove(_ indexSet: IndexSet)
  func removeAllIndexes()
  func add(_ value: Int)
  func remove(_ value: Int)
  func _insertRange(_ range: _NSRange, atIndex index: Int)
  func _replaceRangeAtIndex(_ index: Int, withRange range: _NSRange?)
  func _removeRangeAtIndex(_ index: Int)
  func _mergeOverlappingRangesStartingAtIndex(_ index: Int)
  func add(in r: _NSRange)
  func remove(in range: _NSRange)
  func _increment(by amount: Int, startingAt value: Int)
  func _removeAndDecrement(by amount: Int, startingAt value: Int)
  func shiftIndexesStarting(at index: Int, by delta: Int)
  override init()
  override init(indexesIn range: _NSRange)
  override init(indexSet: IndexSet)
  required init?(coder aDecoder: NSCoder)
}

extension NSIndexSet : _StructTypeBridgeable, _SwiftBridgeable {
  typealias _StructType = IndexSet
  typealias SwiftType = IndexSet
}

extension NSKeyedArchiver : @unchecked Sendable {}

class NSKeyedArchiver : NSCoder {
  struct ArchiverFlags : OptionSet {
    let rawValue: UInt
    typealias ArrayLiteralElement = NSKeyedArchiver.ArchiverFlags
    typealias Element = NSKeyedArchiver.ArchiverFlags
    typealias RawValue = UInt
  }
  class EncodingContext {
    var dict: [String : Any]
    var genericKey: UInt
    init()
  }
  var _stream: AnyObject
  var _flags: NSKeyedArchiver.ArchiverFlags
  var _containers: Array<NSKeyedArchiver.EncodingContext>
  var _objects: Array<Any>
  var _objRefMap: Dictionary<AnyHashable, UInt32>
  var _replacementMap: Dictionary<AnyHashable, Any>
  var _classNameMap: Dictionary<String, String>
  var _classes: Dictionary<String, _NSKeyedArchiverUID>
  var _cache: Array<_NSKeyedArchiverUID>
  weak var delegate: @sil_weak (any NSKeyedArchiverDelegate)?
  var _error: (any Error)?
  override var error: (any Error)? { get set }
  var outputFormat: PropertyListDecoder.PropertyListFormat
  class func archivedData(withRootObject object: Any, requiringSecureCoding: Bool) throws -> Data
  class func archivedData(withRootObject rootObject: Any) -> Data
  class func archiveRootObject(_ rootObject: Any, toFile path: String) -> Bool
  convenience init(requiringSecureCoding: Bool)
  override convenience init()
  init(output: AnyObject)
  convenience init(forWritingWith data: NSMutableData)
  func _writeXMLData(_ plist: NSDictionary) -> Bool
  func _writeBinaryData(_ plist: NSDictionary) -> Bool
  var encodedData: Data { get }
  func finishEncoding()
  class func setClassName(_ codedName: String?, for cls: any AnyObject.Type)
  func setClassName(_ codedName: String?, for cls: any AnyObject.Type)
  override var systemVersion: UInt32 { get }
  override var allowsKeyedCoding: Bool { get }
  func _validateStillEncoding() -> Bool
  class func _supportsSecureCoding(_ objv: Any?) -> Bool
  func _validateObjectSupportsSecureCoding(_ objv: Any?)
  func _createObjectRefCached(_ uid: UInt32) -> _NSKeyedArchiverUID
  func _referenceObject(_ objv: Any?, conditional: Bool = false) -> _NSKeyedArchiverUID?
  func _haveVisited(_ objv: Any?) -> Bool
  func _addObject(_ objv: Any?) -> _NSKeyedArchiverUID?
  func _pushEncodingContext(_ encodingContext: NSKeyedArchiver.EncodingContext)
  func _popEncodingContext()
  var _currentEncodingContext: NSKeyedArchiver.EncodingContext { get }
  func _setObjectInCurrentEncodingContext(_ object: Any?, forKey key: String? = nil, escape: Bool = true)
  func _nextGenericKey() -> String
  func replaceObject(_ object: Any, withObject replacement: Any?)
  func _isContainer(_ objv: Any?) -> Bool
  func _setObject(_ objv: Any, forReference reference: _NSKeyedArchiverUID)
  func _classDictionary(_ clsv: any AnyObject.Type) -> Dictionary<String, Any>
  func _classReference(_ clsv: any AnyObject.Type) -> _NSKeyedArchiverUID?
  func _replacementObject(_ object: Any?) -> Any?
  func _encodeObject(_ objv: Any?, conditional: Bool = false) -> NSObject?
  func _encodeObject(_ objv: Any?, forKey key: String?, conditional: Bool = false)
  override func encode(_ object: Any?)
  override func encodeConditionalObject(_ object: Any?)
  override func encode(_ objv: Any?, forKey key: String)
  override func encodeConditionalObject(_ objv: Any?, forKey key: String)
  override func encodePropertyList(_ aPropertyList: Any)
  func encodePropertyList(_ aPropertyList: Any, forKey key: String)
  func _encodePropertyList(_ aPropertyList: Any, forKey key: String? = nil)
  func _encodeValue<T>(_ objv: T, forKey key: String? = nil) where T : NSObject, T : NSCoding
  func _encodeValueOfObjCType(_ type: _NSSimpleObjCType, at addr: UnsafeRawPointer)
  override func encodeValue(ofObjCType typep: UnsafePointer<Int8>, at addr: UnsafeRawPointer)
  override func encode(_ boolv: Bool, forKey key: String)
  override func encode(_ intv: Int32, forKey key: String)
  override func encode(_ intv: Int64, forKey key: String)
  override func encode(_ realv: Float, forKey key: String)
  override func encode(_ realv: Double, forKey key: String)
  override func encode(_ intv: Int, forKey key: String)
  override func encode(_ data: Data)
  override func encodeBytes(_ bytesp: UnsafePointer<UInt8>?, length lenv: Int, forKey key: String)
  func _encodeArrayOfObjects(_ objects: NSArray, forKey key: String)
  override var requiresSecureCoding: Bool { get set }
  class func classNameForClass(_ cls: any AnyObject.Type) -> String?
  func classNameForClass(_ cls: any AnyObject.Type) -> String?
}

protocol NSKeyedArchiverDelegate : AnyObject {
  func archiver(_ archiver: NSKeyedArchiver, willEncode object: Any) -> Any?
  func archiver(_ archiver: NSKeyedArchiver, didEncode object: Any?)
  func archiver(_ archiver: NSKeyedArchiver, willReplace object: Any?, withObject newObject: Any?)
  func archiverWillFinish(_ archiver: NSKeyedArchiver)
  func archiverDidFinish(_ archiver: NSKeyedArchiver)
}

extension CFKeyedArchiverUID : _NSBridgeable {
  typealias NSType = _NSKeyedArchiverUID
}

final class _NSKeyedArchiverUID : NSObject, Sendable {
  typealias CFType = CFKeyedArchiverUID
  final let _base: _CFInfo
  final let value: UInt32
  init(value: UInt32)
  override init()
}

extension NSKeyedUnarchiver : @unchecked Sendable {}

class NSKeyedUnarchiver : NSCoder {
  enum InternalError : Error {
    case decodingHasAlreadyFailed
  }
  struct UnarchiverFlags : OptionSet {
    let rawValue: UInt
    typealias ArrayLiteralElement = NSKeyedUnarchiver.UnarchiverFlags
    typealias Element = NSKeyedUnarchiver.UnarchiverFlags
    typealias RawValue = UInt
  }
  class DecodingContext {
    var dict: Dictionary<String, Any>
    var genericKey: UInt
    init(_ dict: Dictionary<String, Any>)
  }
  weak var delegate: @sil_weak (any NSKeyedUnarchiverDelegate)?
  enum Stream {
    case data(Data)
    case stream(CFReadStream)
  }
  final var _stream: NSKeyedUnarchiver.Stream
  var _flags: NSKeyedUnarchiver.UnarchiverFlags
  var _containers: Array<NSKeyedUnarchiver.DecodingContext>?
  var _objects: Array<Any>
  var _objRefMap: Dictionary<UInt32, Any>
  var _replacementMap: Dictionary<AnyHashable, Any>
  var _classNameMap: Dictionary<String, any AnyObject.Type>
  var _classes: Dictionary<UInt32, any AnyObject.Type>
  var _cache: Array<_NSKeyedArchiverUID>
  var _allowedClasses: Array<[any AnyObject.Type]>
  var _error: (any Error)?
  override var error: (any Error)? { get }
  class func unarchiveObject(with data: Data) -> Any?
  class func unarchiveObject(withFile path: String) -> Any?
  init(forReadingFrom data: Data) throws
  convenience init(forReadingWith data: Data)
  init(stream: NSKeyedUnarchiver.Stream)
  func _readPropertyList() throws
  func _pushDecodingContext(_ decodingContext: NSKeyedUnarchiver.DecodingContext)
  func _popDecodingContext()
  var _currentDecodingContext: NSKeyedUnarchiver.DecodingContext { get }
  func _nextGenericKey() -> String
  func _objectInCurrentDecodingContext<T>(forKey key: String?) -> T?
  func _dereferenceObjectReference(_ unwrappedObjectRef: _NSKeyedArchiverUID) -> Any?
  override var systemVersion: UInt32 { get }
  override var allowsKeyedCoding: Bool { get }
  func _validateStillDecoding() -> Bool
  func _isClassAllowed(_ assertedClass: (any AnyObject.Type)?, allowedClasses: [any AnyObject.Type]?) -> Bool
  func _validateAndMapClassDictionary(_ classDict: Dictionary<String, Any>?, allowedClasses: [any AnyObject.Type]?, classToConstruct: inout (any AnyObject.Type)?) -> Bool
  func _validateAndMapClassReference(_ classReference: _NSKeyedArchiverUID, allowedClasses: [any AnyObject.Type]?) throws -> (any AnyObject.Type)?
  func _cachedObjectForReference(_ objectRef: _NSKeyedArchiverUID) -> Any?
  func _cacheObject(_ object: Any, forReference objectRef: _NSKeyedArchiverUID)
  func _isContainer(_ object: Any) -> Bool
  func replaceObject(_ object: Any, withObject replacement: Any)
  func _decodingError(_ code: CocoaError.Code, withDescription description: String) -> NSError
  func _replacementObject(_ decodedObject: Any?) -> Any?
  func _validateClassSupportsSecureCoding(_ classToConstruct: (any AnyObject.Type)?) -> Bool
  func _decodeObject(_ objectRef: Any) throws -> Any?
  override var decodingFailurePolicy: NSCoder.DecodingFailurePolicy { get set }
  func _handleError(_ error: any Error)
  func _decodeObject(forKey key: String?) throws -> Any?
  func _decodeValue<T>(forKey key: String? = nil) -> T?
  func _decodeArrayOfObjectsForKey(_ key: String, withBlock block: (Any) -> ()) throws
  override func _decodeArrayOfObjectsForKey(_ key: String) -> [Any]
  func finishDecoding()
  class func setClass(_ cls: (any AnyObject.Type)?, forClassName codedName: String)
  func setClass(_ cls: (any AnyObject.Type)?, forClassName codedName: String)
  class func `class`(forClassName codedName: String) -> (any AnyObject.Type)?
  func `class`(forClassName codedName: String) -> (any AnyObject.Type)?
  override func containsValue(forKey key: String) -> Bool
  override func decodeObject(forKey key: String) -> Any?
  func _decodeObject(of classes: [any AnyObject.Type]?, forKey key: String? = nil) -> Any?
  override func decodeObject<DecodedObjectType>(of cls: DecodedObjectType.Type, forKey key: String) -> DecodedObjectType? where DecodedObjectType : NSObject, DecodedObjectType : NSCoding
  override func decodeObject(of classes: [any AnyObject.Type]?, forKey key: String) -> Any?
  func _requiringTopLevelObject(perform block: () throws -> Any?) throws -> Any?
  override func decodeObject() -> Any?
  override func decodePropertyList() -> Any?
  override func decodePropertyList(forKey key: String) -> Any?
  override func _decodePropertyListForKey(_ key: String) -> Any?
  override func decodeBool(forKey key: String) -> Bool
  override func decodeInt32(forKey key: String) -> Int32
  override func decodeInt64(forKey key: String) -> Int64
  override func decodeFloat(forKey key: String) -> Float
  override func decodeDouble(forKey key: String) -> Double
  override func decodeInteger(forKey key: String) -> Int
  override func withDecodedUnsafeBufferPointer<ResultType>(forKey key: String, body: (UnsafeBufferPointer<UInt8>?) throws -> ResultType) rethrows -> ResultType
  override func withDecodedUnsafeBytes<ResultType>(forKey key: String, body: (UnsafeRawBufferPointer?) throws -> ResultType) rethrows -> ResultType
  override func decodeData() -> Data?
  func _decodeValueOfObjCType(_ type: _NSSimpleObjCType, at addr: UnsafeMutableRawPointer)
  override func decodeValue(ofObjCType typep: UnsafePointer<Int8>, at addr: UnsafeMutableRawPointer)
  override var allowedClasses: [any AnyObject.Type]? { get }
  override var requiresSecureCoding: Bool { get set }
  class func unarchiveTopLevelObjectWithData(_ data: Data) throws -> Any?
  override init()
}

protocol NSKeyedUnarchiverDelegate : AnyObject {
  func unarchiver(_ unarchiver: NSKeyedUnarchiver, cannotDecodeObjectOfClassName name: String, originalClasses classNames: [String]) -> (any AnyObject.Type)?
  func unarchiver(_ unarchiver: NSKeyedUnarchiver, didDecode object: Any?) -> Any?
  func unarchiver(_ unarchiver: NSKeyedUnarchiver, willReplace object: Any, with newObject: Any)
  func unarchiverWillFinish(_ unarchiver: NSKeyedUnarchiver)
  func unarchiverDidFinish(_ unarchiver: NSKeyedUnarchiver)
}

class NSLocale : NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  final let _locale: Locale
  init(locale: Locale)
  func object(forKey key: NSLocale.Key) -> Any?
  func displayName(forKey key: NSLocale.Key, value: String) -> String?
  var localeIdentifier: String { get }
  var languageCode: String { get }
  var languageIdentifier: String { get }
  var countryCode: String? { get }
  var regionCode: String? { get }
  var scriptCode: String? { get }
  var variantCode: String? { get }
  var calendarIdentifier: String { get }
  var collationIdentifier: String? { get }
  var decimalSeparator: String { get }
  var groupingSeparator: String { get }
  var currencySymbol: String { get }
  var currencyCode: String? { get }
  var collatorIdentifier: String { get }
  var quotationBeginDelimiter: String { get }
  var quotationEndDelimiter: String { get }
  var alternateQuotationBeginDelimiter: String { get }
  var alternateQuotationEndDelimiter: String { get }
  var usesMetricSystem: Bool { get }
  func localizedString(forLocaleIdentifier localeIdentifier: String) -> String
  func _nullableLocalizedString(forLocaleIdentifier localeIdentifier: String) -> String?
  func localizedString(forLanguageCode languageCode: String) -> String?
  func localizedString(forCountryCode countryCode: String) -> String?
  func localizedString(forScriptCode scriptCode: String) -> String?
  func localizedString(forVariantCode variantCode: String) -> String?
  func localizedString(forCalendarIdentifier calendarIdentifier: String) -> String?
  func localizedString(forCollationIdentifier collationIdentifier: String) -> String?
  func localizedString(forCurrencyCode currencyCode: String) -> String?
  func localizedString(forCurrencySymbol currencySymbol: String) -> String?
  func localizedString(forCollatorIdentifier collatorIdentifier: String) -> String?
  init(localeIdentifier string: String)
  init?(coder aDecoder: NSCoder)
  override func copy() -> Any
  func copy(with zone: NSZone? = nil) -> Any
  override func isEqual(_ object: Any?) -> Bool
  override var hash: Int { get }
  func encode(with aCoder: NSCoder)
  override init()
}

extension NSLocale {
  struct Key : RawRepresentable, Equatable, Hashable, Sendable {
    let rawValue: String
    typealias RawValue = String
  }
  typealias LanguageDirection = Locale.LanguageDirection
}

extension CFLocale : _NSBridgeable, _SwiftBridgeable {
  typealias NSType = NSLocale
  typealias SwiftType = Locale
}

extension Locale {
  typealias CFType = CFLocale
}

extension NSLocale : _SwiftBridgeable {
  typealias SwiftType = Locale
}

extension NSLocale : _StructTypeBridgeable {
  typealias _StructType = Locale
}

extension Locale : _ObjectiveCBridgeable {
  typealias _ObjectiveCType = NSLocale
}

protocol NSLocking {
  func lock()
  func unlock()
}

class NSLock : NSObject, NSLocking, @unchecked Sendable {
  var mutex: UnsafeMutablePointer<pthread_mutex_t>
  override init()
  func lock()
  func unlock()
  func `try`() -> Bool
  func lock(before limit: Date) -> Bool
  var name: String?
}

class NSConditionLock : NSObject, NSLocking, @unchecked Sendable {
  var _cond: NSCondition
  var _value: Int
  var _thread: UInt?
  override convenience init()
  init(condition: Int)
  func lock()
  func unlock()
  var condition: Int { get }
  func lock(whenCondition condition: Int)
  func `try`() -> Bool
  func tryLock(whenCondition condition: Int) -> Bool
  func unlock(withCondition condition: Int)
  func lock(before limit: Date) -> Bool
  func lock(whenCondition condition: Int, before limit: Date) -> Bool
  var name: String?
}

class NSRecursiveLock : NSObject, NSLocking, @unchecked Sendable {
  var mutex: UnsafeMutablePointer<pthread_mutex_t>
  override init()
  func lock()
  func unlock()
  func `try`() -> Bool
  func lock(before limit: Date) -> Bool
  var name: String?
}

class NSCondition : NSObject, NSLocking, @unchecked Sendable {
  var mutex: UnsafeMutablePointer<pthread_mutex_t>
  var cond: UnsafeMutablePointer<pthread_cond_t>
  override init()
  func lock()
  func unlock()
  func wait()
  func wait(until limit: Date) -> Bool
  func signal()
  func broadcast()
  var name: String?
}

extension NSMeasurement : @unchecked Sendable {}

class NSMeasurement : NSObject, NSCopying, NSSecureCoding {
  private(set) var unit: Unit
  private(set) var doubleValue: Double
  init(doubleValue: Double, unit: Unit)
  func canBeConverted(to unit: Unit) -> Bool
  func converting(to otherUnit: Unit) -> Measurement<Unit>
  func adding(_ rhs: Measurement<Unit>) -> Measurement<Unit>
  func subtracting(_ rhs: Measurement<Unit>) -> Measurement<Unit>
  func copy(with zone: NSZone? = nil) -> Any
  class var supportsSecureCoding: Bool { get }
  enum NSCodingKeys {}
  init?(coder aDecoder: NSCoder)
  func encode(with aCoder: NSCoder)
  override func isEqual(_ object: Any?) -> Bool
  override var hash: Int { get }
  override init()
}

extension NSMeasurement : _StructTypeBridgeable {
  typealias _StructType = Measurement<Unit>
}

extension NSNotification : @unchecked Sendable {}

class NSNotification : NSObject, NSCopying, NSCoding {
  struct Name : RawRepresentable, Equatable, Hashable, Sendable {
    private(set) var rawValue: String
    typealias RawValue = String
  }
  private(set) var name: NSNotification.Name
  private(set) var object: Any?
  private(set) var userInfo: [AnyHashable : Any]?
  override convenience init()
  init(name: NSNotification.Name, object: Any?, userInfo: [AnyHashable : Any]? = nil)
  init?(coder aDecoder: NSCoder)
  func encode(with aCoder: NSCoder)
  override func copy() -> Any
  func copy(with zone: NSZone? = nil) -> Any
  override var description: String { get }
}

class NSNotificationReceiver : NSObject {
  var name: NSNotification.Name?
  var block: (@Sendable (Notification) -> ())?
  var sender: AnyObject?
  var queue: OperationQueue?
  override init()
}

class NotificationCenter : NSObject, @unchecked Sendable {
  lazy var _nilIdentifier: ObjectIdentifier { get set }
  final var $__lazy_storage_$__nilIdentifier: ObjectIdentifier?
  lazy var _nilHashable: AnyHashable { get set }
  final var $__lazy_storage_$__nilHashable: AnyHashable?
  var _observers: [AnyHashable : [ObjectIdentifier : [ObjectIdentifier : NSNotificationReceiver]]]
  final let _observersLock: NSLock
  override required init()
  class var `default`: NotificationCenter { get }
  func post(_ notification: Notification)
  func post(name aName: NSNotification.Name, object anObject: Any?, userInfo aUserInfo: [AnyHashable : Any]? = nil)
  func removeObserver(_ observer: Any)
  func removeObserver(_ observer: Any, name aName: NSNotification.Name?, object: Any?)
  func addObserver(forName name: NSNotification.Name?, object obj: Any?, queue: OperationQueue?, usingBlock block: @escaping (Notification) -> ()) -> any NSObjectProtocol
  func addObserver(forName name: NSNotification.Name?, object obj: Any?, queue: OperationQueue?, using block: @escaping @Sendable (Notification) -> ()) -> any NSObjectProtocol
}

class NSNull : NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  override func copy() -> Any
  func copy(with zone: NSZone? = nil) -> Any
  override init()
  init?(coder aDecoder: NSCoder)
  func encode(with aCoder: NSCoder)
  override var description: String { get }
  override func isEqual(_ object: Any?) -> Bool
}

extension Int8 : _ObjectiveCBridgeable {
  typealias _ObjectiveCType = NSNumber
}

extension UInt8 : _ObjectiveCBridgeable {
  typealias _ObjectiveCType = NSNumber
}

extension Int16 : _ObjectiveCBridgeable {
  typealias _ObjectiveCType = NSNumber
}

extension UInt16 : _ObjectiveCBridgeable {
  typealias _ObjectiveCType = NSNumber
}

extension Int32 : _ObjectiveCBridgeable {
  typealias _ObjectiveCType = NSNumber
}

extension UInt32 : _ObjectiveCBridgeable {
  typealias _ObjectiveCType = NSNumber
}

extension Int64 : _ObjectiveCBridgeable {
  typealias _ObjectiveCType = NSNumber
}

extension UInt64 : _ObjectiveCBridgeable {
  typealias _ObjectiveCType = NSNumber
}

extension Int : _ObjectiveCBridgeable {
  typealias _ObjectiveCType = NSNumber
}

extension UInt : _ObjectiveCBridgeable {
  typealias _ObjectiveCType = NSNumber
}

extension Float : _ObjectiveCBridgeable {
  typealias _ObjectiveCType = NSNumber
}

extension Double : _ObjectiveCBridgeable {
  typealias _ObjectiveCType = NSNumber
}

extension Bool : _ObjectiveCBridgeable {
  typealias _ObjectiveCType = NSNumber
}

extension Bool {
  typealias CFType = CFBoolean
}

extension NSNumber : ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
  typealias BooleanLiteralType = Bool
  typealias FloatLiteralType = Double
  typealias IntegerLiteralType = Int
}

struct CFSInt128Struct {
  var high: Int64
  var low: UInt64
}

class NSNumber : NSValue, @unchecked Sendable {
  typealias CFType = CFNumber
  final let _base: _CFInfo
  final let _pad: UInt64
  override var hash: Int { get }
  override func isEqual(_ value: Any?) -> Bool
  override var objCType: UnsafePointer<Int8> { get }
  var _swiftValueOfOptimalType: any Sendable { get }
  convenience init(bytes: UnsafeRawPointer, numberType: CFNumberType)
  convenience init(value: Int8)
  convenience init(value: UInt8)
  convenience init(value: Int16)
  convenience init(value: UInt16)
  convenience init(value: Int32)
  convenience init(value: UInt32)
  convenience init(value: Int)
  convenience init(value: UInt)
  convenience init(value: Int64)
  convenience init(value: UInt64)
  convenience init(value: Float)
  convenience init(value: Double)
  convenience init(value: Bool)
  override init()
  required convenience init(bytes buffer: UnsafeRawPointer, objCType: UnsafePointer<Int8>)
  required convenience init?(coder aDecoder: NSCoder)
  var int8Value: Int8 { get }
  var uint8Value: UInt8 { get }
  var int16Value: Int16 { get }
  var uint16Value: UInt16 { get }
  var int32Value: Int32 { get }
  var uint32Value: UInt32 { get }
  var int64Value: Int64 { get }
  var uint64Value: UInt64 { get }
  var int128Value: CFSInt128Struct { get }
  var floatValue: Float { get }
  var doubleValue: Double { get }
  var boolValue: Bool { get }
  var intValue: Int { get }
  var uintValue: UInt { get }
  var stringValue: String { get }
  init(integerLiteral value: Int)
  init(floatLiteral value: Double)
  init(booleanLiteral value: Bool)
  func compare(_ otherNumber: NSNumber) -> ComparisonResult
  func isEqual(to number: NSNumber) -> Bool
  func description(withLocale locale: Locale?) -> String
  override var _cfTypeID: UInt { get }
  override var description: String { get }
  func _cfNumberType() -> CFNumberType
  override func encode(with aCoder: NSCoder)
  override var classForCoder: any AnyObject.Type { get }
  var _exactBoolValue: Bool? { get }
}

extension CFNumber : _NSBridgeable {
  typealias NSType = NSNumber
}

protocol _NSNumberCastingWithoutBridging {
  var _swiftValueOfOptimalType: any Sendable { get }
}

extension NSNumber : _NSNumberCastingWithoutBridging {}

enum _NSSimpleObjCType : Unicode.Scalar {
  case ID
  case Class
  case Sel
  case Char
  case UChar
  case Short
  case UShort
  case Int
  case UInt
  case Long
  case ULong
  case LongLong
  case ULongLong
  case Float
  case Double
  case Bitfield
  case Bool
  case Void
  case Undef
  case Ptr
  case CharPtr
  case Atom
  case ArrayBegin
  case ArrayEnd
  case UnionBegin
  case UnionEnd
  case StructBegin
  case StructEnd
  case Vector
  case Const
  typealias RawValue = Unicode.Scalar
}

enum QualityOfService : Int, Sendable {
  case userInteractive
  case userInitiated
  case utility
  case background
  case `default`
  typealias RawValue = Int
}

struct NSSortOptions : OptionSet, Sendable {
  let rawValue: UInt
  typealias ArrayLiteralElement = NSSortOptions
  typealias Element = NSSortOptions
  typealias RawValue = UInt
}

struct NSEnumerationOptions : OptionSet, Sendable {
  let rawValue: UInt
  typealias ArrayLiteralElement = NSEnumerationOptions
  typealias Element = NSEnumerationOptions
  typealias RawValue = UInt
}

struct _CFInfo {
  var info: UInt32
  var pad: UInt32
}

protocol NSObjectProtocol : AnyObject {
  func isEqual(_ object: Any?) -> Bool
  var hash: Int { get }
  func `self`() -> Self
  func isProxy() -> Bool
  var description: String { get }
  var debugDescription: String { get }
}

extension NSZone : @unchecked Sendable {}

struct NSZone : ExpressibleByNilLiteral {}

protocol NSCopying {
  func copy(with zone: NSZone?) -> Any
}

protocol NSMutableCopying {
  func mutableCopy(with zone: NSZone?) -> Any
}

class NSObject : NSObjectProtocol, Equatable, Hashable {
  init()
  func copy() -> Any
  func mutableCopy() -> Any
  func isEqual(_ object: Any?) -> Bool
  var hash: Int { get }
  func `self`() -> Self
  func isProxy() -> Bool
  var description: String { get }
  var debugDescription: String { get }
  var _cfTypeID: UInt { get }
  var classForCoder: any AnyObject.Type { get }
  func replacementObject(for aCoder: NSCoder) -> Any?
  var classForKeyedArchiver: (any AnyObject.Type)? { get }
  func replacementObject(for archiver: NSKeyedArchiver) -> Any?
  class func classFallbacksForKeyedArchiver() -> [String]
  class func classForKeyedUnarchiver() -> any AnyObject.Type
  class var nsObjectSuperclass: NSObject.Type? { get }
  class var superclass: (any AnyObject.Type)? { get }
  class func isSubclass(of aClass: any AnyObject.Type) -> Bool
  func isMember(of aClass: any AnyObject.Type) -> Bool
  func isKind(of aClass: any AnyObject.Type) -> Bool
}

extension NSObject : CustomDebugStringConvertible {}

extension NSObject : CustomStringConvertible {}

extension NSOrderedSet : @unchecked Sendable {}

class NSOrderedSet : NSObject, NSCopying, NSMutableCopying, NSSecureCoding, ExpressibleByArrayLiteral {
  var _storage: NSSet
  var _orderedStorage: NSArray
  override func copy() -> Any
  func copy(with zone: NSZone? = nil) -> Any
  override func mutableCopy() -> Any
  func mutableCopy(with zone: NSZone? = nil) -> Any
  override func isEqual(_ object: Any?) -> Bool
  func encode(with aCoder: NSCoder)
  init?(coder aDecoder: NSCoder)
  var count: Int { get }
  func object(at idx: Int) -> Any
  func index(of object: Any) -> Int
  override convenience init()
  init(objects: UnsafePointer<AnyObject>?, count cnt: Int)
  init(arrayLiteral elements: [Any])
  convenience init(objects elements: [Any])
  init(storage: NSSet, orderedStorage: NSArray)
  subscript(idx: Int) -> Any { get }
  var allObjects: [Any] { get }
  var _indices: Range<Int> { get }
  func _validateSubscript(_ index: Int, file: StaticString = #file, line: UInt = #line)
  func objects(at indexes: IndexSet) -> [Any]
  var firstObject: Any? { get }
  var lastObject: Any? { get }
  func isEqual(to other: NSOrderedSet) -> Bool
  func contains(_ object: Any) -> Bool
  func intersects(_ other: NSOrderedSet) -> Bool
  func intersectsSet(_ set: Set<AnyHashable>) -> Bool
  func isSubset(of other: NSOrderedSet) -> Bool
  func isSubset(of set: Set<AnyHashable>) -> Bool
  func objectEnumerator() -> NSEnumerator
  func reverseObjectEnumerator() -> NSEnumerator
  var reversed: NSOrderedSet { get }
  var array: [Any] { get }
  var set: Set<AnyHashable> { get }
  func enumerateObjects(_ block: (Any, Int, UnsafeMutablePointer<ObjCBool>) -> ())
  func enumerateObjects(options opts: NSEnumerationOptions = [], using block: (Any, Int, UnsafeMutablePointer<ObjCBool>) -> ())
  func enumerateObjects(at s: IndexSet, options opts: NSEnumerationOptions = [], using block: (Any, Int, UnsafeMutablePointer<ObjCBool>) -> ())
  func index(ofObjectPassingTest predicate: (Any, Int, UnsafeMutablePointer<ObjCBool>) -> Bool) -> Int
  func index(_ opts: NSEnumerationOptions = [], ofObjectPassingTest predicate: (Any, Int, UnsafeMutablePointer<ObjCBool>) -> Bool) -> Int
  func index(ofObjectAt s: IndexSet, options opts: NSEnumerationOptions = [], passingTest predicate: (Any, Int, UnsafeMutablePointer<ObjCBool>) -> Bool) -> Int
  func indexes(ofObjectsPassingTest predicate: (Any, Int, UnsafeMutablePointer<ObjCBool>) -> Bool) -> IndexSet
  func indexes(options opts: NSEnumerationOptions = [], ofObjectsPassingTest predicate: (Any, Int, UnsafeMutablePointer<ObjCBool>) -> Bool) -> IndexSet
  func indexes(ofObjectsAt s: IndexSet, options opts: NSEnumerationOptions = [], passingTest predicate: (Any, Int, UnsafeMutablePointer<ObjCBool>) -> Bool) -> IndexSet
  func index(of object: Any, inSortedRange range: _NSRange, options opts: NSBinarySearchingOptions = [], usingComparator cmp: (Any, Any) -> ComparisonResult) -> Int
  func sortedArray(comparator cmptr: (Any, Any) -> ComparisonResult) -> [Any]
  func sortedArray(options opts: NSSortOptions = [], usingComparator cmptr: (Any, Any) -> ComparisonResult) -> [Any]
  override var description: String { get }
  func description(withLocale locale: Locale?) -> String
  func description(withLocale locale: Locale?, indent level: Int) -> String
  convenience init(object: Any)
  convenience init(orderedSet set: NSOrderedSet)
  convenience init(orderedSet set: NSOrderedSet, copyItems flag: Bool)
  convenience init(orderedSet set: NSOrderedSet, range: _NSRange, copyItems flag: Bool)
  convenience init(array: [Any])
  convenience init(array set: [Any], copyItems flag: Bool)
  convenience init(array set: [Any], range: _NSRange, copyItems flag: Bool)
  convenience init(set: Set<AnyHashable>)
  convenience init(set: Set<AnyHashable>, copyItems flag: Bool)
  func sortedArray(using sortDescriptors: [NSSortDescriptor]) -> [Any]
  typealias ArrayLiteralElement = Any
}

class NSMutableOrderedSet : NSOrderedSet {
  var _mutableStorage: NSMutableSet
  var _mutableOrderedStorage: NSMutableArray
  override init(objects: UnsafePointer<AnyObject>?, count cnt: Int)
  func insert(_ object: Any, at idx: Int)
  func removeObject(at idx: Int)
  func replaceObject(at idx: Int, with obj: Any)
  init(capacity numItems: Int)
  required convenience init(arrayLiteral elements: [Any])
  init(mutableStorage: NSMutableSet, mutableOrderedStorage: NSMutableArray)
  required convenience init?(coder aDecoder: NSCoder)
  override func copy(with zone: NSZone? = nil) -> Any
  func _removeObject(_ object: Any)
  func _insertObject(_ object: Any)
  override subscript(idx: Int) -> Any { get set }
  func add(_ object: Any)
  func add(_ objects: UnsafePointer<AnyObject>?, count: Int)
  func addObjects(from array: [Any])
  func exchangeObject(at idx1: Int, withObjectAt idx2: Int)
  func moveObjects(at indexes: IndexSet, to idx: Int)
  func insert(_ objects: [Any], at indexes: IndexSet)
  func setObject(_ obj: Any, at idx: Int)
  func replaceObjects(in range: _NSRange, with objects: UnsafePointer<AnyObject>!, count: Int)
  func replaceObjects(at indexes: IndexSet, with objects: [Any])
  func removeObjects(in range: _NSRange)
  func removeObjects(at indexes: IndexSet)
  func removeAllObjects()
  func remove(_ val: Any)
  func removeObjects(in array: [Any])
  func intersect(_ other: NSOrderedSet)
  func minus(_ other: NSOrderedSet)
  func union(_ other: NSOrderedSet)
  func intersectSet(_ other: Set<AnyHashable>)
  func minusSet(_ other: Set<AnyHashable>)
  func unionSet(_ other: Set<AnyHashable>)
  func sort(comparator cmptr: (Any, Any) -> ComparisonResult)
  func sort(options opts: NSSortOptions = [], usingComparator cmptr: (Any, Any) -> ComparisonResult)
  func sortRange(_ range: _NSRange, options opts: NSSortOptions = [], usingComparator cmptr: (Any, Any) -> ComparisonResult)
  func sort(using sortDescriptors: [NSSortDescriptor])
  convenience init()
  convenience init(object: Any)
  convenience init(orderedSet set: NSOrderedSet)
  convenience init(orderedSet set: NSOrderedSet, copyItems flag: Bool)
  convenience init(orderedSet set: NSOrderedSet, range: _NSRange, copyItems flag: Bool)
  convenience init(array: [Any])
  convenience init(array set: [Any], copyItems flag: Bool)
  convenience init(array set: [Any], range: _NSRange, copyItems flag: Bool)
  convenience init(set: Set<AnyHashable>)
  convenience init(set: Set<AnyHashable>, copyItems flag: Bool)
  convenience init(objects elements: [Any])
  override init(storage: NSSet, orderedStorage: NSArray)
}

extension NSOrderedSet : Sequence {
  typealias Iterator = NSEnumerator.Iterator
  typealias Element = Any
}

extension NSOrderedSet : CustomReflectable {}

extension NSString {
  typealias _FileNamePredicate = (String) -> Bool
}

extension NSPersonNameComponents : @unchecked Sendable {}

class NSPersonNameComponents : NSObject, NSCopying, NSSecureCoding {
  override init()
  init(pnc: PersonNameComponents)
  init?(coder aDecoder: NSCoder)
  func encode(with aCoder: NSCoder)
  func copy(with zone: NSZone? = nil) -> Any
  override func isEqual(_ object: Any?) -> Bool
  func isEqual(_ other: NSPersonNameComponents) -> Bool
  var _pnc: PersonNameComponents
  var namePrefix: String? { get set }
  var givenName: String? { get set }
  var middleName: String? { get set }
  var familyName: String? { get set }
  var nameSuffix: String? { get set }
  var nickname: String? { get set }
  var phoneticRepresentation: PersonNameComponents? { get set }
}

extension NSPersonNameComponents : _StructTypeBridgeable {
  typealias _StructType = PersonNameComponents
}

extension NSPredicate : @unchecked Sendable {}

class NSPredicate : NSObject, NSCopying {
  enum PredicateKind {
    case boolean(Bool)
    case block((Any?, [String : Any]?) -> Bool)
  }
  final let kind: NSPredicate.PredicateKind
  override func copy() -> Any
  func copy(with zone: NSZone? = nil) -> Any
  override func isEqual(_ object: Any?) -> Bool
  init(format predicateFormat: String, argumentArray arguments: [Any]?)
  init(format predicateFormat: String, arguments argList: CVaListPointer)
  init?(fromMetadataQueryString queryString: String)
  init(value: Bool)
  init(block: @escaping (Any?, [String : Any]?) -> Bool)
  var predicateFormat: String { get }
  func withSubstitutionVariables(_ variables: [String : Any]) -> Self
  func evaluate(with object: Any?) -> Bool
  func evaluate(with object: Any?, substitutionVariables bindings: [String : Any]?) -> Bool
  func allowEvaluation()
  override init()
}

struct _NSRange : Sendable {
  var location: Int
  var length: Int
}

extension _NSRange : Hashable {}

extension _NSRange : CustomStringConvertible, CustomDebugStringConvertible {}

extension _NSRange : CustomReflectable {}

extension _NSRange : CustomPlaygroundDisplayConvertible {}

extension _NSRange : Decodable & Encodable {}

extension _NSRange : NSSpecialValueCoding {}

extension NSRegularExpression {
  struct Options : OptionSet, Sendable {
    let rawValue: UInt
    typealias ArrayLiteralElement = NSRegularExpression.Options
    typealias Element = NSRegularExpression.Options
    typealias RawValue = UInt
  }
}

class NSRegularExpression : NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  var _internal: _CFRegularExpression
  override func copy() -> Any
  func copy(with zone: NSZone? = nil) -> Any
  func encode(with aCoder: NSCoder)
  init?(coder aDecoder: NSCoder)
  class var supportsSecureCoding: Bool { get }
  override func isEqual(_ object: Any?) -> Bool
  init(pattern: String, options: NSRegularExpression.Options = []) throws
  var pattern: String { get }
  var options: NSRegularExpression.Options { get }
  var numberOfCaptureGroups: Int { get }
  func _captureGroupNumber(withName name: String) -> Int
  class func escapedPattern(for string: String) -> String
  override init()
}

extension NSRegularExpression {
  struct MatchingOptions : OptionSet, Sendable {
    let rawValue: UInt
    typealias ArrayLiteralElement = NSRegularExpression.MatchingOptions
    typealias Element = NSRegularExpression.MatchingOptions
    typealias RawValue = UInt
  }
  struct MatchingFlags : OptionSet, Sendable {
    let rawValue: UInt
    typealias ArrayLiteralElement = NSRegularExpression.MatchingFlags
    typealias Element = NSRegularExpression.MatchingFlags
    typealias RawValue = UInt
  }
}

extension NSSet : @unchecked Sendable {}

class NSSet : NSObject, NSCopying, NSMutableCopying, NSSecureCoding, NSCoding {
  final let _cfinfo: _CFInfo
  var _storage: Set<NSObject>
  var count: Int { get }
  func member(_ object: Any) -> Any?
  func objectEnumerator() -> NSEnumerator
  override convenience init()
  init(objects: UnsafePointer<AnyObject>!, count cnt: Int)
  convenience init(array: [Any])
  convenience init(set: Set<AnyHashable>)
  convenience init(set anSet: NSSet)
  convenience init(set: Set<AnyHashable>, copyItems flag: Bool)
  convenience init(object: Any)
  convenience init(objects elements: [Any])
  class func _objects(from aDecoder: NSCoder, allowDecodingNonindexedArrayKey: Bool = true) -> [NSObject]
  init?(coder aDecoder: NSCoder)
  func encode(with aCoder: NSCoder)
  override func copy() -> Any
  func copy(with zone: NSZone? = nil) -> Any
  override func mutableCopy() -> Any
  func mutableCopy(with zone: NSZone? = nil) -> Any
  override var description: String { get }
  func description(withLocale locale: Locale?) -> String
  func description(withLocale locale: Locale?, indent level: Int) -> String
  override var _cfTypeID: UInt { get }
  override func isEqual(_ value: Any?) -> Bool
  override var hash: Int { get }
  var allObjects: [Any] { get }
  func anyObject() -> Any?
  func contains(_ anObject: Any) -> Bool
  func intersects(_ otherSet: Set<AnyHashable>) -> Bool
  func isEqual(to otherSet: Set<AnyHashable>) -> Bool
  func isSubset(of otherSet: Set<AnyHashable>) -> Bool
  func adding(_ anObject: Any) -> Set<AnyHashable>
  func addingObjects(from other: Set<AnyHashable>) -> Set<AnyHashable>
  func addingObjects(from other: [Any]) -> Set<AnyHashable>
  func enumerateObjects(_ block: (Any, UnsafeMutablePointer<ObjCBool>) -> ())
  func enumerateObjects(options opts: NSEnumerationOptions = [], using block: (Any, UnsafeMutablePointer<ObjCBool>) -> ())
  func objects(passingTest predicate: (Any, UnsafeMutablePointer<ObjCBool>) -> Bool) -> Set<AnyHashable>
  func objects(options opts: NSEnumerationOptions = [], passingTest predicate: (Any, UnsafeMutablePointer<ObjCBool>) -> Bool) -> Set<AnyHashable>
  func sortedArray(using sortDescriptors: [NSSortDescriptor]) -> [Any]
}

extension NSSet : _SwiftBridgeable {
  typealias SwiftType = Set<NSObject>
}

extension CFSet : _NSBridgeable, _SwiftBridgeable {
  typealias NSType = NSSet
  typealias SwiftType = Set<NSObject>
}

extension Set : _NSBridgeable {
  typealias NSType = NSSet
}

extension NSSet : Sequence {
  typealias Iterator = NSEnumerator.Iterator
  typealias Element = Any
}

extension NSSet : CustomReflectable {}

class NSMutableSet : NSSet {
  func add(_ object: Any)
  func remove(_ object: Any)
  override init(objects: UnsafePointer<AnyObject>!, count cnt: Int)
  convenience init()
  init(capacity numItems: Int)
  required convenience init?(coder aDecoder: NSCoder)
  func addObjects(from array: [Any])
  func intersect(_ otherSet: Set<AnyHashable>)
  func minus(_ otherSet: Set<AnyHashable>)
  func removeAllObjects()
  func union(_ otherSet: Set<AnyHashable>)
  func setSet(_ otherSet: Set<AnyHashable>)
}

class NSCountedSet : NSMutableSet {
  var _table: [NSObject : Int]
  required init(capacity numItems: Int)
  convenience init()
  convenience init(array: [Any])
  convenience init(set: Set<AnyHashable>)
  enum NSCodingKeys {}
  required convenience init?(coder: NSCoder)
  override func encode(with coder: NSCoder)
  override func copy(with zone: NSZone? = nil) -> Any
  override func mutableCopy(with zone: NSZone? = nil) -> Any
  func count(for object: Any) -> Int
  override func add(_ object: Any)
  override func remove(_ object: Any)
  override func removeAllObjects()
  override func isEqual(_ value: Any?) -> Bool
  override init(objects: UnsafePointer<AnyObject>!, count cnt: Int)
}

extension NSSet : _StructTypeBridgeable {
  typealias _StructType = Set<AnyHashable>
}

extension NSSortDescriptor : @unchecked Sendable {}

class NSSortDescriptor : NSObject, NSCopying {
  override func copy() -> Any
  func copy(with zone: NSZone? = nil) -> Any
  init(key: String?, ascending: Bool)
  init(key: String?, ascending: Bool, comparator cmptr: (Any, Any) -> ComparisonResult)
  var key: String? { get }
  func allowEvaluation()
  init<Root, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) where Value : Comparable
  init<Root, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool, comparator cmptr: @escaping (Any, Any) -> ComparisonResult)
  final let lens: (Any) -> Any
  final let reversedSortDescriptorProducer: () -> NSSortDescriptor
  private(set) var ascending: Bool
  private(set) var keyPath: AnyKeyPath
  private(set) var comparator: (Any, Any) -> ComparisonResult
  func compare(_ object1: Any, to object2: Any) -> ComparisonResult
  var reversedSortDescriptor: Any { get }
  override init()
}

extension NSNumber : Comparable {}

extension NSString : Comparable {}

extension NSDateInterval : Comparable {}

extension NSDate : Comparable {}

extension NSIndexPath : Comparable {}

protocol NSSpecialValueCoding {
  static func objCType() -> String
  init(bytes value: UnsafeRawPointer)
  func encodeWithCoder(_ aCoder: NSCoder)
  init?(coder aDecoder: NSCoder)
  func getValue(_ value: UnsafeMutableRawPointer)
  func isEqual(_ value: Any) -> Bool
  func hash(into hasher: inout Hasher)
  var description: String { get }
}

extension NSString {
  struct EncodingConversionOptions : OptionSet, Sendable {
    let rawValue: UInt
    typealias ArrayLiteralElement = NSString.EncodingConversionOptions
    typealias Element = NSString.EncodingConversionOptions
    typealias RawValue = UInt
  }
  struct EnumerationOptions : OptionSet, Sendable {
    let rawValue: UInt
    typealias ArrayLiteralElement = NSString.EnumerationOptions
    typealias Element = NSString.EnumerationOptions
    typealias RawValue = UInt
  }
}

extension NSString {
  typealias CompareOptions = String.CompareOptions
}

struct StringTransform : Equatable, Hashable, RawRepresentable, Sendable {
  typealias RawType = String
  let rawValue: String
  typealias RawValue = String
}

extension NSString : @unchecked Sendable {}

class NSString : NSObject, NSCopying, NSMutableCopying, NSSecureCoding, NSCoding {
  final let _cfinfo: _CFInfo
  var _storage: String
  var length: Int { get }
  func character(at index: Int) -> UInt16
  override convenience init()
  init(_ string: String)
  init?(coder aDecoder: NSCoder)
  init(string aString: String)
  override func copy() -> Any
  func copy(with zone: NSZone? = nil) -> Any
  override func mutableCopy() -> Any
  func mutableCopy(with zone: NSZone? = nil) -> Any
  func encode(with aCoder: NSCoder)
  init(characters: UnsafePointer<UInt16>, length: Int)
  init(unicodeScalarLiteral value: StaticString)
  init(extendedGraphemeClusterLiteral value: StaticString)
  init(stringLiteral value: StaticString)
  convenience init?(cString nullTerminatedCString: UnsafePointer<Int8>, encoding: UInt)
  func _fastCStringContents(_ nullTerminated: Bool) -> UnsafePointer<Int8>?
  var _fastContents: UnsafePointer<UInt16>? { get }
  var _encodingCantBeStoredInEightBitCFString: Bool { get }
  override var _cfTypeID: UInt { get }
  override func isEqual(_ object: Any?) -> Bool
  override var description: String { get }
  override var hash: Int { get }
}

extension NSString {
  enum EnumerateBy : Sendable {
    case lines
    case paragraphs
    case composedCharacterSequences
  }
}

extension NSString : ExpressibleByStringLiteral {
  typealias ExtendedGraphemeClusterLiteralType = StaticString
  typealias StringLiteralType = StaticString
  typealias UnicodeScalarLiteralType = StaticString
}

class NSMutableString : NSString {
  func replaceCharacters(in range: _NSRange, with aString: String)
  override required init(characters: UnsafePointer<UInt16>, length: Int)
  init(capacity: Int)
  required convenience init?(coder aDecoder: NSCoder)
  required convenience init(unicodeScalarLiteral value: StaticString)
  required convenience init(extendedGraphemeClusterLiteral value: StaticString)
  required init(stringLiteral value: StaticString)
  required init(string aString: String)
  func appendCharacters(_ characters: UnsafePointer<UInt16>, length: Int)
  func _cfAppendCString(_ characters: UnsafePointer<Int8>, length: Int)
  override init(_ string: String)
}

extension NSString : _SwiftBridgeable {
  typealias SwiftType = String
}

extension CFString : _NSBridgeable, _SwiftBridgeable {
  typealias NSType = NSString
  typealias SwiftType = String
}

extension String : _NSBridgeable {
  typealias NSType = NSString
  typealias CFType = CFString
}

extension NSString : _StructTypeBridgeable {
  typealias _StructType = String
}

extension NSString : CVarArg {}

extension String : CVarArg, _CVarArgObject {}

extension String {
  typealias EncodingConversionOptions = NSString.EncodingConversionOptions
  typealias EnumerationOptions = NSString.EnumerationOptions
}

@frozen struct ObjCBool : ExpressibleByBooleanLiteral {
  var _value: Bool
  typealias BooleanLiteralType = Bool
}

extension ObjCBool : CustomReflectable {}

extension ObjCBool : CustomStringConvertible {}

extension __NSCFType : @unchecked Sendable {}

class __NSCFType : NSObject {
  var _cfinfo: _CFInfo
  override init()
  override var hash: Int { get }
  override func isEqual(_ value: Any?) -> Bool
  override var description: String { get }
}

protocol _NSNonfileURLContentLoading : AnyObject, Sendable {
  init()
  func contentsOf(url: URL) throws -> (result: NSData, textEncodingNameIfAvailable: String?)
}

extension _NSCFXMLBridgeForFoundationXMLUseOnly : Sendable {}

struct _NSCFXMLBridgeForFoundationXMLUseOnly {
  let originalBridge: UnsafeMutableRawPointer
  let CFArrayGetCount: UnsafeMutableRawPointer
  let CFArrayGetValueAtIndex: UnsafeMutableRawPointer
  let CFErrorCreate: UnsafeMutableRawPointer
  let CFStringCreateWithCString: UnsafeMutableRawPointer
  let CFStringCreateMutable: UnsafeMutableRawPointer
  let CFStringAppend: UnsafeMutableRawPointer
  let CFStringAppendCString: UnsafeMutableRawPointer
  let CFStringGetLength: UnsafeMutableRawPointer
  let CFStringGetMaximumSizeForEncoding: UnsafeMutableRawPointer
  let CFStringGetCString: UnsafeMutableRawPointer
  let CFDataCreateWithBytesNoCopy: UnsafeMutableRawPointer
  let CFRelease: UnsafeMutableRawPointer
  let CFStringCreateWithBytes: UnsafeMutableRawPointer
  let CFArrayCreateMutable: UnsafeMutableRawPointer
  let CFArrayAppendValue: UnsafeMutableRawPointer
  let CFDataGetLength: UnsafeMutableRawPointer
  let CFDataGetBytePtr: UnsafeMutableRawPointer
  let CFDictionaryCreateMutable: UnsafeMutableRawPointer
  let CFDictionarySetValue: UnsafeMutableRawPointer
  let kCFAllocatorSystemDefault: UnsafeMutableRawPointer
  let kCFAllocatorNull: UnsafeMutableRawPointer
  let kCFCopyStringDictionaryKeyCallBacks: UnsafeMutableRawPointer
  let kCFTypeDictionaryValueCallBacks: UnsafeMutableRawPointer
  let kCFErrorLocalizedDescriptionKey: UnsafeMutableRawPointer
}

extension NSTextCheckingResult {
  struct CheckingType : OptionSet, Sendable {
    let rawValue: UInt64
    typealias ArrayLiteralElement = NSTextCheckingResult.CheckingType
    typealias Element = NSTextCheckingResult.CheckingType
    typealias RawValue = UInt64
  }
}

extension NSTextCheckingResult : @unchecked Sendable {}

class NSTextCheckingResult : NSObject, NSCopying, NSSecureCoding {
  override init()
  class func regularExpressionCheckingResult(ranges: UnsafeMutablePointer<_NSRange>, count: Int, regularExpression: NSRegularExpression) -> NSTextCheckingResult
  init?(coder aDecoder: NSCoder)
  func encode(with aCoder: NSCoder)
  class var supportsSecureCoding: Bool { get }
  override func copy() -> Any
  func copy(with zone: NSZone? = nil) -> Any
  var resultType: NSTextCheckingResult.CheckingType { get }
  var range: _NSRange { get }
  func range(at idx: Int) -> _NSRange
  func range(withName: String) -> _NSRange
  var regularExpression: NSRegularExpression? { get }
  var numberOfRanges: Int { get }
  func encodeRange(with coder: NSCoder)
  func decodeRange(from coder: NSCoder) -> _NSRange
}

struct NSTextCheckingKey : RawRepresentable, Hashable, Sendable {
  var rawValue: String
  typealias RawValue = String
}

extension NSOrthography : @unchecked Sendable {}

class NSOrthography : NSObject, NSCopying, NSSecureCoding {
  class func defaultOrthography(forLanguage: String) -> Self
  init(dominantScript: String, languageMap: [String : [String]])
  func copy(with zone: NSZone?) -> Any
  class var supportsSecureCoding: Bool { get }
  func encode(with aCoder: NSCoder)
  init?(coder aDecoder: NSCoder)
  var languageMap: [String : [String]] { get }
  var dominantLanguage: String { get }
  var dominantScript: String { get }
  func dominantLanguage(forScript: String) -> String?
  func language(forScript: String) -> [String]?
  var alLScripts: [String] { get }
  var allLanguages: [String] { get }
  override init()
}

extension NSTimeZone : @unchecked Sendable {}

class NSTimeZone : NSObject, NSCopying, NSSecureCoding, NSCoding {
  var _timeZone: TimeZone
  init(_timeZone tz: TimeZone)
  convenience init?(name tzName: String)
  init?(name tzName: String, data aData: Data?)
  init?(coder aDecoder: NSCoder)
  override var hash: Int { get }
  override func isEqual(_ object: Any?) -> Bool
  override var description: String { get }
  convenience init(forSecondsFromGMT seconds: Int)
  convenience init?(abbreviation: String)
  func encode(with aCoder: NSCoder)
  override func copy() -> Any
  func copy(with zone: NSZone? = nil) -> Any
  var name: String { get }
  var data: Data { get }
  func secondsFromGMT(for aDate: Date) -> Int
  func abbreviation(for aDate: Date) -> String?
  func isDaylightSavingTime(for aDate: Date) -> Bool
  func daylightSavingTimeOffset(for aDate: Date) -> Double
  func nextDaylightSavingTimeTransition(after aDate: Date) -> Date?
  class var system: TimeZone { get }
  class func resetSystemTimeZone()
  class var `default`: TimeZone { get set }
  class var local: TimeZone { get }
  class var knownTimeZoneNames: [String] { get }
  class var abbreviationDictionary: [String : String] { get set }
  class var timeZoneDataVersion: String { get }
  var secondsFromGMT: Int { get }
  var abbreviation: String? { get }
  var isDaylightSavingTime: Bool { get }
  var daylightSavingTimeOffset: Double { get }
  var nextDaylightSavingTimeTransition: Date? { get }
  func isEqual(to aTimeZone: TimeZone) -> Bool
  func localizedName(_ style: TimeZone.NameStyle, locale: Locale?) -> String?
  override init()
}

extension NSTimeZone {
  typealias NameStyle = TimeZone.NameStyle
}

extension NSTimeZone : _SwiftBridgeable {
  typealias SwiftType = TimeZone
}

extension CFTimeZone : _SwiftBridgeable, _NSBridgeable {
  typealias NSType = NSTimeZone
  typealias SwiftType = TimeZone
}

extension TimeZone : _NSBridgeable {
  typealias NSType = NSTimeZone
  typealias CFType = CFTimeZone
}

extension TimeZone : ReferenceConvertible {
  typealias ReferenceType = NSTimeZone
}

extension TimeZone : _ObjectiveCBridgeable {
  typealias _ObjectiveCType = NSTimeZone
}

class NSURL : NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  typealias CFType = CFURL
  var _base: _CFInfo
  var _flags: UInt32
  var _encoding: UInt32
  var _string: UnsafeMutablePointer<AnyObject>?
  var _baseURL: UnsafeMutablePointer<AnyObject>?
  var _extra: OpaquePointer?
  var _resourceInfo: OpaquePointer?
  var _range1: _NSRange
  var _range2: _NSRange
  var _range3: _NSRange
  var _range4: _NSRange
  var _range5: _NSRange
  var _range6: _NSRange
  var _range7: _NSRange
  var _range8: _NSRange
  var _range9: _NSRange
  var _resourceStorage: URLResourceValuesStorage? { get }
  var _resourceStorageIfPresent: URLResourceValuesStorage? { get }
  override var hash: Int { get }
  override func isEqual(_ object: Any?) -> Bool
  override var description: String { get }
  override func copy() -> Any
  func copy(with zone: NSZone? = nil) -> Any
  init?(coder aDecoder: NSCoder)
  func encode(with aCoder: NSCoder)
  init(fileURLWithPath path: String, isDirectory isDir: Bool, relativeTo baseURL: URL?)
  convenience init(fileURLWithPath path: String, relativeTo baseURL: URL?)
  convenience init(fileURLWithPath path: String, isDirectory isDir: Bool)
  init(fileURLWithPath path: String)
  convenience init(fileURLWithFileSystemRepresentation path: UnsafePointer<Int8>, isDirectory isDir: Bool, relativeTo baseURL: URL?)
  convenience init?(string URLString: String)
  init?(string URLString: String, relativeTo baseURL: URL?)
  init(dataRepresentation data: Data, relativeTo baseURL: URL?)
  init(absoluteURLWithDataRepresentation data: Data, relativeTo baseURL: URL?)
  var dataRepresentation: Data { get }
  var absoluteString: String { get }
  var relativeString: String { get }
  var baseURL: URL? { get }
  var absoluteURL: URL? { get }
  var scheme: String? { get }
  var _isAbsolute: Bool { get }
  var resourceSpecifier: String? { get }
  var host: String? { get }
  var port: NSNumber? { get }
  var user: String? { get }
  var password: String? { get }
  var path: String? { get }
  var fragment: String? { get }
  var parameterString: String? { get }
  var query: String? { get }
  var relativePath: String? { get }
  var hasDirectoryPath: Bool { get }
  func getFileSystemRepresentation(_ buffer: UnsafeMutablePointer<Int8>, maxLength maxBufferLength: Int) -> Bool
  var fileSystemRepresentation: UnsafePointer<Int8> { get }
  var isFileURL: Bool { get }
  var standardized: URL? { get }
  func checkResourceIsReachable() throws -> Bool
  var filePathURL: URL? { get }
  override var _cfTypeID: UInt { get }
  func removeAllCachedResourceValues()
  func removeCachedResourceValue(forKey key: URLResourceKey)
  func getResourceValue(_ value: inout AnyObject?, forKey key: URLResourceKey) throws
  func resourceValues(forKeys keys: [URLResourceKey]) throws -> [URLResourceKey : Any]
  func setResourceValue(_ value: Any?, forKey key: URLResourceKey) throws
  func setResourceValues(_ keyedValues: [URLResourceKey : Any]) throws
  func setTemporaryResourceValue(_ value: Any?, forKey key: URLResourceKey)
  override init()
}

class URLResourceValuesStorage : NSObject {
  final let valuesCacheLock: NSLock
  var valuesCache: [URLResourceKey : Any]
  func removeAllCachedResourceValues()
  func removeCachedResourceValue(forKey key: URLResourceKey)
  func setTemporaryResourceValue(_ value: Any?, forKey key: URLResourceKey)
  func getResourceValue(_ value: inout AnyObject?, forKey key: URLResourceKey, url: NSURL) throws
  func resourceValues(forKeys keys: [URLResourceKey], url: NSURL) throws -> [URLResourceKey : Any]
  func setResourceValue(_ value: Any?, forKey key: URLResourceKey, url: NSURL) throws
  func setResourceValues(_ keyedValues: [URLResourceKey : Any], url: NSURL) throws
  override init()
  init(copying storage: URLResourceValuesStorage)
}

extension NSURL : _SwiftBridgeable {
  typealias SwiftType = URL
}

extension CFURL : _NSBridgeable, _SwiftBridgeable {
  typealias NSType = NSURL
  typealias SwiftType = URL
}

extension URL : _NSBridgeable {
  typealias NSType = NSURL
  typealias CFType = CFURL
}

extension NSURL : _StructTypeBridgeable {
  typealias _StructType = URL
}

extension NSURLComponents : @unchecked Sendable {}

class NSURLComponents : NSObject, NSCopying {
  final let _componentsStorage: AnyObject!
  override func copy() -> Any
  override func isEqual(_ object: Any?) -> Bool
  override var hash: Int { get }
  func copy(with zone: NSZone? = nil) -> Any
  init?(url: URL, resolvingAgainstBaseURL resolve: Bool)
  init?(string URLString: String)
  override init()
  var url: URL? { get }
  func url(relativeTo baseURL: URL?) -> URL?
  var string: String? { get }
  var scheme: String? { get set }
  var user: String? { get set }
  var password: String? { get set }
  var host: String? { get set }
  var port: NSNumber? { get set }
  var path: String? { get set }
  var query: String? { get set }
  var fragment: String? { get set }
  var percentEncodedUser: String? { get set }
  var percentEncodedPassword: String? { get set }
  var percentEncodedHost: String? { get set }
  var percentEncodedPath: String? { get set }
  var percentEncodedQuery: String? { get set }
  var percentEncodedFragment: String? { get set }
  var rangeOfScheme: _NSRange { get }
  var rangeOfUser: _NSRange { get }
  var rangeOfPassword: _NSRange { get }
  var rangeOfHost: _NSRange { get }
  var rangeOfPort: _NSRange { get }
  var rangeOfPath: _NSRange { get }
  var rangeOfQuery: _NSRange { get }
  var rangeOfFragment: _NSRange { get }
  func mapURLQueryItemArrayToCFArrays(array: [URLQueryItem]) -> (names: [AnyObject], values: [AnyObject])
  var queryItems: [URLQueryItem]? { get set }
  var percentEncodedQueryItems: [URLQueryItem]? { get set }
}

extension NSURLComponents : _StructTypeBridgeable {
  typealias _StructType = URLComponents
}

class NSURLQueryItem : NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  final let name: String
  final let value: String?
  init(name: String, value: String?)
  override func copy() -> Any
  func copy(with zone: NSZone? = nil) -> Any
  init?(coder aDecoder: NSCoder)
  func encode(with aCoder: NSCoder)
  override func isEqual(_ object: Any?) -> Bool
  override init()
}

extension NSURLQueryItem : _StructTypeBridgeable {
  typealias _StructType = URLQueryItem
}

class NSUUID : NSObject, NSCopying, NSSecureCoding, NSCoding, @unchecked Sendable {
  var buffer: UnsafeMutablePointer<UInt8>
  override init()
  convenience init?(uuidString string: String)
  init(uuidBytes bytes: UnsafePointer<UInt8>)
  func getBytes(_ uuid: UnsafeMutablePointer<UInt8>)
  var uuidString: String { get }
  override func copy() -> Any
  func copy(with zone: NSZone? = nil) -> Any
  init?(coder: NSCoder)
  func encode(with aCoder: NSCoder)
  override func isEqual(_ value: Any?) -> Bool
  override var hash: Int { get }
  override var description: String { get }
}

extension NSUUID : _StructTypeBridgeable {
  typealias _StructType = UUID
}

class NSValue : NSObject, NSCopying, NSSecureCoding, NSCoding, @unchecked Sendable {
  func getValue(_ value: UnsafeMutableRawPointer)
  var objCType: UnsafePointer<Int8> { get }
  init(bytes value: UnsafeRawPointer, objCType type: UnsafePointer<Int8>)
  init?(coder aDecoder: NSCoder)
  func encode(with aCoder: NSCoder)
  class var supportsSecureCoding: Bool { get }
  override func copy() -> Any
  func copy(with zone: NSZone? = nil) -> Any
  override init()
}

extension NSValue : _Factory {}

protocol _Factory {
  init(factory: @Sendable () -> Self)
}

extension NumberFormatter {
  enum Style : UInt, Sendable {
    case none
    case decimal
    case currency
    case percent
    case scientific
    case spellOut
    case ordinal
    case currencyISOCode
    case currencyPlural
    case currencyAccounting
    typealias RawValue = UInt
  }
  enum PadPosition : UInt, Sendable {
    case beforePrefix
    case afterPrefix
    case beforeSuffix
    case afterSuffix
    typealias RawValue = UInt
  }
  enum RoundingMode : UInt, Sendable {
    case ceiling
    case floor
    case down
    case up
    case halfEven
    case halfDown
    case halfUp
    typealias RawValue = UInt
  }
}

class NumberFormatter : Formatter, @unchecked Sendable {
  final let _lock: Mutex<NumberFormatter.State>
  override init()
  required init?(coder: NSCoder)
  convenience init(state: NumberFormatter.State)
  override func copy(with zone: NSZone? = nil) -> Any
  class func localizedString(from num: NSNumber, number nstyle: NumberFormatter.Style) -> String
  final class State : @unchecked Sendable {
    class Box {
      var formatter: CFNumberFormatter?
      init()
    }
    final var _formatter: NumberFormatter.State.Box
    final var _numberStyle: NumberFormatter.Style
    final var _locale: Locale
    final var _generatesDecimalNumbers: Bool
    final var _textAttributesForNegativeValues: [String : any Sendable]?
    final var _textAttributesForPositiveValues: [String : any Sendable]?
    final var _allowsFloats: Bool
    final var _decimalSeparator: String!
    final var _alwaysShowsDecimalSeparator: Bool
    final var _currencyDecimalSeparator: String!
    final var _usesGroupingSeparator: Bool?
    final var _groupingSeparator: String!
    final var _zeroSymbol: String?
    final var _textAttributesForZero: [String : any Sendable]?
    final var _nilSymbol: String
    final var _textAttributesForNil: [String : any Sendable]?
    final var _notANumberSymbol: String!
    final var _textAttributesForNotANumber: [String : any Sendable]?
    final var _positiveInfinitySymbol: String
    final var _textAttributesForPositiveInfinity: [String : any Sendable]?
    final var _negativeInfinitySymbol: String
    final var _textAttributesForNegativeInfinity: [String : any Sendable]?
    final var _positivePrefix: String!
    final var _positiveSuffix: String!
    final var _negativePrefix: String!
    final var _negativeSuffix: String!
    final var _currencyCode: String!
    final var _currencySymbol: String!
    final var _internationalCurrencySymbol: String!
    final var _percentSymbol: String!
    final var _perMillSymbol: String!
    final var _minusSign: String!
    final var _plusSign: String!
    final var _exponentSymbol: String!
    final var _groupingSize: Int?
    final var _secondaryGroupingSize: Int
    final var _multiplier: NSNumber?
    final var _formatWidth: Int?
    final var _paddingCharacter: String!
    final var _paddingPosition: NumberFormatter.PadPosition
    final var _roundingMode: NumberFormatter.RoundingMode
    final var _roundingIncrement: NSNumber!
    final var _minimumIntegerDigits: Int?
    final var _maximumIntegerDigits: Int?
    final var _minimumFractionDigits: Int?
    final var _maximumFractionDigits: Int?
    final var _minimum: NSNumber?
    final var _maximum: NSNumber?
    final var _currencyGroupingSeparator: String!
    final var _lenient: Bool
    final var _usesSignificantDigits: Bool?
    final var _minimumSignificantDigits: Int?
    final var _maximumSignificantDigits: Int?
    final var _partialStringValidationEnabled: Bool
    final var _hasThousandSeparators: Bool
    final var _thousandSeparator: String!
    final var _localizesFormat: Bool
    final var _positiveFormat: String!
    final var _negativeFormat: String!
    final var _roundingBehavior: NSDecimalNumberHandler
    final var formattingContext: Formatter.Context
    init()
  }
  func string(from number: NSNumber) -> String?
  func number(from string: String) -> NSNumber?
  override func string(for obj: Any) -> String?
  var numberStyle: NumberFormatter.Style { get set }
  var locale: Locale! { get set }
  var generatesDecimalNumbers: Bool { get set }
  var textAttributesForNegativeValues: [String : any Sendable]? { get set }
  var textAttributesForPositiveValues: [String : any Sendable]? { get set }
  var allowsFloats: Bool { get set }
  var decimalSeparator: String! { get set }
  var alwaysShowsDecimalSeparator: Bool { get set }
  var currencyDecimalSeparator: String! { get set }
  var usesGroupingSeparator: Bool { get set }
  var groupingSeparator: String! { get set }
  var zeroSymbol: String? { get set }
  var textAttributesForZero: [String : any Sendable]? { get set }
  var nilSymbol: String { get set }
  var textAttributesForNil: [String : any Sendable]? { get set }
  var notANumberSymbol: String! { get set }
  var textAttributesForNotANumber: [String : any Sendable]? { get set }
  var positiveInfinitySymbol: String { get set }
  var textAttributesForPositiveInfinity: [String : any Sendable]? { get set }
  var negativeInfinitySymbol: String { get set }
  var textAttributesForNegativeInfinity: [String : any Sendable]? { get set }
  var positivePrefix: String! { get set }
  var positiveSuffix: String! { get set }
  var negativePrefix: String! { get set }
  var negativeSuffix: String! { get set }
  var currencyCode: String! { get set }
  var currencySymbol: String! { get set }
  var internationalCurrencySymbol: String! { get set }
  var percentSymbol: String! { get set }
  var perMillSymbol: String! { get set }
  var minusSign: String! { get set }
  var plusSign: String! { get set }
  var exponentSymbol: String! { get set }
  var groupingSize: Int { get set }
  var secondaryGroupingSize: Int { get set }
  var multiplier: NSNumber? { get set }
  var formatWidth: Int { get set }
  var paddingCharacter: String! { get set }
  var paddingPosition: NumberFormatter.PadPosition { get set }
  var roundingMode: NumberFormatter.RoundingMode { get set }
  var roundingIncrement: NSNumber! { get set }
  var minimumIntegerDigits: Int { get set }
  var maximumIntegerDigits: Int { get set }
  var minimumFractionDigits: Int { get set }
  var maximumFractionDigits: Int { get set }
  var minimum: NSNumber? { get set }
  var maximum: NSNumber? { get set }
  var currencyGroupingSeparator: String! { get set }
  var isLenient: Bool { get set }
  var usesSignificantDigits: Bool { get set }
  var minimumSignificantDigits: Int { get set }
  var maximumSignificantDigits: Int { get set }
  var isPartialStringValidationEnabled: Bool { get set }
  var hasThousandSeparators: Bool { get set }
  var thousandSeparator: String! { get set }
  var localizesFormat: Bool { get set }
  var format: String { get set }
  var positiveFormat: String! { get set }
  var negativeFormat: String! { get set }
  var roundingBehavior: NSDecimalNumberHandler { get set }
}

class Operation : NSObject, @unchecked Sendable {
  struct PointerHashedUnmanagedBox<T> : Hashable where T : AnyObject {
    var contents: Unmanaged<T>
  }
  enum __NSOperationState : UInt8, Sendable {
    case initialized
    case enqueuing
    case enqueued
    case dispatching
    case starting
    case executing
    case finishing
    case finished
    typealias RawValue = UInt8
  }
  var __previousOperation: Unmanaged<Operation>?
  var __nextOperation: Unmanaged<Operation>?
  var __nextPriorityOperation: Unmanaged<Operation>?
  var __queue: Unmanaged<OperationQueue>?
  var __dependencies: [Operation]
  var __downDependencies: Set<Operation.PointerHashedUnmanagedBox<Operation>>
  var __unfinishedDependencyCount: Int
  var __completion: (@Sendable () -> ())?
  var __name: String?
  var __schedule: DispatchWorkItem?
  var __state: Operation.__NSOperationState
  var __priorityValue: Int?
  var __cachedIsReady: Bool
  var __isCancelled: Bool
  var __propertyQoS: QualityOfService?
  var __waitCondition: NSCondition
  var __lock: NSLock
  var __atomicLoad: NSLock
  var _state: Operation.__NSOperationState { get set }
  func _compareAndSwapState(_ old: Operation.__NSOperationState, _ new: Operation.__NSOperationState) -> Bool
  func _lock()
  func _unlock()
  var _queue: OperationQueue? { get }
  func _adopt(queue: OperationQueue, schedule: DispatchWorkItem)
  var _isCancelled: Bool { get }
  var _unfinishedDependencyCount: Int { get }
  func _incrementUnfinishedDependencyCount(by amount: Int = 1)
  func _decrementUnfinishedDependencyCount(by amount: Int = 1)
  func _addParent(_ parent: Operation)
  func _removeParent(_ parent: Operation)
  var _cachedIsReady: Bool { get set }
  func _fetchCachedIsReady(_ retest: inout Bool) -> Bool
  func _invalidateQueue()
  func _removeAllDependencies()
  override init()
  func start()
  func main()
  var isCancelled: Bool { get }
  func cancel()
  var isExecuting: Bool { get }
  var isFinished: Bool { get }
  var isAsynchronous: Bool { get }
  var isReady: Bool { get }
  func _addDependency(_ op: Operation)
  func addDependency(_ op: Operation)
  func removeDependency(_ op: Operation)
  var dependencies: [Operation] { get }
  func changePriority(_ newPri: Int)
  var queuePriority: Operation.QueuePriority { get set }
  var completionBlock: (@Sendable () -> ())? { get set }
  func waitUntilFinished()
  var qualityOfService: QualityOfService { get set }
  var name: String? { get set }
}

extension Operation {
  enum QueuePriority : Int, Sendable {
    case veryLow
    case low
    case normal
    case high
    case veryHigh
    typealias RawValue = Int
  }
}

class BlockOperation : Operation, @unchecked Sendable {
  var _block: (@Sendable () -> ())?
  var _executionBlocks: [@Sendable () -> ()]?
  override init()
  convenience init(block: @escaping @Sendable () -> ())
  func addExecutionBlock(_ block: @escaping @Sendable () -> ())
  var executionBlocks: [@Sendable () -> ()] { get }
  override func main()
}

final class _BarrierOperation : Operation, @unchecked Sendable {
  final var _block: (() -> ())?
  init(_ block: @escaping () -> ())
  override init()
}

final class _OperationQueueProgress : Progress, @unchecked Sendable {
  final var queue: Unmanaged<OperationQueue>?
  final let lock: NSLock
  init(_ queue: OperationQueue)
  override init(parent parentProgress: Progress?, userInfo userInfoOrNil: [ProgressUserInfoKey : Any]? = nil)
}

class OperationQueue : NSObject, ProgressReporting, @unchecked Sendable {
  final let __queueLock: NSLock
  final let __atomicLoad: NSLock
  var __firstOperation: Unmanaged<Operation>?
  var __lastOperation: Unmanaged<Operation>?
  var __firstPriorityOperation: (barrier: Unmanaged<Operation>?, veryHigh: Unmanaged<Operation>?, high: Unmanaged<Operation>?, normal: Unmanaged<Operation>?, low: Unmanaged<Operation>?, veryLow: Unmanaged<Operation>?)
  var __lastPriorityOperation: (barrier: Unmanaged<Operation>?, veryHigh: Unmanaged<Operation>?, high: Unmanaged<Operation>?, normal: Unmanaged<Operation>?, low: Unmanaged<Operation>?, veryLow: Unmanaged<Operation>?)
  var _barriers: [_BarrierOperation]
  var _progress: _OperationQueueProgress?
  var __operationCount: Int
  var __maxNumOps: Int
  var __actualMaxNumOps: Int32
  var __numExecOps: Int32
  var __dispatch_queue: DispatchQueue?
  var __backingQueue: DispatchQueue?
  var __name: String?
  var __suspended: Bool
  var __overcommit: Bool
  var __propertyQoS: QualityOfService?
  var __mainQ: Bool
  var __progressReporting: Bool
  func _lock()
  func _unlock()
  var _suspended: Bool { get }
  func _incrementExecutingOperations()
  func _decrementExecutingOperations()
  func _incrementOperationCount(by amount: Int = 1)
  func _decrementOperationCount(by amount: Int = 1)
  func _firstPriorityOperation(_ prio: Int?) -> Unmanaged<Operation>?
  func _setFirstPriorityOperation(_ prio: Int, _ operation: Unmanaged<Operation>?)
  func _lastPriorityOperation(_ prio: Int?) -> Unmanaged<Operation>?
  func _setlastPriorityOperation(_ prio: Int, _ operation: Unmanaged<Operation>?)
  func _operationFinished(_ op: Operation, _ previousState: Operation.__NSOperationState)
  var _propertyQoS: QualityOfService? { get set }
  func _synthesizeBackingQueue() -> DispatchQueue
  nonisolated(unsafe) static var _currentQueue: NSThreadSpecific<OperationQueue>
  func _schedule(_ op: Operation)
  func _schedule()
  var _isReportingProgress: Bool { get }
  func _execute(_ op: Operation)
  var _maxNumOps: Int { get set }
  var _isSuspended: Bool { get set }
  var _operationCount: Int { get }
  func _operations(includingBarriers: Bool = false) -> [Operation]
  override init()
  init(asMainQueue: ())
  var progress: Progress { get }
  func _addOperations(_ ops: [Operation], barrier: Bool = false)
  func addOperation(_ op: Operation)
  func addOperations(_ ops: [Operation], waitUntilFinished wait: Bool)
  func addOperation(_ block: @escaping @Sendable () -> ())
  func addBarrierBlock(_ barrier: @escaping @Sendable () -> ())
  var maxConcurrentOperationCount: Int { get set }
  var isSuspended: Bool { get set }
  var name: String? { get set }
  var qualityOfService: QualityOfService { get set }
  unowned(unsafe) var underlyingQueue: @sil_unmanaged DispatchQueue? { get set }
  func cancelAllOperations()
  func waitUntilAllOperationsAreFinished()
  class var current: OperationQueue? { get }
  class var main: OperationQueue { get }
}

struct PersonNameComponents : ReferenceConvertible, Hashable, Equatable, Sendable {
  typealias ReferenceType = NSPersonNameComponents
  var namePrefix: String?
  var givenName: String?
  var middleName: String?
  var familyName: String?
  var nameSuffix: String?
  var nickname: String?
  var _phoneticRepresentation: PhoneticRepresentation
}

enum PhoneticRepresentation : Hashable, Equatable {
  indirect case wrapped(PersonNameComponents)
  case none
}

extension PersonNameComponents : CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension PersonNameComponents : _ObjectiveCBridgeable {
  typealias _ObjectiveCType = NSPersonNameComponents
}

extension NSPersonNameComponents : _HasCustomAnyHashableRepresentation {}

extension PersonNameComponents : Decodable & Encodable {
  enum CodingKeys : Int, CodingKey {
    case namePrefix
    case givenName
    case middleName
    case familyName
    case nameSuffix
    case nickname
    typealias RawValue = Int
  }
}

extension PersonNameComponentsFormatter {
  enum Style : Int, Sendable {
    case `default`
    case short
    case medium
    case long
    case abbreviated
    typealias RawValue = Int
  }
  struct Options : OptionSet, Sendable {
    let rawValue: UInt
    typealias ArrayLiteralElement = PersonNameComponentsFormatter.Options
    typealias Element = PersonNameComponentsFormatter.Options
    typealias RawValue = UInt
  }
}

class PersonNameComponentsFormatter : Formatter, @unchecked Sendable {
  required init?(coder: NSCoder)
  var style: PersonNameComponentsFormatter.Style
  var isPhonetic: Bool
  class func localizedString(from components: PersonNameComponents, style nameFormatStyle: PersonNameComponentsFormatter.Style, options nameOptions: PersonNameComponentsFormatter.Options = []) -> String
  func string(from components: PersonNameComponents) -> String
  func annotatedString(from components: PersonNameComponents) -> NSAttributedString
  func personNameComponents(from string: String) -> PersonNameComponents?
  override init()
}

class Port : NSObject, NSCopying {
  override init()
  func copy(with zone: NSZone? = nil) -> Any
  func invalidate()
  var isValid: Bool { get }
  func setDelegate(_ anObject: (any PortDelegate)?)
  func delegate() -> (any PortDelegate)?
  func schedule(in runLoop: RunLoop, forMode mode: RunLoop.Mode)
  func remove(from runLoop: RunLoop, forMode mode: RunLoop.Mode)
  var reservedSpaceLength: Int { get }
  func send(before limitDate: Date, components: NSMutableArray?, from receivePort: Port?, reserved headerSpaceReserved: Int) -> Bool
  func send(before limitDate: Date, msgid msgID: Int, components: NSMutableArray?, from receivePort: Port?, reserved headerSpaceReserved: Int) -> Bool
}

class MessagePort : Port {
  override init()
}

class NSMachPort : Port {
  override init()
}

extension MessagePort : @unchecked Sendable {}

extension NSMachPort : @unchecked Sendable {}

protocol PortDelegate : AnyObject {
  func handle(_ message: PortMessage)
}

enum LocalAddress : Hashable {
  case ipv4(sockaddr_in)
  case ipv6(sockaddr_in6)
  case other(Data)
}

extension SocketPort : @unchecked Sendable {}

extension CFSocket : @unchecked Sendable {}

class SocketPort : Port {
  struct SocketKind : Hashable {
    var protocolFamily: Int32
    var socketType: Int32
    var `protocol`: Int32
  }
  struct Signature : Hashable {
    var address: LocalAddress
    var protocolFamily: Int32
    var socketType: Int32
    var `protocol`: Int32
  }
  class Core : @unchecked Sendable {
    final let isUniqued: Bool
    var signature: SocketPort.Signature!
    final let lock: NSLock
    var connectors: [SocketPort.Signature : CFSocket]
    var loops: [ObjectIdentifier : (runLoop: CFRunLoop, modes: Set<RunLoop.Mode>)]
    var receiver: CFSocket?
    var data: [ObjectIdentifier : Data]
    init(isUniqued: Bool)
  }
  var core: SocketPort.Core!
  override convenience init()
  convenience init?(tcpPort port: UInt16)
  init?(protocolFamily family: Int32, socketType type: Int32, protocol: Int32, address: Data)
  init?(protocolFamily family: Int32, socketType type: Int32, protocol: Int32, socket sock: Int32)
  convenience init?(remoteWithTCPPort port: UInt16, host hostName: String?)
  init(remoteWithProtocolFamily family: Int32, socketType type: Int32, protocol: Int32, address: Data)
  init(remoteWithSignature signature: SocketPort.Signature)
  override func invalidate()
  override var isValid: Bool { get }
  weak var _delegate: @sil_weak (any PortDelegate)?
  override func setDelegate(_ anObject: (any PortDelegate)?)
  override func delegate() -> (any PortDelegate)?
  var protocolFamily: Int32 { get }
  var socketType: Int32 { get }
  var `protocol`: Int32 { get }
  var address: Data { get }
  var socket: Int32 { get }
  override func schedule(in runLoop: RunLoop, forMode mode: RunLoop.Mode)
  override func remove(from runLoop: RunLoop, forMode mode: RunLoop.Mode)
  override var hash: Int { get }
  override func isEqual(_ object: Any?) -> Bool
  enum ComponentType : UInt32 {
    case data
    case port
    typealias RawValue = UInt32
  }
  enum Structure {}
  override func send(before limitDate: Date, components: NSMutableArray?, from receivePort: Port?, reserved headerSpaceReserved: Int) -> Bool
  override func send(before limitDate: Date, msgid msgID: Int, components: NSMutableArray?, from receivePort: Port?, reserved headerSpaceReserved: Int) -> Bool
}

extension PortMessage : @unchecked Sendable {}

class PortMessage : NSObject, NSCopying {
  init(sendPort: Port?, receivePort replyPort: Port?, components: [AnyObject]?)
  var msgid: UInt32
  private(set) var components: [AnyObject]?
  private(set) var receivePort: Port?
  private(set) var sendPort: Port?
  func send(before date: Date) -> Bool
  func copy(with zone: NSZone?) -> Any
  override init()
}

extension Process {
  enum TerminationReason : Int, Sendable {
    case exit
    case uncaughtSignal
    typealias RawValue = Int
  }
}

class Process : NSObject, @unchecked Sendable {
  override init()
  var _executable: URL?
  var executableURL: URL? { get set }
  var _currentDirectoryPath: String
  var currentDirectoryURL: URL? { get set }
  var arguments: [String]?
  var environment: [String : String]?
  var launchPath: String? { get set }
  var currentDirectoryPath: String { get set }
  var standardInput: Any?
  var standardOutput: Any?
  var standardError: Any?
  class NonexportedCFRunLoopSourceContextStorage {
    var value: CFRunLoopSourceContext?
    init()
  }
  class NonexportedCFRunLoopSourceStorage {
    var value: CFRunLoopSource?
    init()
  }
  var _runLoopSourceContextStorage: Process.NonexportedCFRunLoopSourceContextStorage
  var _runLoopSourceStorage: Process.NonexportedCFRunLoopSourceStorage
  weak var runLoop: @sil_weak RunLoop?
  var processLaunchedCondition: NSCondition
  func launch()
  func run() throws
  func interrupt()
  func terminate()
  var suspendCount: Int
  func suspend() -> Bool
  func resume() -> Bool
  private(set) var processIdentifier: Int32
  private(set) var isRunning: Bool
  var hasStarted: Bool { get }
  var hasFinished: Bool { get }
  var _terminationStatus: Int32
  var terminationStatus: Int32 { get }
  var _terminationReason: Process.TerminationReason
  var terminationReason: Process.TerminationReason { get }
  var terminationHandler: (@Sendable (Process) -> ())?
  var qualityOfService: QualityOfService
  class func run(_ url: URL, arguments: [String], terminationHandler: (@Sendable (Process) -> ())? = nil) throws -> Process
  class func launchedProcess(launchPath path: String, arguments: [String]) -> Process
  func waitUntilExit()
  func terminateRunLoop()
}

class Progress : NSObject, @unchecked Sendable {
  weak var _parent: @sil_weak Progress?
  var _children: Set<Progress>
  var _selfFraction: _ProgressFraction
  var _childFraction: _ProgressFraction
  var _userInfo: [ProgressUserInfoKey : Any]
  var _portionOfParent: Int64
  class func current() -> Progress?
  convenience init(totalUnitCount unitCount: Int64)
  class func discreteProgress(totalUnitCount unitCount: Int64) -> Progress
  convenience init(totalUnitCount unitCount: Int64, parent: Progress, pendingUnitCount portionOfParentTotalUnitCount: Int64)
  init(parent parentProgress: Progress?, userInfo userInfoOrNil: [ProgressUserInfoKey : Any]? = nil)
  func _addImplicitChild(_ child: Progress)
  func becomeCurrent(withPendingUnitCount unitCount: Int64)
  func resignCurrent()
  func addChild(_ child: Progress, withPendingUnitCount inUnitCount: Int64)
  func _setParent(_ parent: Progress, portion: Int64)
  var totalUnitCount: Int64 { get set }
  var completedUnitCount: Int64 { get set }
  var localizedDescription: String! { get }
  var localizedAdditionalDescription: String! { get }
  var isCancellable: Bool
  var isPausable: Bool
  var isCancelled: Bool
  var isPaused: Bool
  var cancellationHandler: (@Sendable () -> ())?
  var pausingHandler: (@Sendable () -> ())?
  var resumingHandler: (@Sendable () -> ())?
  var isIndeterminate: Bool { get }
  var isFinished: Bool { get }
  var fractionCompleted: Double { get }
  func cancel()
  func pause()
  func resume()
  func setUserInfoObject(_ objectOrNil: Any?, forKey key: ProgressUserInfoKey)
  var userInfo: [ProgressUserInfoKey : Any] { get }
  var kind: ProgressKind?
  struct FileOperationKind : RawRepresentable, Equatable, Hashable, Sendable {
    let rawValue: String
    typealias RawValue = String
  }
  var _overallFraction: _ProgressFraction { get }
  func _addCompletedUnitCount(_ unitCount: Int64)
  func _updateFractionCompleted(from: _ProgressFraction, to: _ProgressFraction)
  func _updateChild(_ child: Progress, from previous: _ProgressFraction, to next: _ProgressFraction, portion: Int64)
  override init()
}

protocol ProgressReporting : NSObjectProtocol {
  var progress: Progress { get }
}

struct ProgressKind : RawRepresentable, Equatable, Hashable, Sendable {
  let rawValue: String
  typealias RawValue = String
}

struct ProgressUserInfoKey : RawRepresentable, Equatable, Hashable, Sendable {
  let rawValue: String
  typealias RawValue = String
}

struct _ProgressFraction : Equatable, CustomDebugStringConvertible {
  var completed: Int64
  var total: Int64
  private(set) var overflowed: Bool
}

extension PropertyListSerialization {
  struct MutabilityOptions : OptionSet, Sendable {
    let rawValue: UInt
    typealias ArrayLiteralElement = PropertyListSerialization.MutabilityOptions
    typealias Element = PropertyListSerialization.MutabilityOptions
    typealias RawValue = UInt
  }
  typealias PropertyListFormat = PropertyListDecoder.PropertyListFormat
  typealias ReadOptions = PropertyListSerialization.MutabilityOptions
  typealias WriteOptions = Int
}

extension PropertyListSerialization : @unchecked Sendable {}

class PropertyListSerialization : NSObject {
  class func propertyList(_ plist: Any, isValidFor format: PropertyListDecoder.PropertyListFormat) -> Bool
  class func data(fromPropertyList plist: Any, format: PropertyListDecoder.PropertyListFormat, options opt: Int) throws -> Data
  class func propertyList(from data: Data, options opt: PropertyListSerialization.MutabilityOptions = [], format: UnsafeMutablePointer<PropertyListDecoder.PropertyListFormat>?) throws -> Any
  class func propertyList(with stream: InputStream, options opt: PropertyListSerialization.MutabilityOptions = [], format: UnsafeMutablePointer<PropertyListDecoder.PropertyListFormat>?) throws -> Any
  override init()
}

protocol ReferenceConvertible : CustomDebugStringConvertible, CustomStringConvertible, Hashable {
  associatedtype ReferenceType : NSObject, NSCopying
}

extension RunLoop {
  struct Mode : RawRepresentable, Equatable, Hashable, Sendable {
    let rawValue: String
    typealias RawValue = String
  }
}

extension RunLoop : @unchecked Sendable {}

class RunLoop : NSObject {
  var _cfRunLoopStorage: AnyObject!
  nonisolated(unsafe) static var _mainRunLoop: RunLoop
  init(cfObject: CFRunLoop)
  class var current: RunLoop { get }
  class var main: RunLoop { get }
  var currentMode: RunLoop.Mode? { get }
  var currentCFRunLoop: CFRunLoop { get }
  func getCFRunLoop() -> CFRunLoop
  func add(_ timer: Timer, forMode mode: RunLoop.Mode)
  final let monitoredPortsWithModesLock: NSLock
  var monitoredPortsWithModes: [Port : Set<RunLoop.Mode>]
  var monitoredPortObservers: [Port : any NSObjectProtocol]
  func add(_ aPort: Port, forMode mode: RunLoop.Mode)
  func portDidInvalidate(_ aPort: Port)
  func remove(_ aPort: Port, forMode mode: RunLoop.Mode)
  func limitDate(forMode mode: RunLoop.Mode) -> Date?
  func acceptInput(forMode mode: String, before limitDate: Date)
  override init()
}

extension RunLoop._Observer : Sendable {}

extension RunLoop._Source : Sendable {}

extension RunLoop {
  enum _Activity : UInt, Sendable {
    case entry
    case beforeTimers
    case beforeSources
    case beforeWaiting
    case afterWaiting
    case exit
    typealias RawValue = UInt
  }
  struct _Activities : OptionSet, Sendable {
    var rawValue: UInt
    typealias ArrayLiteralElement = RunLoop._Activities
    typealias Element = RunLoop._Activities
    typealias RawValue = UInt
  }
  class _Observer {
    final let _cfObserverStorage: AnyObject
    var cfObserver: CFRunLoopObserver { get }
    init(activities: RunLoop._Activities, repeats: Bool, order: Int, handler: @escaping (RunLoop._Activity) -> ())
    func invalidate()
    var order: Int { get }
    var isValid: Bool { get }
  }
  class _Source : NSObject {
    var _cfSourceStorage: AnyObject!
    init(order: Int = 0)
    func didSchedule(in mode: RunLoop.Mode)
    func didCancel(in mode: RunLoop.Mode)
    func perform()
    func invalidate()
    var order: Int { get }
    var isValid: Bool { get }
    func signal()
    override init()
  }
}

extension Scanner : @unchecked Sendable {}

class Scanner : NSObject, NSCopying {
  var _scanString: String
  var _skipSet: CharacterSet?
  var _invertedSkipSet: CharacterSet?
  var _scanLocation: Int
  override func copy() -> Any
  func copy(with zone: NSZone? = nil) -> Any
  var string: String { get }
  var scanLocation: Int { get set }
  var charactersToBeSkipped: CharacterSet? { get set }
  var invertedSkipSet: CharacterSet? { get }
  var caseSensitive: Bool
  var locale: Any?
  init(string: String)
  func scanInt32(_ result: UnsafeMutablePointer<Int32>) -> Bool
  func scanInt(_ result: UnsafeMutablePointer<Int>) -> Bool
  func scanInt64(_ result: UnsafeMutablePointer<Int64>) -> Bool
  func scanUnsignedLongLong(_ result: UnsafeMutablePointer<UInt64>) -> Bool
  func scanFloat(_ result: UnsafeMutablePointer<Float>) -> Bool
  func scanDouble(_ result: UnsafeMutablePointer<Double>) -> Bool
  func scanHexInt32(_ result: UnsafeMutablePointer<UInt32>) -> Bool
  func scanHexInt64(_ result: UnsafeMutablePointer<UInt64>) -> Bool
  func scanHexFloat(_ result: UnsafeMutablePointer<Float>) -> Bool
  func scanHexDouble(_ result: UnsafeMutablePointer<Double>) -> Bool
  var isAtEnd: Bool { get }
  class func localizedScanner(with string: String) -> Any
  override init()
}

extension Scanner {
  enum NumberRepresentation : Sendable {
    case decimal
    case hexadecimal
  }
}

extension Set : _ObjectiveCBridgeable {
  typealias _ObjectType = NSSet
  typealias _ObjectiveCType = NSSet
}

extension Stream {
  struct PropertyKey : RawRepresentable, Equatable, Hashable, Sendable {
    let rawValue: String
    typealias RawValue = String
  }
  enum Status : UInt, Sendable {
    case notOpen
    case opening
    case open
    case reading
    case writing
    case atEnd
    case closed
    case error
    typealias RawValue = UInt
  }
  struct Event : OptionSet, Sendable {
    let rawValue: UInt
    typealias ArrayLiteralElement = Stream.Event
    typealias Element = Stream.Event
    typealias RawValue = UInt
  }
}

class Stream : NSObject {
  override init()
  func open()
  func close()
  weak var delegate: @sil_weak (any StreamDelegate)?
  func property(forKey key: Stream.PropertyKey) -> AnyObject?
  func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool
  func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode)
  func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode)
  var streamStatus: Stream.Status { get }
  var streamError: (any Error)? { get }
}

extension InputStream : @unchecked Sendable {}

class InputStream : Stream {
  enum _Error : Error {
    case cantSeekInputStream
  }
  final let _streamStorage: AnyObject!
  func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int
  func getBuffer(_ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, length len: UnsafeMutablePointer<Int>) -> Bool
  var hasBytesAvailable: Bool { get }
  init(data: Data)
  init?(url: URL)
  convenience init?(fileAtPath path: String)
  override func open()
  override func close()
  override var streamStatus: Stream.Status { get }
  override var streamError: (any Error)? { get }
  override func property(forKey key: Stream.PropertyKey) -> AnyObject?
  override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool
  override func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode)
  override func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode)
  override init()
}

extension OutputStream : @unchecked Sendable {}

class OutputStream : Stream {
  final let _streamStorage: AnyObject!
  func write(_ buffer: UnsafePointer<UInt8>, maxLength len: Int) -> Int
  var hasSpaceAvailable: Bool { get }
  init(toMemory: ())
  init(toBuffer buffer: UnsafeMutablePointer<UInt8>, capacity: Int)
  init?(url: URL, append shouldAppend: Bool)
  convenience init?(toFileAtPath path: String, append shouldAppend: Bool)
  override func open()
  override func close()
  override var streamStatus: Stream.Status { get }
  class func toMemory() -> Self
  override func property(forKey key: Stream.PropertyKey) -> AnyObject?
  override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool
  override var streamError: (any Error)? { get }
  override func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode)
  override func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode)
  override init()
}

extension _InputStreamSPIForFoundationNetworkingUseOnly : Sendable {}

struct _InputStreamSPIForFoundationNetworkingUseOnly {
  var inputStream: InputStream
}

protocol StreamDelegate : AnyObject {
  func stream(_ aStream: Stream, handle eventCode: Stream.Event)
}

struct StreamSocketSecurityLevel : RawRepresentable, Equatable, Hashable, Sendable {
  let rawValue: String
  typealias RawValue = String
}

struct StreamSOCKSProxyConfiguration : RawRepresentable, Equatable, Hashable, Sendable {
  let rawValue: String
  typealias RawValue = String
}

struct StreamSOCKSProxyVersion : RawRepresentable, Equatable, Hashable, Sendable {
  let rawValue: String
  typealias RawValue = String
}

struct StreamNetworkServiceTypeValue : RawRepresentable, Equatable, Hashable, Sendable {
  let rawValue: String
  typealias RawValue = String
}

extension String : _ObjectiveCBridgeable {
  typealias _ObjectType = NSString
  typealias _ObjectiveCType = NSString
}

extension Substring : _ObjectiveCBridgeable {
  typealias _ObjectiveCType = NSString
}

class NSThreadSpecific<T> where T : NSObject {
  var key: UInt32
  func get(_ generator: () -> T) -> T
  var current: T? { get }
  func set(_ value: T)
  func clear()
  init()
}

enum _NSThreadStatus : Sendable {
  case initialized
  case starting
  case executing
  case finished
}

extension Thread : @unchecked Sendable {}

class Thread : NSObject {
  nonisolated(unsafe) static var _currentThread: NSThreadSpecific<Thread>
  class var current: Thread { get }
  class var isMainThread: Bool { get }
  nonisolated(unsafe) static let _mainThread: Thread
  class var mainThread: Thread { get }
  class func detachNewThread(_ block: @escaping @Sendable () -> ())
  class func isMultiThreaded() -> Bool
  class func sleep(until date: Date)
  class func sleep(forTimeInterval interval: Double)
  class func exit()
  var _main: () -> ()
  var _thread: UInt?
  var _attr: pthread_attr_t
  var _status: _NSThreadStatus
  var _cancelled: Bool
  var qualityOfService: QualityOfService
  private(set) var threadDictionary: NSMutableDictionary
  init(thread: UInt)
  override init()
  convenience init(block: @escaping @Sendable () -> ())
  func start()
  func main()
  var name: String? { get set }
  var _name: String? { get }
  var stackSize: Int { get set }
  var isExecuting: Bool { get }
  var isFinished: Bool { get }
  var isCancelled: Bool { get }
  var isMainThread: Bool { get }
  func cancel()
  class func backtraceAddresses<T>(_ body: (UnsafeMutablePointer<UnsafeMutableRawPointer?>, Int) -> [T]) -> [T]
  class var callStackReturnAddresses: [NSNumber] { get }
  class var callStackSymbols: [String] { get }
}

extension Timer : @unchecked Sendable {}

class Timer : NSObject {
  var _timerStorage: AnyObject?
  var _fire: @Sendable (Timer) -> ()
  init(fire date: Date, interval: Double, repeats: Bool, block: @escaping @Sendable (Timer) -> ())
  convenience init(timeInterval interval: Double, repeats: Bool, block: @escaping @Sendable (Timer) -> ())
  class func scheduledTimer(withTimeInterval interval: Double, repeats: Bool, block: @escaping @Sendable (Timer) -> ()) -> Timer
  func fire()
  var fireDate: Date { get set }
  var timeInterval: Double { get }
  var tolerance: Double { get set }
  func invalidate()
  var isValid: Bool { get }
  var userInfo: Any? { get }
  override init()
}

class UnitConverter : NSObject, @unchecked Sendable {
  func baseUnitValue(fromValue value: Double) -> Double
  func value(fromBaseUnitValue baseUnitValue: Double) -> Double
  override init()
}

class UnitConverterLinear : UnitConverter, NSSecureCoding, @unchecked Sendable {
  private(set) var coefficient: Double
  private(set) var constant: Double
  convenience init(coefficient: Double)
  init(coefficient: Double, constant: Double)
  override func baseUnitValue(fromValue value: Double) -> Double
  override func value(fromBaseUnitValue baseUnitValue: Double) -> Double
  init?(coder aDecoder: NSCoder)
  func encode(with aCoder: NSCoder)
  override func isEqual(_ object: Any?) -> Bool
  override init()
}

class Unit : NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  final let symbol: String
  init(symbol: String)
  func copy(with zone: NSZone?) -> Any
  init?(coder aDecoder: NSCoder)
  func encode(with aCoder: NSCoder)
  override func isEqual(_ object: Any?) -> Bool
  override init()
}

class Dimension : Unit, @unchecked Sendable {
  final let converter: UnitConverter
  init(symbol: String, converter: UnitConverter)
  class func baseUnit() -> Self
  required init?(coder aDecoder: NSCoder)
  required init(symbol: String)
  override func encode(with aCoder: NSCoder)
  override func isEqual(_ object: Any?) -> Bool
}

final class UnitAcceleration : Dimension, @unchecked Sendable {
  struct Symbol {}
  struct Coefficient {}
  convenience init(symbol: String, coefficient: Double)
  required init(symbol: String, converter: UnitConverter)
  required init?(coder aDecoder: NSCoder)
  required init(symbol: String)
}

final class UnitAngle : Dimension, @unchecked Sendable {
  struct Symbol {}
  struct Coefficient {}
  convenience init(symbol: String, coefficient: Double)
  required init(symbol: String, converter: UnitConverter)
  required init?(coder aDecoder: NSCoder)
  required init(symbol: String)
}

final class UnitArea : Dimension, @unchecked Sendable {
  struct Symbol {}
  struct Coefficient {}
  convenience init(symbol: String, coefficient: Double)
  required init(symbol: String, converter: UnitConverter)
  required init?(coder aDecoder: NSCoder)
  required init(symbol: String)
}

final class UnitConcentrationMass : Dimension, @unchecked Sendable {
  struct Symbol {}
  struct Coefficient {}
  convenience init(symbol: String, coefficient: Double)
  required init(symbol: String, converter: UnitConverter)
  required init?(coder aDecoder: NSCoder)
  required init(symbol: String)
}

final class UnitDispersion : Dimension, @unchecked Sendable {
  struct Symbol {}
  struct Coefficient {}
  convenience init(symbol: String, coefficient: Double)
  required init(symbol: String, converter: UnitConverter)
  required init?(coder aDecoder: NSCoder)
  required init(symbol: String)
}

final class UnitDuration : Dimension, @unchecked Sendable {
  struct Symbol {}
  struct Coefficient {}
  convenience init(symbol: String, coefficient: Double)
  required init(symbol: String, converter: UnitConverter)
  required init?(coder aDecoder: NSCoder)
  required init(symbol: String)
}

final class UnitElectricCharge : Dimension, @unchecked Sendable {
  struct Symbol {}
  struct Coefficient {}
  convenience init(symbol: String, coefficient: Double)
  required init(symbol: String, converter: UnitConverter)
  required init?(coder aDecoder: NSCoder)
  required init(symbol: String)
}

final class UnitElectricCurrent : Dimension, @unchecked Sendable {
  struct Symbol {}
  struct Coefficient {}
  convenience init(symbol: String, coefficient: Double)
  required init(symbol: String, converter: UnitConverter)
  required init?(coder aDecoder: NSCoder)
  required init(symbol: String)
}

final class UnitElectricPotentialDifference : Dimension, @unchecked Sendable {
  struct Symbol {}
  struct Coefficient {}
  convenience init(symbol: String, coefficient: Double)
  required init(symbol: String, converter: UnitConverter)
  required init?(coder aDecoder: NSCoder)
  required init(symbol: String)
}

final class UnitElectricResistance : Dimension, @unchecked Sendable {
  struct Symbol {}
  struct Coefficient {}
  convenience init(symbol: String, coefficient: Double)
  required init(symbol: String, converter: UnitConverter)
  required init?(coder aDecoder: NSCoder)
  required init(symbol: String)
}

final class UnitEnergy : Dimension, @unchecked Sendable {
  struct Symbol {}
  struct Coefficient {}
  convenience init(symbol: String, coefficient: Double)
  required init(symbol: String, converter: UnitConverter)
  required init?(coder aDecoder: NSCoder)
  required init(symbol: String)
}

final class UnitFrequency : Dimension, @unchecked Sendable {
  struct Symbol {}
  struct Coefficient {}
  convenience init(symbol: String, coefficient: Double)
  required init(symbol: String, converter: UnitConverter)
  required init?(coder aDecoder: NSCoder)
  required init(symbol: String)
}

final class UnitFuelEfficiency : Dimension, @unchecked Sendable {
  struct Symbol {}
  struct Coefficient {}
  convenience init(symbol: String, reciprocal: Double)
  required init(symbol: String, converter: UnitConverter)
  required init?(coder aDecoder: NSCoder)
  required init(symbol: String)
}

final class UnitLength : Dimension, @unchecked Sendable {
  struct Symbol {}
  struct Coefficient {}
  convenience init(symbol: String, coefficient: Double)
  required init(symbol: String, converter: UnitConverter)
  required init?(coder aDecoder: NSCoder)
  required init(symbol: String)
}

final class UnitIlluminance : Dimension, @unchecked Sendable {
  struct Symbol {}
  struct Coefficient {}
  convenience init(symbol: String, coefficient: Double)
  required init(symbol: String, converter: UnitConverter)
  required init?(coder aDecoder: NSCoder)
  required init(symbol: String)
}

final class UnitInformationStorage : Dimension, @unchecked Sendable {
  struct Symbol {}
  struct Coefficient {}
  convenience init(symbol: String, coefficient: Double)
  required init(symbol: String, converter: UnitConverter)
  required init?(coder aDecoder: NSCoder)
  required init(symbol: String)
}

final class UnitMass : Dimension, @unchecked Sendable {
  struct Symbol {}
  struct Coefficient {}
  convenience init(symbol: String, coefficient: Double)
  required init(symbol: String, converter: UnitConverter)
  required init?(coder aDecoder: NSCoder)
  required init(symbol: String)
}

final class UnitPower : Dimension, @unchecked Sendable {
  struct Symbol {}
  struct Coefficient {}
  convenience init(symbol: String, coefficient: Double)
  required init(symbol: String, converter: UnitConverter)
  required init?(coder aDecoder: NSCoder)
  required init(symbol: String)
}

final class UnitPressure : Dimension, @unchecked Sendable {
  struct Symbol {}
  struct Coefficient {}
  convenience init(symbol: String, coefficient: Double)
  required init(symbol: String, converter: UnitConverter)
  required init?(coder aDecoder: NSCoder)
  required init(symbol: String)
}

final class UnitSpeed : Dimension, @unchecked Sendable {
  struct Symbol {}
  struct Coefficient {}
  convenience init(symbol: String, coefficient: Double)
  required init(symbol: String, converter: UnitConverter)
  required init?(coder aDecoder: NSCoder)
  required init(symbol: String)
}

final class UnitTemperature : Dimension, @unchecked Sendable {
  struct Symbol {}
  struct Coefficient {}
  struct Constant {}
  convenience init(symbol: String, coefficient: Double, constant: Double)
  required init(symbol: String, converter: UnitConverter)
  required init?(coder aDecoder: NSCoder)
  required init(symbol: String)
}

final class UnitVolume : Dimension, @unchecked Sendable {
  struct Symbol {}
  struct Coefficient {}
  convenience init(symbol: String, coefficient: Double)
  required init(symbol: String, converter: UnitConverter)
  required init?(coder aDecoder: NSCoder)
  required init(symbol: String)
}

extension URLResourceValues : Sendable {}

struct URLResourceValues {
  var _values: [URLResourceKey : Any]
  var _keys: Set<URLResourceKey>
}

extension URL : ReferenceConvertible {
  typealias ReferenceType = NSURL
}

extension URL : _ObjectiveCBridgeable {
  typealias _ObjectiveCType = NSURL
}

extension URL : CustomPlaygroundDisplayConvertible {}

extension URL : _ExpressibleByFileReferenceLiteral {}

extension URLComponents : ReferenceConvertible {
  typealias ReferenceType = NSURLComponents
}

extension NSURLComponents : _SwiftBridgeable {
  typealias SwiftType = URLComponents
}

extension URLComponents : _NSBridgeable {
  typealias NSType = NSURLComponents
}

extension URLComponents : _ObjectiveCBridgeable {
  typealias _ObjectType = NSURLComponents
  typealias _ObjectiveCType = NSURLComponents
}

extension URLQueryItem : _NSBridgeable {
  typealias NSType = NSURLQueryItem
}

extension URLQueryItem : _ObjectiveCBridgeable {
  typealias _ObjectType = NSURLQueryItem
  typealias _ObjectiveCType = NSURLQueryItem
}

extension NSURLQueryItem : _SwiftBridgeable {
  typealias SwiftType = URLQueryItem
}

struct URLResourceKey : RawRepresentable, Equatable, Hashable, Sendable {
  let rawValue: String
  typealias RawValue = String
}

struct URLFileResourceType : RawRepresentable, Equatable, Hashable, Sendable {
  let rawValue: String
  typealias RawValue = String
}

extension UserDefaults : @unchecked Sendable {}

class UserDefaults : NSObject {
  final let suite: String?
  class var standard: UserDefaults { get }
  class func resetStandardUserDefaults()
  override convenience init()
  init?(suiteName suitename: String?)
  func object(forKey defaultName: String) -> Any?
  func set(_ value: Any?, forKey defaultName: String)
  func removeObject(forKey defaultName: String)
  func string(forKey defaultName: String) -> String?
  func array(forKey defaultName: String) -> [Any]?
  func dictionary(forKey defaultName: String) -> [String : Any]?
  func data(forKey defaultName: String) -> Data?
  func stringArray(forKey defaultName: String) -> [String]?
  func integer(forKey defaultName: String) -> Int
  func float(forKey defaultName: String) -> Float
  func double(forKey defaultName: String) -> Double
  func bool(forKey defaultName: String) -> Bool
  func url(forKey defaultName: String) -> URL?
  func set(_ value: Int, forKey defaultName: String)
  func set(_ value: Float, forKey defaultName: String)
  func set(_ value: Double, forKey defaultName: String)
  func set(_ value: Bool, forKey defaultName: String)
  func set(_ url: URL?, forKey defaultName: String)
  func register(defaults registrationDictionary: [String : Any])
  func addSuite(named suiteName: String)
  func removeSuite(named suiteName: String)
  func dictionaryRepresentation() -> [String : Any]
  func _dictionaryRepresentation(includingVolatileDomains: Bool) -> [String : any Sendable]
  nonisolated(unsafe) static let _parsedArgumentsDomain: [String : Any]
  var _volatileDomains: [String : [String : Any]]
  final let _volatileDomainsLock: NSLock
  var volatileDomainNames: [String] { get }
  func volatileDomain(forName domainName: String) -> [String : Any]
  func setVolatileDomain(_ domain: [String : Any], forName domainName: String)
  func removeVolatileDomain(forName domainName: String)
  func persistentDomain(forName domainName: String) -> [String : Any]?
  func setPersistentDomain(_ domain: [String : Any], forName domainName: String)
  func removePersistentDomain(forName domainName: String)
  func synchronize() -> Bool
  func objectIsForced(forKey key: String) -> Bool
  func objectIsForced(forKey key: String, inDomain domain: String) -> Bool
}

extension UUID : _ObjectiveCBridgeable {
  typealias _ObjectiveCType = NSUUID
}

extension NSUUID : _HasCustomAnyHashableRepresentation {}


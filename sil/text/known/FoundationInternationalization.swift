// FoundationInternationalization, of Linux: written by scripts/known-declarations.

extension Date {
  struct AnchoredRelativeFormatStyle : Decodable & Encodable, Hashable, Sendable {
    typealias Presentation = Date.RelativeFormatStyle.Presentation
    typealias UnitsStyle = Date.RelativeFormatStyle.UnitsStyle
    typealias Field = Date.ComponentsFormatStyle.Field
    var innerStyle: Date.RelativeFormatStyle
    var anchor: Date
    enum CodingKeys : CodingKey {
      case innerStyle
      case anchor
    }
  }
}

extension Date.AnchoredRelativeFormatStyle : DiscreteFormatStyle {
  typealias FormatInput = Date
  typealias FormatOutput = String
}

extension Date {
  enum Bound {
    case start
    case end
  }
}

extension Date {
  struct ComponentsFormatStyle : Decodable & Encodable, Hashable, Sendable {
    struct Field : Decodable & Encodable, Hashable, Sendable {
      enum Option : Int, Decodable & Encodable, Hashable, CaseIterable, Comparable {
        case year
        case month
        case week
        case day
        case hour
        case minute
        case second
        typealias AllCases = [Date.ComponentsFormatStyle.Field.Option]
        typealias RawValue = Int
      }
      var option: Date.ComponentsFormatStyle.Field.Option
      enum CodingKeys : CodingKey {
        case option
      }
    }
    enum CodingKeys : CodingKey {}
  }
}

extension Date {
  struct IntervalFormatStyle : Decodable & Encodable, Hashable, Sendable {
    typealias DateStyle = Date.FormatStyle.DateStyle
    typealias TimeStyle = Date.FormatStyle.TimeStyle
    var locale: Locale
    var timeZone: TimeZone
    var calendar: Calendar
    var symbols: Date.FormatStyle.DateFieldCollection
    enum CodingKeys : CodingKey {
      case locale
      case timeZone
      case calendar
      case symbols
    }
  }
}

extension Date.IntervalFormatStyle : FormatStyle {
  typealias FormatInput = Range<Date>
  typealias FormatOutput = String
}

extension Date.IntervalFormatStyle {
  typealias Symbol = Date.FormatStyle.Symbol
}

extension Date {
  struct RelativeFormatStyle : Decodable & Encodable, Hashable, Sendable {
    typealias Field = Date.ComponentsFormatStyle.Field
    struct UnitsStyle : Decodable & Encodable, Hashable, Sendable {
      enum Option : Int, Decodable & Encodable, Hashable {
        case wide
        case spellOut
        case abbreviated
        case narrow
        typealias RawValue = Int
      }
      var option: Date.RelativeFormatStyle.UnitsStyle.Option
      enum CodingKeys : CodingKey {
        case option
      }
    }
    struct Presentation : Decodable & Encodable, Hashable, Sendable {
      enum Option : Int, Decodable & Encodable, Hashable {
        case numeric
        case named
        typealias RawValue = Int
      }
      var option: Date.RelativeFormatStyle.Presentation.Option
      enum CodingKeys : CodingKey {
        case option
      }
    }
    var presentation: Date.RelativeFormatStyle.Presentation
    var unitsStyle: Date.RelativeFormatStyle.UnitsStyle
    var capitalizationContext: FormatStyleCapitalizationContext
    var locale: Locale
    var calendar: Calendar
    var _allowedFields: Set<Date.ComponentsFormatStyle.Field>
    enum CodingKeys : String, CodingKey {
      case presentation
      case unitsStyle
      case capitalizationContext
      case locale
      case calendar
      case _allowedFields
      typealias RawValue = String
    }
    enum ComponentAdjustmentStrategy : Decodable & Encodable, Hashable {
      case alignedWithComponentBoundary
      case rounded
      enum AlignedWithComponentBoundaryCodingKeys : CodingKey {}
      enum CodingKeys : CodingKey {
        case alignedWithComponentBoundary
        case rounded
      }
      enum RoundedCodingKeys : CodingKey {}
    }
  }
}

extension Date.RelativeFormatStyle : FormatStyle {
  typealias FormatInput = Date
  typealias FormatOutput = String
}

extension Date {
  struct VerbatimFormatStyle : Sendable {
    var timeZone: TimeZone
    var calendar: Calendar
    var locale: Locale?
    var formatPattern: String
    enum CodingKeys : CodingKey {
      case timeZone
      case calendar
      case locale
      case formatPattern
    }
  }
}

extension Date.VerbatimFormatStyle : FormatStyle {
  typealias FormatInput = Date
  typealias FormatOutput = String
}

extension Date.VerbatimFormatStyle : ParseableFormatStyle {
  typealias Strategy = Date.ParseStrategy
}

extension Date.VerbatimFormatStyle {
  @dynamicMemberLookup struct Attributed : FormatStyle, Sendable {
    var base: Date.VerbatimFormatStyle
    enum CodingKeys : CodingKey {
      case base
    }
    typealias FormatInput = Date
    typealias FormatOutput = AttributedString
  }
}

extension Date.VerbatimFormatStyle : CustomConsumingRegexComponent {
  typealias RegexOutput = Date
}

extension Date.VerbatimFormatStyle : DiscreteFormatStyle {}

extension Date.VerbatimFormatStyle.Attributed : DiscreteFormatStyle {}

extension Date.FormatStyle {
  struct Symbol : Hashable, Sendable {
    let symbolType: Date.FormatStyle.Symbol.SymbolType
    struct Era : Hashable, Sendable {
      let option: Date.FormatStyle.Symbol.SymbolType.EraOption?
    }
    struct Year : Hashable, Sendable {
      let option: Date.FormatStyle.Symbol.SymbolType.YearOption?
    }
    struct YearForWeekOfYear : Hashable, Sendable {
      let option: Date.FormatStyle.Symbol.SymbolType.YearForWeekOfYearOption?
    }
    struct CyclicYear : Hashable, Sendable {
      let option: Date.FormatStyle.Symbol.SymbolType.CyclicYearOption?
    }
    struct Quarter : Hashable, Sendable {
      let option: Date.FormatStyle.Symbol.SymbolType.QuarterOption?
    }
    struct Month : Hashable, Sendable {
      let option: Date.FormatStyle.Symbol.SymbolType.MonthOption?
    }
    struct Week : Hashable, Sendable {
      let option: Date.FormatStyle.Symbol.SymbolType.WeekOption?
    }
    struct Day : Hashable, Sendable {
      let option: Date.FormatStyle.Symbol.SymbolType.DayOption?
    }
    struct DayOfYear : Hashable, Sendable {
      let option: Date.FormatStyle.Symbol.SymbolType.DayOfYearOption?
    }
    struct Weekday : Hashable, Sendable {
      let option: Date.FormatStyle.Symbol.SymbolType.WeekdayOption?
    }
    struct DayPeriod : Hashable, Sendable {
      let option: Date.FormatStyle.Symbol.SymbolType.DayPeriodOption?
    }
    struct Hour : Hashable, Sendable {
      let option: Date.FormatStyle.Symbol.SymbolType.HourOption?
    }
    struct Minute : Hashable, Sendable {
      let option: Date.FormatStyle.Symbol.SymbolType.MinuteOption?
    }
    struct Second : Hashable, Sendable {
      let option: Date.FormatStyle.Symbol.SymbolType.SecondOption?
    }
    struct SecondFraction : Hashable, Sendable {
      let option: Date.FormatStyle.Symbol.SymbolType.SecondFractionOption?
    }
    struct TimeZone : Hashable, Sendable {
      let option: Date.FormatStyle.Symbol.SymbolType.TimeZoneSymbolOption?
    }
    struct StandaloneQuarter : Hashable, Sendable {
      let option: Date.FormatStyle.Symbol.SymbolType.StandaloneQuarterOption
    }
    struct StandaloneMonth : Hashable, Sendable {
      let option: Date.FormatStyle.Symbol.SymbolType.StandaloneMonthOption
    }
    struct StandaloneWeekday : Hashable, Sendable {
      let option: Date.FormatStyle.Symbol.SymbolType.StandaloneWeekdayOption
    }
    struct VerbatimHour : Hashable, Sendable {
      let option: Date.FormatStyle.Symbol.SymbolType.VerbatimHourOption
    }
    enum SymbolType : Hashable {
      case era(Date.FormatStyle.Symbol.SymbolType.EraOption)
      case year(Date.FormatStyle.Symbol.SymbolType.YearOption)
      case yearForWeekOfYear(Date.FormatStyle.Symbol.SymbolType.YearForWeekOfYearOption)
      case cyclicYear(Date.FormatStyle.Symbol.SymbolType.CyclicYearOption)
      case quarter(Date.FormatStyle.Symbol.SymbolType.QuarterOption)
      case standaloneQuarter(Date.FormatStyle.Symbol.SymbolType.StandaloneQuarterOption)
      case month(Date.FormatStyle.Symbol.SymbolType.MonthOption)
      case standaloneMonth(Date.FormatStyle.Symbol.SymbolType.StandaloneMonthOption)
      case week(Date.FormatStyle.Symbol.SymbolType.WeekOption)
      case day(Date.FormatStyle.Symbol.SymbolType.DayOption)
      case dayOfYear(Date.FormatStyle.Symbol.SymbolType.DayOfYearOption)
      case weekday(Date.FormatStyle.Symbol.SymbolType.WeekdayOption)
      case standaloneWeekday(Date.FormatStyle.Symbol.SymbolType.StandaloneWeekdayOption)
      case dayPeriod(Date.FormatStyle.Symbol.SymbolType.DayPeriodOption)
      case hour(Date.FormatStyle.Symbol.SymbolType.HourOption)
      case minute(Date.FormatStyle.Symbol.SymbolType.MinuteOption)
      case second(Date.FormatStyle.Symbol.SymbolType.SecondOption)
      case secondFraction(Date.FormatStyle.Symbol.SymbolType.SecondFractionOption)
      case timeZone(Date.FormatStyle.Symbol.SymbolType.TimeZoneSymbolOption)
      enum EraOption : String, Decodable & Encodable, Hashable {
        case abbreviated
        case wide
        case narrow
        typealias RawValue = String
      }
      enum YearOption : RawRepresentable, Decodable & Encodable, Hashable {
        case defaultDigits
        case twoDigits
        case padded(Int)
        case relatedGregorian(Int)
        case extended(Int)
        typealias RawValue = String
      }
      enum YearForWeekOfYearOption : RawRepresentable, Decodable & Encodable, Hashable {
        case defaultDigits
        case twoDigits
        case padded(Int)
        typealias RawValue = String
      }
      enum CyclicYearOption : String, Decodable & Encodable, Hashable {
        case abbreviated
        case wide
        case narrow
        typealias RawValue = String
      }
      enum QuarterOption : String, Decodable & Encodable, Hashable {
        case oneDigit
        case twoDigits
        case abbreviated
        case wide
        case narrow
        typealias RawValue = String
      }
      enum StandaloneQuarterOption : String, Decodable & Encodable, Hashable {
        case oneDigit
        case twoDigits
        case abbreviated
        case wide
        case narrow
        typealias RawValue = String
      }
      enum MonthOption : String, Decodable & Encodable, Hashable {
        case defaultDigits
        case twoDigits
        case abbreviated
        case wide
        case narrow
        typealias RawValue = String
      }
      enum StandaloneMonthOption : String, Decodable & Encodable, Hashable {
        case defaultDigits
        case twoDigits
        case abbreviated
        case wide
        case narrow
        typealias RawValue = String
      }
      enum WeekOption : String, Decodable & Encodable, Hashable {
        case defaultDigits
        case twoDigits
        case weekOfMonth
        typealias RawValue = String
      }
      enum DayOfYearOption : String, Decodable & Encodable, Hashable {
        case defaultDigits
        case twoDigits
        case threeDigits
        typealias RawValue = String
      }
      enum DayOption : RawRepresentable, Decodable & Encodable, Hashable {
        case defaultDigits
        case twoDigits
        case ordinalOfDayInMonth
        case julianModified(Int)
        typealias RawValue = String
      }
      enum WeekdayOption : String, Decodable & Encodable, Hashable {
        case abbreviated
        case wide
        case narrow
        case short
        case oneDigit
        case twoDigits
        typealias RawValue = String
      }
      enum StandaloneWeekdayOption : String, Decodable & Encodable, Hashable {
        case oneDigit
        case abbreviated
        case wide
        case narrow
        case short
        typealias RawValue = String
      }
      enum DayPeriodOption : String, Decodable & Encodable, Hashable {
        case abbreviated
        case wide
        case narrow
        case abbreviatedWith12s
        case wideWith12s
        case narrowWith12s
        case conversationalAbbreviated
        case conversationalNarrow
        case conversationalWide
        typealias RawValue = String
      }
      enum HourOption : String, Decodable & Encodable, Hashable {
        case defaultDigitsWithAbbreviatedAMPM
        case twoDigitsWithAbbreviatedAMPM
        case defaultDigitsWithWideAMPM
        case twoDigitsWithWideAMPM
        case defaultDigitsWithNarrowAMPM
        case twoDigitsWithNarrowAMPM
        case defaultDigitsNoAMPM
        case twoDigitsNoAMPM
        case conversationalDefaultDigitsWithAbbreviatedAMPM
        case conversationalTwoDigitsWithAbbreviatedAMPM
        case conversationalDefaultDigitsWithWideAMPM
        case conversationalTwoDigitsWithWideAMPM
        case conversationalDefaultDigitsWithNarrowAMPM
        case conversationalTwoDigitsWithNarrowAMPM
        typealias RawValue = String
      }
      enum VerbatimHourOption : String, Decodable & Encodable, Hashable {
        case twelveHourDefaultDigitsOneBased
        case twelveHourTwoDigitsOneBased
        case twentyFourHourDefaultDigitsZeroBased
        case twentyFourHourTwoDigitsZeroBased
        case twelveHourDefaultDigitsZeroBased
        case twelveHourTwoDigitsZeroBased
        case twentyFourHourDefaultDigitsOneBased
        case twentyFourHourTwoDigitsOneBased
        typealias RawValue = String
      }
      enum MinuteOption : String, Decodable & Encodable, Hashable {
        case defaultDigits
        case twoDigits
        typealias RawValue = String
      }
      enum SecondOption : String, Decodable & Encodable, Hashable {
        case defaultDigits
        case twoDigits
        typealias RawValue = String
      }
      enum SecondFractionOption : RawRepresentable, Decodable & Encodable, Hashable {
        case fractional(Int)
        case milliseconds(Int)
        typealias RawValue = String
      }
      enum TimeZoneSymbolOption : String, Decodable & Encodable, Hashable {
        case shortSpecificName
        case longSpecificName
        case iso8601Basic
        case longLocalizedGMT
        case iso8601Extended
        case shortLocalizedGMT
        case shortGenericName
        case longGenericName
        case shortIdentifier
        case longIdentifier
        case exemplarLocation
        case genericLocation
        typealias RawValue = String
      }
    }
  }
}

extension Date.FormatStyle.Symbol.DayPeriod {
  enum Width : Sendable {
    case abbreviated
    case wide
    case narrow
  }
}

extension Date.FormatStyle.Symbol.Hour {
  struct AMPMStyle : Decodable & Encodable, Hashable, Sendable {
    let rawValue: UInt
    enum CodingKeys : CodingKey {
      case rawValue
    }
  }
}

extension Date.FormatStyle.Symbol.VerbatimHour {
  struct HourCycle : Decodable & Encodable, Hashable, Sendable {
    let rawValue: UInt
    enum CodingKeys : CodingKey {
      case rawValue
    }
  }
  struct Clock : Decodable & Encodable, Hashable, Sendable {
    let rawValue: UInt
    enum CodingKeys : CodingKey {
      case rawValue
    }
  }
}

extension Date.FormatStyle.Symbol.TimeZone {
  enum Width : Sendable {
    case short
    case long
  }
}

extension Date {
  struct FormatString : Hashable, Sendable {
    var rawFormat: String
  }
}

extension Date.FormatString : ExpressibleByStringInterpolation {
  struct StringInterpolation : StringInterpolationProtocol, Sendable {
    typealias StringLiteralType = String
    var format: String
  }
  typealias ExtendedGraphemeClusterLiteralType = String
  typealias StringLiteralType = String
  typealias UnicodeScalarLiteralType = String
}

extension Date.FormatStyle {
  struct DateFieldCollection : Decodable & Encodable, Hashable {
    var era: Date.FormatStyle.Symbol.SymbolType.EraOption?
    var year: Date.FormatStyle.Symbol.SymbolType.YearOption?
    var quarter: Date.FormatStyle.Symbol.SymbolType.QuarterOption?
    var month: Date.FormatStyle.Symbol.SymbolType.MonthOption?
    var week: Date.FormatStyle.Symbol.SymbolType.WeekOption?
    var day: Date.FormatStyle.Symbol.SymbolType.DayOption?
    var dayOfYear: Date.FormatStyle.Symbol.SymbolType.DayOfYearOption?
    var weekday: Date.FormatStyle.Symbol.SymbolType.WeekdayOption?
    var dayPeriod: Date.FormatStyle.Symbol.SymbolType.DayPeriodOption?
    var hour: Date.FormatStyle.Symbol.SymbolType.HourOption?
    var minute: Date.FormatStyle.Symbol.SymbolType.MinuteOption?
    var second: Date.FormatStyle.Symbol.SymbolType.SecondOption?
    var secondFraction: Date.FormatStyle.Symbol.SymbolType.SecondFractionOption?
    var timeZoneSymbol: Date.FormatStyle.Symbol.SymbolType.TimeZoneSymbolOption?
    enum CodingKeys : CodingKey {
      case era
      case year
      case quarter
      case month
      case week
      case day
      case dayOfYear
      case weekday
      case dayPeriod
      case hour
      case minute
      case second
      case secondFraction
      case timeZoneSymbol
    }
  }
}

extension Date {
  struct FormatStyle : Sendable {
    var _symbols: Date.FormatStyle.DateFieldCollection?
    var _dateStyle: Date.FormatStyle.DateStyle?
    var locale: Locale
    var timeZone: TimeZone
    var calendar: Calendar
    var capitalizationContext: FormatStyleCapitalizationContext
    var parseLenient: Bool
  }
  struct AttributedStyle : Sendable {
    enum InnerStyle : Decodable & Encodable, Hashable {
      case formatStyle(Date.FormatStyle)
      case verbatimFormatStyle(Date.VerbatimFormatStyle)
      enum CodingKeys : CodingKey {
        case formatStyle
        case verbatimFormatStyle
      }
      enum FormatStyleCodingKeys : CodingKey {
        case _0
      }
      enum VerbatimFormatStyleCodingKeys : CodingKey {
        case _0
      }
    }
    var innerStyle: Date.AttributedStyle.InnerStyle
    enum CodingKeys : CodingKey {
      case innerStyle
    }
  }
}

extension Date.AttributedStyle : FormatStyle {
  typealias FormatInput = Date
  typealias FormatOutput = AttributedString
}

extension Date.FormatStyle {
  @dynamicMemberLookup struct Attributed : FormatStyle, Sendable {
    var base: Date.FormatStyle
    enum CodingKeys : CodingKey {
      case base
    }
    typealias FormatInput = Date
    typealias FormatOutput = AttributedString
  }
}

extension Date.FormatStyle : FormatStyle {
  typealias FormatInput = Date
  typealias FormatOutput = String
}

extension Date.FormatStyle : ParseStrategy {
  typealias ParseInput = String
  typealias ParseOutput = Date
}

extension Date.FormatStyle : Decodable & Encodable, Hashable {
  enum CodingKeys : CodingKey {
    case symbols
    case locale
    case timeZone
    case calendar
    case capitalizationContext
    case dateStyle
  }
}

extension Date.FormatStyle {
  struct DateStyle : Decodable & Encodable, Hashable, Sendable {
    let rawValue: UInt
    enum CodingKeys : CodingKey {
      case rawValue
    }
  }
  struct TimeStyle : Decodable & Encodable, Hashable, Sendable {
    let rawValue: UInt
    enum CodingKeys : CodingKey {
      case rawValue
    }
  }
}

extension Date.FormatStyle : ParseableFormatStyle {
  typealias Strategy = Date.FormatStyle
}

extension Date.FormatStyle : DiscreteFormatStyle {}

extension Date.FormatStyle.Attributed : DiscreteFormatStyle {}

extension Date.FormatStyle : CustomConsumingRegexComponent {
  typealias RegexOutput = Date
}

extension Date {
  struct ParseStrategy : Hashable, Sendable {
    var isLenient: Bool
    var twoDigitStartDate: Date
    var locale: Locale?
    var timeZone: TimeZone
    var calendar: Calendar
    private(set) var format: String
    enum CodingKeys : CodingKey {
      case isLenient
      case twoDigitStartDate
      case locale
      case timeZone
      case calendar
      case format
    }
  }
}

extension Date.ParseStrategy : ParseStrategy {
  typealias ParseInput = String
  typealias ParseOutput = Date
}

extension Date.ParseStrategy : CustomConsumingRegexComponent {
  typealias RegexOutput = Date
}

extension RegexComponent where Self == Date.ParseStrategy {
  typealias DateStyle = Date.FormatStyle.DateStyle
  typealias TimeStyle = Date.FormatStyle.TimeStyle
}

extension Decimal {
  struct FormatStyle : Sendable {
    var locale: Locale
    typealias Configuration = NumberFormatStyleConfiguration
    var collection: NumberFormatStyleConfiguration.Collection
    enum CodingKeys : CodingKey {
      case locale
      case collection
    }
  }
}

extension Decimal.FormatStyle : FormatStyle {
  typealias FormatInput = Decimal
  typealias FormatOutput = String
}

extension Decimal.FormatStyle {
  struct Percent : Sendable {
    typealias Configuration = NumberFormatStyleConfiguration
    var locale: Locale
    var collection: NumberFormatStyleConfiguration.Collection
    enum CodingKeys : CodingKey {
      case locale
      case collection
    }
  }
  struct Currency : Sendable {
    typealias Configuration = CurrencyFormatStyleConfiguration
    var locale: Locale
    var currencyCode: String
    var collection: CurrencyFormatStyleConfiguration.Collection
    enum CodingKeys : CodingKey {
      case locale
      case currencyCode
      case collection
    }
  }
  struct Attributed : Sendable {
    enum Style : Hashable, Decodable & Encodable, Sendable {
      case decimal(Decimal.FormatStyle)
      case currency(Decimal.FormatStyle.Currency)
      case percent(Decimal.FormatStyle.Percent)
      enum CodingKeys : CodingKey {
        case decimal
        case currency
        case percent
      }
      enum CurrencyCodingKeys : CodingKey {
        case _0
      }
      enum DecimalCodingKeys : CodingKey {
        case _0
      }
      enum PercentCodingKeys : CodingKey {
        case _0
      }
    }
    var style: Decimal.FormatStyle.Attributed.Style
    enum CodingKeys : CodingKey {
      case style
    }
  }
}

extension Decimal.FormatStyle.Percent : FormatStyle {
  typealias FormatInput = Decimal
  typealias FormatOutput = String
}

extension Decimal.FormatStyle.Currency : FormatStyle {
  typealias FormatInput = Decimal
  typealias FormatOutput = String
}

extension Decimal.FormatStyle.Attributed : FormatStyle {
  typealias FormatInput = Decimal
  typealias FormatOutput = AttributedString
}

extension Decimal.FormatStyle : ParseableFormatStyle {
  typealias Strategy = Decimal.ParseStrategy<Decimal.FormatStyle>
}

extension Decimal.FormatStyle.Currency : ParseableFormatStyle {
  typealias Strategy = Decimal.ParseStrategy<Decimal.FormatStyle.Currency>
}

extension Decimal.FormatStyle.Percent : ParseableFormatStyle {
  typealias Strategy = Decimal.ParseStrategy<Decimal.FormatStyle.Percent>
}

extension Decimal.FormatStyle : CustomConsumingRegexComponent {
  typealias RegexOutput = Decimal
}

extension Decimal.FormatStyle.Percent : CustomConsumingRegexComponent {
  typealias RegexOutput = Decimal
}

extension Decimal.FormatStyle.Currency : CustomConsumingRegexComponent {
  typealias RegexOutput = Decimal
}

extension Decimal {
  struct ParseStrategy<Format> : ParseStrategy, Decodable & Encodable, Hashable where Format : FormatStyle, Format.FormatInput == Decimal {
    var formatStyle: Format
    var lenient: Bool
    enum CodingKeys : CodingKey {
      case formatStyle
      case lenient
    }
    typealias ParseInput = String
    typealias ParseOutput = Decimal
  }
}

extension Decimal.ParseStrategy : Sendable where Format : Sendable {}

struct FloatingPointFormatStyle<Value> : Decodable & Encodable, Hashable, Sendable where Value : BinaryFloatingPoint {
  var locale: Locale
  typealias Configuration = NumberFormatStyleConfiguration
  var collection: NumberFormatStyleConfiguration.Collection
  enum CodingKeys : CodingKey {
    case locale
    case collection
  }
}

extension FloatingPointFormatStyle {
  struct Percent : Decodable & Encodable, Hashable, Sendable {
    var locale: Locale
    typealias Configuration = NumberFormatStyleConfiguration
    var collection: NumberFormatStyleConfiguration.Collection
    enum CodingKeys : CodingKey {
      case locale
      case collection
    }
  }
  struct Currency : Decodable & Encodable, Hashable, Sendable {
    var locale: Locale
    let currencyCode: String
    typealias Configuration = CurrencyFormatStyleConfiguration
    var collection: CurrencyFormatStyleConfiguration.Collection
    enum CodingKeys : CodingKey {
      case locale
      case currencyCode
      case collection
    }
  }
}

extension FloatingPointFormatStyle : FormatStyle {
  typealias FormatInput = Value
  typealias FormatOutput = String
}

extension FloatingPointFormatStyle.Percent : FormatStyle {
  typealias FormatInput = Value
  typealias FormatOutput = String
}

extension FloatingPointFormatStyle.Currency : FormatStyle {
  typealias FormatInput = Value
  typealias FormatOutput = String
}

extension FloatingPointFormatStyle : ParseableFormatStyle {
  typealias Strategy = FloatingPointParseStrategy<FloatingPointFormatStyle<Value>>
}

extension FloatingPointFormatStyle.Currency : ParseableFormatStyle {
  typealias Strategy = FloatingPointParseStrategy<FloatingPointFormatStyle<Value>.Currency>
}

extension FloatingPointFormatStyle.Percent : ParseableFormatStyle {
  typealias Strategy = FloatingPointParseStrategy<FloatingPointFormatStyle<Value>.Percent>
}

extension FloatingPointFormatStyle {
  struct Attributed : Decodable & Encodable, Hashable, FormatStyle, Sendable {
    enum Style : Decodable & Encodable, Hashable, Sendable {
      case floatingPoint(FloatingPointFormatStyle<Value>)
      case currency(FloatingPointFormatStyle<Value>.Currency)
      case percent(FloatingPointFormatStyle<Value>.Percent)
      enum CodingKeys : CodingKey {
        case floatingPoint
        case currency
        case percent
      }
      enum CurrencyCodingKeys : CodingKey {
        case _0
      }
      enum FloatingPointCodingKeys : CodingKey {
        case _0
      }
      enum PercentCodingKeys : CodingKey {
        case _0
      }
    }
    var style: FloatingPointFormatStyle<Value>.Attributed.Style
    enum CodingKeys : CodingKey {
      case style
    }
    typealias FormatInput = Value
    typealias FormatOutput = AttributedString
  }
}

extension FloatingPointFormatStyle : CustomConsumingRegexComponent {
  typealias RegexOutput = Value
}

extension FloatingPointFormatStyle.Percent : CustomConsumingRegexComponent {
  typealias RegexOutput = Value
}

extension FloatingPointFormatStyle.Currency : CustomConsumingRegexComponent {
  typealias RegexOutput = Value
}

struct FloatingPointParseStrategy<Format> : Decodable & Encodable, Hashable where Format : FormatStyle, Format.FormatInput : BinaryFloatingPoint {
  var formatStyle: Format
  var lenient: Bool
  enum CodingKeys : CodingKey {
    case formatStyle
    case lenient
  }
}

extension FloatingPointParseStrategy : Sendable where Format : Sendable {}

extension FloatingPointParseStrategy : ParseStrategy {
  typealias ParseInput = String
  typealias ParseOutput = Format.FormatInput
}

struct IntegerFormatStyle<Value> : Decodable & Encodable, Hashable, Sendable where Value : BinaryInteger {
  typealias Configuration = NumberFormatStyleConfiguration
  var locale: Locale
  var collection: NumberFormatStyleConfiguration.Collection
  enum CodingKeys : CodingKey {
    case locale
    case collection
  }
}

extension IntegerFormatStyle {
  struct Percent : Decodable & Encodable, Hashable, Sendable {
    typealias Configuration = NumberFormatStyleConfiguration
    var locale: Locale
    var collection: NumberFormatStyleConfiguration.Collection
    enum CodingKeys : CodingKey {
      case locale
      case collection
    }
  }
  struct Currency : Decodable & Encodable, Hashable, Sendable {
    typealias Configuration = CurrencyFormatStyleConfiguration
    var locale: Locale
    let currencyCode: String
    var collection: CurrencyFormatStyleConfiguration.Collection
    enum CodingKeys : CodingKey {
      case locale
      case currencyCode
      case collection
    }
  }
}

extension IntegerFormatStyle : FormatStyle {
  typealias FormatInput = Value
  typealias FormatOutput = String
}

extension IntegerFormatStyle.Percent : FormatStyle {
  typealias FormatInput = Value
  typealias FormatOutput = String
}

extension IntegerFormatStyle.Currency : FormatStyle {
  typealias FormatInput = Value
  typealias FormatOutput = String
}

extension IntegerFormatStyle : ParseableFormatStyle {
  typealias Strategy = IntegerParseStrategy<IntegerFormatStyle<Value>>
}

extension IntegerFormatStyle.Currency : ParseableFormatStyle {
  typealias Strategy = IntegerParseStrategy<IntegerFormatStyle<Value>.Currency>
}

extension IntegerFormatStyle.Percent : ParseableFormatStyle {
  typealias Strategy = IntegerParseStrategy<IntegerFormatStyle<Value>.Percent>
}

extension IntegerFormatStyle {
  struct Attributed : Decodable & Encodable, Hashable, FormatStyle, Sendable {
    enum Style : Decodable & Encodable, Hashable {
      case integer(IntegerFormatStyle<Value>)
      case percent(IntegerFormatStyle<Value>.Percent)
      case currency(IntegerFormatStyle<Value>.Currency)
      enum CodingKeys : CodingKey {
        case integer
        case percent
        case currency
      }
      enum CurrencyCodingKeys : CodingKey {
        case _0
      }
      enum IntegerCodingKeys : CodingKey {
        case _0
      }
      enum PercentCodingKeys : CodingKey {
        case _0
      }
    }
    var style: IntegerFormatStyle<Value>.Attributed.Style
    enum CodingKeys : CodingKey {
      case style
    }
    typealias FormatInput = Value
    typealias FormatOutput = AttributedString
  }
}

extension IntegerFormatStyle : CustomConsumingRegexComponent {
  typealias RegexOutput = Value
}

extension IntegerFormatStyle.Percent : CustomConsumingRegexComponent {
  typealias RegexOutput = Value
}

extension IntegerFormatStyle.Currency : CustomConsumingRegexComponent {
  typealias RegexOutput = Value
}

struct IntegerParseStrategy<Format> : Decodable & Encodable, Hashable where Format : FormatStyle, Format.FormatInput : BinaryInteger {
  var formatStyle: Format
  var lenient: Bool
  enum CodingKeys : CodingKey {
    case formatStyle
    case lenient
  }
}

extension IntegerParseStrategy : Sendable where Format : Sendable {}

extension IntegerParseStrategy : ParseStrategy {
  typealias ParseInput = String
  typealias ParseOutput = Format.FormatInput
}

struct FormatStyleCapitalizationContext : Decodable & Encodable, Hashable, Sendable {
  enum Option : Int, Decodable & Encodable, Hashable {
    case unknown
    case standalone
    case listItem
    case beginningOfSentence
    case middleOfSentence
    typealias RawValue = Int
  }
  var option: FormatStyleCapitalizationContext.Option
  enum CodingKeys : CodingKey {
    case option
  }
}

enum NumberFormatStyleConfiguration {
  struct Collection : Decodable & Encodable, Hashable, Sendable {
    var scale: Double?
    var precision: NumberFormatStyleConfiguration.Precision?
    var group: NumberFormatStyleConfiguration.Grouping?
    var signDisplayStrategy: NumberFormatStyleConfiguration.SignDisplayStrategy?
    var decimalSeparatorStrategy: NumberFormatStyleConfiguration.DecimalSeparatorDisplayStrategy?
    var rounding: FloatingPointRoundingRule?
    var roundingIncrement: NumberFormatStyleConfiguration.RoundingIncrement?
    var notation: NumberFormatStyleConfiguration.Notation?
    enum CodingKeys : CodingKey {
      case scale
      case precision
      case group
      case signDisplayStrategy
      case decimalSeparatorStrategy
      case rounding
      case roundingIncrement
      case notation
    }
  }
  typealias RoundingRule = FloatingPointRoundingRule
  typealias Scale = Double
  struct Grouping : Decodable & Encodable, Hashable, CustomStringConvertible, Sendable {
    enum Option : Int, Decodable & Encodable, Hashable {
      case automatic
      case hidden
      typealias RawValue = Int
    }
    var option: NumberFormatStyleConfiguration.Grouping.Option
    enum CodingKeys : CodingKey {
      case option
    }
  }
  struct Precision : Decodable & Encodable, Hashable, Sendable {
    enum Option : Hashable {
      case significantDigits(min: Int, max: Int?)
      case integerAndFractionalLength(minInt: Int?, maxInt: Int?, minFraction: Int?, maxFraction: Int?)
    }
    var option: NumberFormatStyleConfiguration.Precision.Option
    enum CodingKeys : CodingKey {
      case option
    }
  }
  struct DecimalSeparatorDisplayStrategy : Decodable & Encodable, Hashable, CustomStringConvertible, Sendable {
    enum Option : Int, Decodable & Encodable, Hashable {
      case automatic
      case always
      typealias RawValue = Int
    }
    var option: NumberFormatStyleConfiguration.DecimalSeparatorDisplayStrategy.Option
    enum CodingKeys : CodingKey {
      case option
    }
  }
  struct SignDisplayStrategy : Decodable & Encodable, Hashable, CustomStringConvertible, Sendable {
    enum Option : Int, Hashable, Decodable & Encodable {
      case always
      case hidden
      typealias RawValue = Int
    }
    var positive: NumberFormatStyleConfiguration.SignDisplayStrategy.Option
    var negative: NumberFormatStyleConfiguration.SignDisplayStrategy.Option
    var zero: NumberFormatStyleConfiguration.SignDisplayStrategy.Option
    enum CodingKeys : CodingKey {
      case positive
      case negative
      case zero
    }
  }
  struct Notation : Decodable & Encodable, Hashable, CustomStringConvertible, Sendable {
    enum Option : Int, Decodable & Encodable, Hashable {
      case automatic
      case scientific
      case compactName
      typealias RawValue = Int
    }
    var option: NumberFormatStyleConfiguration.Notation.Option
    enum CodingKeys : CodingKey {
      case option
    }
  }
  enum RoundingIncrement : Hashable, CustomStringConvertible {
    case integer(value: Int)
    case floatingPoint(value: Double)
  }
}

extension NumberFormatStyleConfiguration : Sendable {}

enum CurrencyFormatStyleConfiguration {
  typealias Grouping = NumberFormatStyleConfiguration.Grouping
  typealias Precision = NumberFormatStyleConfiguration.Precision
  typealias DecimalSeparatorDisplayStrategy = NumberFormatStyleConfiguration.DecimalSeparatorDisplayStrategy
  typealias RoundingRule = FloatingPointRoundingRule
  typealias Notation = NumberFormatStyleConfiguration.Notation
  typealias RoundingIncrement = NumberFormatStyleConfiguration.RoundingIncrement
  struct Collection : Decodable & Encodable, Hashable {
    var scale: Double?
    var precision: NumberFormatStyleConfiguration.Precision?
    var group: NumberFormatStyleConfiguration.Grouping?
    var signDisplayStrategy: CurrencyFormatStyleConfiguration.SignDisplayStrategy?
    var decimalSeparatorStrategy: NumberFormatStyleConfiguration.DecimalSeparatorDisplayStrategy?
    var rounding: FloatingPointRoundingRule?
    var roundingIncrement: NumberFormatStyleConfiguration.RoundingIncrement?
    var presentation: CurrencyFormatStyleConfiguration.Presentation
    var notation: NumberFormatStyleConfiguration.Notation?
    enum CodingKeys : CodingKey {
      case scale
      case precision
      case group
      case signDisplayStrategy
      case decimalSeparatorStrategy
      case rounding
      case roundingIncrement
      case presentation
      case notation
    }
  }
  struct SignDisplayStrategy : Decodable & Encodable, Hashable, Sendable {
    enum Option : Int, Hashable, Decodable & Encodable {
      case always
      case hidden
      typealias RawValue = Int
    }
    var positive: CurrencyFormatStyleConfiguration.SignDisplayStrategy.Option
    var negative: CurrencyFormatStyleConfiguration.SignDisplayStrategy.Option
    var zero: CurrencyFormatStyleConfiguration.SignDisplayStrategy.Option
    var accounting: Bool
    enum CodingKeys : CodingKey {
      case positive
      case negative
      case zero
      case accounting
    }
  }
  struct Presentation : Decodable & Encodable, Hashable, Sendable {
    enum Option : Int, Decodable & Encodable, Hashable {
      case narrow
      case standard
      case isoCode
      case fullName
      typealias RawValue = Int
    }
    var option: CurrencyFormatStyleConfiguration.Presentation.Option
    enum CodingKeys : CodingKey {
      case option
    }
  }
}

extension CurrencyFormatStyleConfiguration : Sendable {}

enum DescriptiveNumberFormatConfiguration {
  typealias CapitalizationContext = FormatStyleCapitalizationContext
  struct Presentation : Decodable & Encodable, Hashable, Sendable {
    enum Option : Int, Decodable & Encodable, Hashable {
      case spellOut
      case ordinal
      case cardinal
      typealias RawValue = Int
    }
    var option: DescriptiveNumberFormatConfiguration.Presentation.Option
    enum CodingKeys : CodingKey {
      case option
    }
  }
  struct Collection : Decodable & Encodable, Hashable {
    var presentation: DescriptiveNumberFormatConfiguration.Presentation
    var capitalizationContext: FormatStyleCapitalizationContext?
    enum CodingKeys : CodingKey {
      case presentation
      case capitalizationContext
    }
  }
}

extension DescriptiveNumberFormatConfiguration : Sendable {}

extension FloatingPointRoundingRule {
  enum CodingValue : Int, Decodable & Encodable {
    case toNearestOrAwayFromZero
    case toNearestOrEven
    case up
    case down
    case towardZero
    case awayFromZero
    typealias RawValue = Int
  }
}

extension FloatingPointRoundingRule : Decodable & Encodable {}

extension NumberFormatStyleConfiguration.RoundingIncrement : Decodable & Encodable {
  enum CodingKeys : CodingKey {
    case integer
    case floatingPoint
  }
}

extension NumberFormatStyleConfiguration.Precision.Option : Decodable & Encodable {
  enum CodingKeys : CodingKey {
    case minSignificantDigits
    case maxSignificantDigits
    case minIntegerLength
    case maxIntegerLength
    case minFractionalLength
    case maxFractionalLength
  }
}

struct ByteCountFormatStyle : FormatStyle, Sendable {
  var attributed: ByteCountFormatStyle.Attributed
  enum Unit : Int {
    case byte
    case kilobyte
    case megabyte
    case gigabyte
    case terabyte
    case petabyte
    case exabyte
    case zettabyte
    case yottabyte
    typealias RawValue = Int
  }
  enum Style : Int, Decodable & Encodable, Hashable, Sendable {
    case file
    case memory
    case decimal
    case binary
    typealias RawValue = Int
  }
  struct Units : OptionSet, Decodable & Encodable, Hashable, Sendable {
    var rawValue: UInt
    typealias ArrayLiteralElement = ByteCountFormatStyle.Units
    typealias Element = ByteCountFormatStyle.Units
    typealias RawValue = UInt
  }
  struct Attributed : FormatStyle, Sendable {
    var style: ByteCountFormatStyle.Style
    var allowedUnits: ByteCountFormatStyle.Units
    var spellsOutZero: Bool
    var includesActualByteCount: Bool
    var locale: Locale
    enum CodingKeys : CodingKey {
      case style
      case allowedUnits
      case spellsOutZero
      case includesActualByteCount
      case locale
    }
    typealias FormatInput = Int64
    typealias FormatOutput = AttributedString
  }
  enum CodingKeys : CodingKey {
    case attributed
  }
  typealias FormatInput = Int64
  typealias FormatOutput = String
}

extension Duration {
  struct TimeFormatStyle : FormatStyle, Sendable {
    struct Pattern : Hashable, Decodable & Encodable, Sendable {
      enum Fields : Hashable, Decodable & Encodable {
        case hourMinute(roundSeconds: FloatingPointRoundingRule)
        case hourMinuteSecond(fractionalSecondsLength: Int, roundFractionalSeconds: FloatingPointRoundingRule)
        case minuteSecond(fractionalSecondsLength: Int, roundFractionalSeconds: FloatingPointRoundingRule)
        enum CodingKeys : CodingKey {
          case hourMinute
          case hourMinuteSecond
          case minuteSecond
        }
        enum HourMinuteCodingKeys : CodingKey {
          case roundSeconds
        }
        enum HourMinuteSecondCodingKeys : CodingKey {
          case fractionalSecondsLength
          case roundFractionalSeconds
        }
        enum MinuteSecondCodingKeys : CodingKey {
          case fractionalSecondsLength
          case roundFractionalSeconds
        }
      }
      var fields: Duration.TimeFormatStyle.Pattern.Fields
      var paddingForLargestField: Int?
      enum CodingKeys : CodingKey {
        case fields
        case paddingForLargestField
      }
    }
    var _attributed: Duration.TimeFormatStyle.Attributed
    enum CodingKeys : CodingKey {
      case _attributed
    }
    typealias FormatInput = Duration
    typealias FormatOutput = String
  }
}

extension Duration.TimeFormatStyle {
  @dynamicMemberLookup struct Attributed : FormatStyle, Sendable {
    typealias Pattern = Duration.TimeFormatStyle.Pattern
    var pattern: Duration.TimeFormatStyle.Pattern
    var grouping: NumberFormatStyleConfiguration.Grouping
    var locale: Locale
    struct PatternComponent {
      let symbols: [Character]
      let isField: Bool
      let start: Int
      let end: Int
    }
    enum CodingKeys : CodingKey {
      case pattern
      case grouping
      case locale
    }
    typealias FormatInput = Duration
    typealias FormatOutput = AttributedString
  }
}

extension Duration.TimeFormatStyle.Attributed : DiscreteFormatStyle {}

extension Duration.TimeFormatStyle : DiscreteFormatStyle {}

extension Duration {
  struct UnitsFormatStyle : FormatStyle, Sendable {
    struct UnitWidth : Decodable & Encodable, Hashable, Sendable {
      var width: Measurement<UnitDuration>.FormatStyle.UnitWidth
      var patternStyle: UATimeUnitStyle
      enum CodingKeys : CodingKey {
        case width
        case patternStyle
      }
    }
    struct Unit : Decodable & Encodable, Hashable, Sendable {
      enum _Unit : Int, Decodable & Encodable, Hashable, Comparable, CaseIterable {
        case weeks
        case days
        case hours
        case minutes
        case seconds
        case milliseconds
        case microseconds
        case nanoseconds
        typealias AllCases = [Duration.UnitsFormatStyle.Unit._Unit]
        typealias RawValue = Int
      }
      var unit: Duration.UnitsFormatStyle.Unit._Unit
      enum CodingKeys : CodingKey {
        case unit
      }
    }
    struct ZeroValueUnitsDisplayStrategy : Decodable & Encodable, Hashable, Sendable {
      var length: Int
      enum CodingKeys : CodingKey {
        case length
      }
    }
    struct FractionalPartDisplayStrategy : Decodable & Encodable, Hashable, Sendable {
      var minimumLength: Int
      var maximumLength: Int
      var roundingRule: FloatingPointRoundingRule
      var roundingIncrement: Double?
      enum CodingKeys : CodingKey {
        case minimumLength
        case maximumLength
        case roundingRule
        case roundingIncrement
      }
    }
    var locale: Locale
    var allowedUnits: Set<Duration.UnitsFormatStyle.Unit>
    var unitWidth: Duration.UnitsFormatStyle.UnitWidth
    var maximumUnitCount: Int?
    var zeroValueUnitsDisplay: Duration.UnitsFormatStyle.ZeroValueUnitsDisplayStrategy
    var fractionalPartDisplay: Duration.UnitsFormatStyle.FractionalPartDisplayStrategy
    var valueLengthLimits: Range<Int>?
    enum CodingKeys : CodingKey {
      case locale
      case allowedUnits
      case unitWidth
      case maximumUnitCount
      case zeroValueUnitsDisplay
      case fractionalPartDisplay
      case valueLengthLimits
    }
    typealias FormatInput = Duration
    typealias FormatOutput = String
  }
}

extension Duration.UnitsFormatStyle {
  @dynamicMemberLookup struct Attributed : FormatStyle, Sendable {
    var innerStyle: Duration.UnitsFormatStyle
    enum CodingKeys : CodingKey {
      case innerStyle
    }
    typealias FormatInput = Duration
    typealias FormatOutput = AttributedString
  }
}

extension Duration.UnitsFormatStyle.Attributed : DiscreteFormatStyle {}

extension Duration.UnitsFormatStyle : DiscreteFormatStyle {}

struct ListFormatStyle<Style, Base> : FormatStyle where Style : FormatStyle, Base : Sequence, Style.FormatInput == Base.Element, Style.FormatOutput == String {
  private(set) var memberStyle: Style
  var width: ListFormatStyle<Style, Base>.Width
  var listType: ListFormatStyle<Style, Base>.ListType
  var locale: Locale
  enum Width : Int, Decodable & Encodable, Sendable {
    case standard
    case short
    case narrow
    typealias RawValue = Int
  }
  enum ListType : Int, Decodable & Encodable, Sendable {
    case and
    case or
    typealias RawValue = Int
  }
  enum CodingKeys : CodingKey {
    case memberStyle
    case width
    case listType
    case locale
  }
  typealias FormatInput = Base
  typealias FormatOutput = String
}

extension ListFormatStyle : Sendable where Style : Sendable {}

struct StringStyle : FormatStyle, Sendable {
  enum CodingKeys : CodingKey {}
  typealias FormatInput = String
  typealias FormatOutput = String
}

struct Measurement<UnitType> {}

class Dimension {
  init()
}

class UnitDuration : Dimension {
  override init()
}

extension Measurement where UnitType : Dimension {
  struct FormatStyle : Sendable {
    struct UnitWidth : Decodable & Encodable, Hashable, Sendable {
      enum Option : Int, Decodable & Encodable, Hashable {
        case wide
        case abbreviated
        case narrow
        typealias RawValue = Int
      }
      var option: Measurement<UnitType>.FormatStyle.UnitWidth.Option
      enum CodingKeys : CodingKey {
        case option
      }
    }
  }
}

extension Locale.Region {
  struct Category : Decodable & Encodable, Sendable, Hashable, CustomDebugStringConvertible {
    enum Inner {
      case world
      case continent
      case subcontinent
      case territory
      case grouping
    }
    var inner: Locale.Region.Category.Inner
  }
}

struct KeyPathComparator<Compared> : SortComparator {
  let keyPath: any PartialKeyPath<Compared> & Sendable
  var comparator: AnySortComparator
  let extractField: @Sendable (Compared) -> Any
  typealias Compared = Compared
}

struct SortDescriptor<Compared> : SortComparator, Decodable & Encodable, Sendable {
  enum AllowedComparison : Hashable, Decodable & Encodable, Sendable {
    case comparableString(String.StandardComparator, any KeyPath<Compared, String> & Sendable)
    case comparableOptionalString(String.StandardComparator, any KeyPath<Compared, String?> & Sendable)
    case comparable(AnySortComparator, any PartialKeyPath<Compared> & Sendable)
    enum CodingKeys : String, CodingKey {
      case rawValue
      case stringComparator
      typealias RawValue = String
    }
  }
  var order: SortOrder
  let keyString: String?
  let comparison: SortDescriptor<Compared>.AllowedComparison
  enum CodingKeys : CodingKey {
    case order
    case keyString
    case comparison
  }
  typealias Compared = Compared
}

extension String {
  struct StandardComparator : SortComparator, Decodable & Encodable, Sendable {
    typealias Compared = String
    enum CodingKeys : String, CodingKey {
      case options
      case isLocalized
      case order
      typealias RawValue = String
    }
    let options: String.CompareOptions
    let isLocalized: Bool
    var order: SortOrder
  }
  struct Comparator : SortComparator, Decodable & Encodable, Sendable {
    enum CodingKeys : String, CodingKey {
      case options
      case locale
      case order
      typealias RawValue = String
    }
    let options: String.CompareOptions
    let locale: Locale?
    var order: SortOrder
    typealias Compared = String
  }
}


// CoreFoundation: the types of C that Foundation's classes hold references to. Only that they are counted as objects of Swift is known.

class CFArray {}
class CFBoolean {}
class CFBundle {}
class CFCalendar {}
class CFCharacterSet {}
class CFData {}
class CFDate {}
class CFDateFormatter {}
class CFDateIntervalFormatter {}
class CFDictionary {}
class CFError {}
class CFKeyedArchiverUID {}
class CFLocale {}
class CFNumber {}
class CFNumberFormatter {}
class CFReadStream {}
class CFRunLoop {}
class CFRunLoopObserver {}
class CFRunLoopSource {}
class CFSet {}
class CFSocket {}
class CFString {}
class CFTimeZone {}
class CFURL {}
class CFWriteStream {}
class _CFRegularExpression {}

// Dispatch: queues, groups, semaphores, sources, work items, times. On Linux it is compiled without library evolution: all of its types are
// laid out as they stand here. What C declares, `dispatch_queue_t` and its like, are opaque pointers.

typealias DispatchSourceHandler = @convention(block) () -> Void
typealias _DispatchBlock = @convention(block) () -> Void

class DispatchObject {
  func wrapped() -> OpaquePointer
  func setTarget(queue: DispatchQueue)
  func activate()
  func suspend()
  func resume()
  init()
}

// More code sees the initializer than that of the superclass, so that it has an entry of its own.
class DispatchGroup : DispatchObject, Sendable {
  final let __wrapped: OpaquePointer
  init()
  func enter()
  func leave()
}

class DispatchSemaphore : DispatchObject, Sendable {
  final let __wrapped: OpaquePointer
  init(value: Int)
}

class DispatchIO : DispatchObject, Sendable {
  final let __wrapped: OpaquePointer
  init(__type: UInt, fd: Int32, queue: DispatchQueue, handler: @escaping (_ error: Int32) -> Void)
  init(__type: UInt, path: UnsafePointer<Int8>, oflag: Int32, mode: UInt32, queue: DispatchQueue, handler: @escaping (_ error: Int32) -> Void)
  init(__type: UInt, io: DispatchIO, queue: DispatchQueue, handler: @escaping (_ error: Int32) -> Void)
  func barrier(execute: @escaping () -> ())
  var fileDescriptor: Int32 { get }
  func setLimit(highWater: Int)
  func setLimit(lowWater: Int)
  enum StreamType : Equatable, Hashable, RawRepresentable {
    case stream
    case random
    typealias RawValue = UInt
  }
  struct CloseFlags : OptionSet {
    let rawValue: UInt
    typealias ArrayLiteralElement = DispatchIO.CloseFlags
    typealias Element = DispatchIO.CloseFlags
    typealias RawValue = UInt
  }
  struct IntervalFlags : OptionSet {
    let rawValue: UInt
    typealias ArrayLiteralElement = DispatchIO.IntervalFlags
    typealias Element = DispatchIO.IntervalFlags
    typealias RawValue = UInt
  }
}

class DispatchQueue : DispatchObject, Sendable {
  final let __wrapped: OpaquePointer
  init(__label: String, attr: OpaquePointer?)
  init(__label: String, attr: OpaquePointer?, queue: DispatchQueue?)
  init(queue: OpaquePointer)
  func sync(execute workItem: () -> ())
  struct Attributes : OptionSet {
    let rawValue: UInt64
    typealias ArrayLiteralElement = DispatchQueue.Attributes
    typealias Element = DispatchQueue.Attributes
    typealias RawValue = UInt64
  }
  enum GlobalQueuePriority : Equatable, Hashable {
    case high
    case `default`
    case low
    case background
  }
  enum AutoreleaseFrequency : Equatable, Hashable {
    case inherit
    case workItem
    case never
  }
}

final class DispatchSpecificKey<T> {
  init()
}
extension DispatchSpecificKey : Sendable where T : Sendable {}

class _DispatchSpecificValue<T> {
  final let value: T
  init(value: T)
}

class DispatchSource : DispatchObject, Sendable, DispatchSourceProtocol, DispatchSourceRead, DispatchSourceSignal, DispatchSourceTimer, DispatchSourceUserDataAdd, DispatchSourceUserDataOr, DispatchSourceUserDataReplace, DispatchSourceWrite {
  final let __wrapped: OpaquePointer
  init(source: OpaquePointer)
  struct TimerFlags : OptionSet {
    let rawValue: UInt
    typealias ArrayLiteralElement = DispatchSource.TimerFlags
    typealias Element = DispatchSource.TimerFlags
    typealias RawValue = UInt
  }
  struct FileSystemEvent : OptionSet {
    let rawValue: UInt
    typealias ArrayLiteralElement = DispatchSource.FileSystemEvent
    typealias Element = DispatchSource.FileSystemEvent
    typealias RawValue = UInt
  }
}

class __DispatchData : DispatchObject {
  final let __wrapped: OpaquePointer
  init(data: OpaquePointer, owned: Bool)
}

protocol DispatchSourceProtocol {
  func setEventHandler(qos: DispatchQoS, flags: DispatchWorkItemFlags, handler: (@convention(block) () -> Void)?)
  func setEventHandler(handler: DispatchWorkItem)
  func setCancelHandler(qos: DispatchQoS, flags: DispatchWorkItemFlags, handler: (@convention(block) () -> Void)?)
  func setCancelHandler(handler: DispatchWorkItem)
  func setRegistrationHandler(qos: DispatchQoS, flags: DispatchWorkItemFlags, handler: (@convention(block) () -> Void)?)
  func setRegistrationHandler(handler: DispatchWorkItem)
  func cancel()
  func resume()
  func suspend()
  var handle: UInt { get }
  var mask: UInt { get }
  var data: UInt { get }
  var isCancelled: Bool { get }
}

protocol DispatchSourceUserDataAdd : DispatchSourceProtocol {
  func add(data: UInt)
}

protocol DispatchSourceUserDataOr : DispatchSourceProtocol {
  func or(data: UInt)
}

protocol DispatchSourceUserDataReplace : DispatchSourceProtocol {
  func replace(data: UInt)
}

protocol DispatchSourceRead : DispatchSourceProtocol {}

protocol DispatchSourceSignal : DispatchSourceProtocol {}

protocol DispatchSourceTimer : DispatchSourceProtocol {
  func scheduleOneshot(deadline: DispatchTime, leeway: DispatchTimeInterval)
  func scheduleOneshot(wallDeadline: DispatchWallTime, leeway: DispatchTimeInterval)
  func scheduleRepeating(deadline: DispatchTime, interval: DispatchTimeInterval, leeway: DispatchTimeInterval)
  func scheduleRepeating(deadline: DispatchTime, interval: Double, leeway: DispatchTimeInterval)
  func scheduleRepeating(wallDeadline: DispatchWallTime, interval: DispatchTimeInterval, leeway: DispatchTimeInterval)
  func scheduleRepeating(wallDeadline: DispatchWallTime, interval: Double, leeway: DispatchTimeInterval)
}

protocol DispatchSourceWrite : DispatchSourceProtocol {}

class DispatchWorkItem {
  var _block: _DispatchBlock
  init(qos: DispatchQoS, flags: DispatchWorkItemFlags, block: @escaping @convention(block) () -> ())
  init(flags: DispatchWorkItemFlags, noescapeBlock: () -> ())
  func perform()
  func wait()
  func wait(timeout: DispatchTime) -> DispatchTimeoutResult
  func wait(wallTimeout: DispatchWallTime) -> DispatchTimeoutResult
  func notify(qos: DispatchQoS, flags: DispatchWorkItemFlags, queue: DispatchQueue, execute: @escaping @convention(block) () -> ())
  func notify(queue: DispatchQueue, execute: DispatchWorkItem)
  func cancel()
  var isCancelled: Bool { get }
}

struct DispatchWorkItemFlags : OptionSet {
  let rawValue: UInt
  typealias ArrayLiteralElement = DispatchWorkItemFlags
  typealias Element = DispatchWorkItemFlags
  typealias RawValue = UInt
}

struct DispatchQoS : Equatable, Sendable {
  let qosClass: DispatchQoS.QoSClass
  let relativePriority: Int
  enum QoSClass : Sendable, Equatable, Hashable {
    case background
    case utility
    case `default`
    case userInitiated
    case userInteractive
    case unspecified
  }
}

enum DispatchPredicate : Sendable {
  case onQueue(DispatchQueue)
  case onQueueAsBarrier(DispatchQueue)
  case notOnQueue(DispatchQueue)
}

enum DispatchTimeoutResult : Sendable, Equatable, Hashable {
  case success
  case timedOut
}

struct DispatchTime : Comparable, Sendable {
  let rawValue: UInt64
}

struct DispatchWallTime : Comparable, Sendable {
  let rawValue: UInt64
}

enum DispatchTimeInterval : Equatable, Sendable {
  case seconds(Int)
  case milliseconds(Int)
  case microseconds(Int)
  case nanoseconds(Int)
  case never
}

struct DispatchData : RandomAccessCollection {
  var __wrapped: __DispatchData
  typealias Element = UInt8
  typealias Index = Int
  typealias Indices = Range<Int>
  typealias Iterator = DispatchDataIterator
  typealias SubSequence = Slice<DispatchData>
  enum Deallocator {
    case free
    case unmap
    case custom(DispatchQueue?, () -> Void)
  }
}

struct DispatchDataIterator : IteratorProtocol, Sequence {
  let _data: __DispatchData
  var _ptr: UnsafeRawPointer!
  var _count: Int
  var _position: Int
  typealias Element = UInt8
  typealias Iterator = DispatchDataIterator
}

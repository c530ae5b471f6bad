// _Concurrency: tasks, actors, executors, continuations, clocks and asynchronous sequences.

typealias DefaultExecutorFactory = PlatformExecutorFactory
typealias UnsafeThrowingContinuation<T> = UnsafeContinuation<T, any Error>
typealias PartialAsyncTask = UnownedJob
typealias TaskExecutorPreferenceStatusRecord = UnsafeRawPointer

protocol Actor : AnyObject, Sendable {
  var unownedExecutor: UnownedSerialExecutor { get }
}

final class CheckedContinuationCanary : Sendable {
  init()
}

struct CheckedContinuation<T, E> : Sendable where E : Error {
  let canary: CheckedContinuationCanary
}

protocol Executor : AnyObject, Sendable {
  func enqueue(_ job: UnownedJob)
  func enqueue(_ job: consuming Job)
  func enqueue(_ job: consuming ExecutorJob)
}

protocol SchedulableExecutor : Executor {
  #if !$Embedded
  func enqueue<C>(_ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C) where C : Clock
  func enqueue<C>(_ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C) where C : Clock
  #endif
}

protocol SerialExecutor : Executor {
  func enqueue(_ job: UnownedJob)
  func enqueue(_ job: consuming Job)
  func enqueue(_ job: consuming ExecutorJob)
  func asUnownedSerialExecutor() -> UnownedSerialExecutor
  func isSameExclusiveExecutionContext(other: Self) -> Bool
  func checkIsolated()
  func isIsolatingCurrentContext() -> Bool?
}

protocol TaskExecutor : Executor {
  func enqueue(_ job: UnownedJob)
  func enqueue(_ job: consuming Job)
  func enqueue(_ job: consuming ExecutorJob)
  func asUnownedTaskExecutor() -> UnownedTaskExecutor
}

protocol RunLoopExecutor : Executor {
  func run() throws
  func runUntil(_ condition: () -> Bool) throws
  func stop()
}

protocol MainExecutor : RunLoopExecutor, SerialExecutor {}

protocol ExecutorFactory {
  #if !$Embedded
  static var mainExecutor: any MainExecutor { get }
  #endif
  static var defaultExecutor: any TaskExecutor { get }
}

@frozen struct UnownedSerialExecutor : Sendable {
  var executor: Builtin.Executor
}

@frozen struct UnownedTaskExecutor : Sendable, Equatable {
  var executor: Builtin.Executor
}

struct AsyncCompactMapSequence<Base, ElementOfResult> : AsyncSequence where Base : AsyncSequence {
  let base: Base
  let transform: (Base.Element) async -> ElementOfResult?
  typealias Element = ElementOfResult
  typealias Failure = Base.Failure
  typealias AsyncIterator = AsyncCompactMapSequence<Base, ElementOfResult>.Iterator
  struct Iterator : AsyncIteratorProtocol {
    typealias Element = ElementOfResult
    var baseIterator: Base.AsyncIterator
    let transform: (Base.Element) async -> ElementOfResult?
    typealias Failure = Base.Failure
  }
}
extension AsyncCompactMapSequence : Sendable where Base : Sendable, ElementOfResult : Sendable, Base.Element : Sendable {}
extension AsyncCompactMapSequence.Iterator : Sendable where ElementOfResult : Sendable, Base.AsyncIterator : Sendable, Base.Element : Sendable {}

struct AsyncDropFirstSequence<Base> : AsyncSequence where Base : AsyncSequence {
  let base: Base
  let count: Int
  typealias Element = Base.Element
  typealias Failure = Base.Failure
  typealias AsyncIterator = AsyncDropFirstSequence<Base>.Iterator
  struct Iterator : AsyncIteratorProtocol {
    var baseIterator: Base.AsyncIterator
    var count: Int
    typealias Element = Base.Element
    typealias Failure = Base.Failure
  }
}
extension AsyncDropFirstSequence : Sendable where Base : Sendable, Base.Element : Sendable {}
extension AsyncDropFirstSequence.Iterator : Sendable where Base.AsyncIterator : Sendable, Base.Element : Sendable {}

struct AsyncDropWhileSequence<Base> : AsyncSequence where Base : AsyncSequence {
  let base: Base
  let predicate: (Base.Element) async -> Bool
  typealias Element = Base.Element
  typealias Failure = Base.Failure
  typealias AsyncIterator = AsyncDropWhileSequence<Base>.Iterator
  struct Iterator : AsyncIteratorProtocol {
    var baseIterator: Base.AsyncIterator
    var predicate: ((Base.Element) async -> Bool)?
    typealias Element = Base.Element
    typealias Failure = Base.Failure
  }
}
extension AsyncDropWhileSequence : Sendable where Base : Sendable, Base.Element : Sendable {}
extension AsyncDropWhileSequence.Iterator : Sendable where Base.AsyncIterator : Sendable, Base.Element : Sendable {}

struct AsyncFilterSequence<Base> : AsyncSequence where Base : AsyncSequence {
  let base: Base
  let isIncluded: (Base.Element) async -> Bool
  typealias Element = Base.Element
  typealias Failure = Base.Failure
  typealias AsyncIterator = AsyncFilterSequence<Base>.Iterator
  struct Iterator : AsyncIteratorProtocol {
    var baseIterator: Base.AsyncIterator
    let isIncluded: (Base.Element) async -> Bool
    typealias Element = Base.Element
    typealias Failure = Base.Failure
  }
}
extension AsyncFilterSequence : Sendable where Base : Sendable, Base.Element : Sendable {}
extension AsyncFilterSequence.Iterator : Sendable where Base.AsyncIterator : Sendable, Base.Element : Sendable {}

struct AsyncFlatMapSequence<Base, SegmentOfResult> : AsyncSequence where Base : AsyncSequence, SegmentOfResult : AsyncSequence {
  let base: Base
  let transform: (Base.Element) async -> SegmentOfResult
  typealias Element = SegmentOfResult.Element
  typealias Failure = Base.Failure
  typealias AsyncIterator = AsyncFlatMapSequence<Base, SegmentOfResult>.Iterator
  struct Iterator : AsyncIteratorProtocol {
    var baseIterator: Base.AsyncIterator
    let transform: (Base.Element) async -> SegmentOfResult
    var currentIterator: SegmentOfResult.AsyncIterator?
    var finished: Bool
    typealias Element = SegmentOfResult.Element
    typealias Failure = Base.Failure
  }
}
extension AsyncFlatMapSequence : Sendable where Base : Sendable, SegmentOfResult : Sendable, Base.Element : Sendable, SegmentOfResult.Element : Sendable {}
extension AsyncFlatMapSequence.Iterator : Sendable where SegmentOfResult : Sendable, Base.AsyncIterator : Sendable, Base.Element : Sendable, SegmentOfResult.AsyncIterator : Sendable, SegmentOfResult.Element : Sendable {}

protocol AsyncIteratorProtocol<Element, Failure> where Self.Failure : Error {
  associatedtype Element
  associatedtype Failure = any Error
  mutating func next() async throws -> Self.Element?
  mutating func next(isolation actor: isolated (any Actor)?) async throws(Self.Failure) -> Self.Element?
}

struct AsyncMapSequence<Base, Transformed> : AsyncSequence where Base : AsyncSequence {
  let base: Base
  let transform: (Base.Element) async -> Transformed
  typealias Element = Transformed
  typealias Failure = Base.Failure
  typealias AsyncIterator = AsyncMapSequence<Base, Transformed>.Iterator
  struct Iterator : AsyncIteratorProtocol {
    var baseIterator: Base.AsyncIterator
    let transform: (Base.Element) async -> Transformed
    typealias Element = Transformed
    typealias Failure = Base.Failure
  }
}
extension AsyncMapSequence : Sendable where Base : Sendable, Transformed : Sendable, Base.Element : Sendable {}
extension AsyncMapSequence.Iterator : Sendable where Transformed : Sendable, Base.AsyncIterator : Sendable, Base.Element : Sendable {}

struct AsyncPrefixSequence<Base> : AsyncSequence where Base : AsyncSequence {
  let base: Base
  let count: Int
  typealias Element = Base.Element
  typealias Failure = Base.Failure
  typealias AsyncIterator = AsyncPrefixSequence<Base>.Iterator
  struct Iterator : AsyncIteratorProtocol {
    var baseIterator: Base.AsyncIterator
    var remaining: Int
    typealias Element = Base.Element
    typealias Failure = Base.Failure
  }
}
extension AsyncPrefixSequence : Sendable where Base : Sendable, Base.Element : Sendable {}
extension AsyncPrefixSequence.Iterator : Sendable where Base.AsyncIterator : Sendable, Base.Element : Sendable {}

struct AsyncPrefixWhileSequence<Base> : AsyncSequence where Base : AsyncSequence {
  let base: Base
  let predicate: (Base.Element) async -> Bool
  typealias Element = Base.Element
  typealias Failure = Base.Failure
  typealias AsyncIterator = AsyncPrefixWhileSequence<Base>.Iterator
  struct Iterator : AsyncIteratorProtocol {
    var predicateHasFailed: Bool
    var baseIterator: Base.AsyncIterator
    let predicate: (Base.Element) async -> Bool
    typealias Element = Base.Element
    typealias Failure = Base.Failure
  }
}
extension AsyncPrefixWhileSequence : Sendable where Base : Sendable, Base.Element : Sendable {}
extension AsyncPrefixWhileSequence.Iterator : Sendable where Base.AsyncIterator : Sendable, Base.Element : Sendable {}

protocol AsyncSequence<Element, Failure> where Self.AsyncIterator : AsyncIteratorProtocol, Self.Element == Self.AsyncIterator.Element, Self.Failure == Self.AsyncIterator.Failure {
  associatedtype AsyncIterator
  associatedtype Element
  associatedtype Failure = any Error
  __consuming func makeAsyncIterator() -> Self.AsyncIterator
}

struct AsyncThrowingCompactMapSequence<Base, ElementOfResult> : AsyncSequence where Base : AsyncSequence {
  let base: Base
  let transform: (Base.Element) async throws -> ElementOfResult?
  typealias Element = ElementOfResult
  typealias Failure = any Error
  typealias AsyncIterator = AsyncThrowingCompactMapSequence<Base, ElementOfResult>.Iterator
  struct Iterator : AsyncIteratorProtocol {
    typealias Element = ElementOfResult
    var baseIterator: Base.AsyncIterator
    let transform: (Base.Element) async throws -> ElementOfResult?
    var finished: Bool
    typealias Failure = any Error
  }
}
extension AsyncThrowingCompactMapSequence : Sendable where Base : Sendable, Base.Element : Sendable {}
extension AsyncThrowingCompactMapSequence.Iterator : Sendable where Base.AsyncIterator : Sendable, Base.Element : Sendable {}

struct AsyncThrowingDropWhileSequence<Base> : AsyncSequence where Base : AsyncSequence {
  let base: Base
  let predicate: (Base.Element) async throws -> Bool
  typealias Element = Base.Element
  typealias Failure = any Error
  typealias AsyncIterator = AsyncThrowingDropWhileSequence<Base>.Iterator
  struct Iterator : AsyncIteratorProtocol {
    var baseIterator: Base.AsyncIterator
    let predicate: (Base.Element) async throws -> Bool
    var finished: Bool
    var doneDropping: Bool
    typealias Element = Base.Element
    typealias Failure = any Error
  }
}
extension AsyncThrowingDropWhileSequence : Sendable where Base : Sendable, Base.Element : Sendable {}
extension AsyncThrowingDropWhileSequence.Iterator : Sendable where Base.AsyncIterator : Sendable, Base.Element : Sendable {}

struct AsyncThrowingFilterSequence<Base> : AsyncSequence where Base : AsyncSequence {
  let base: Base
  let isIncluded: (Base.Element) async throws -> Bool
  typealias Element = Base.Element
  typealias Failure = any Error
  typealias AsyncIterator = AsyncThrowingFilterSequence<Base>.Iterator
  struct Iterator : AsyncIteratorProtocol {
    var baseIterator: Base.AsyncIterator
    let isIncluded: (Base.Element) async throws -> Bool
    var finished: Bool
    typealias Element = Base.Element
    typealias Failure = any Error
  }
}
extension AsyncThrowingFilterSequence : Sendable where Base : Sendable, Base.Element : Sendable {}
extension AsyncThrowingFilterSequence.Iterator : Sendable where Base.AsyncIterator : Sendable, Base.Element : Sendable {}

struct AsyncThrowingFlatMapSequence<Base, SegmentOfResult> : AsyncSequence where Base : AsyncSequence, SegmentOfResult : AsyncSequence {
  let base: Base
  let transform: (Base.Element) async throws -> SegmentOfResult
  typealias Element = SegmentOfResult.Element
  typealias Failure = any Error
  typealias AsyncIterator = AsyncThrowingFlatMapSequence<Base, SegmentOfResult>.Iterator
  struct Iterator : AsyncIteratorProtocol {
    var baseIterator: Base.AsyncIterator
    let transform: (Base.Element) async throws -> SegmentOfResult
    var currentIterator: SegmentOfResult.AsyncIterator?
    var finished: Bool
    typealias Element = SegmentOfResult.Element
    typealias Failure = any Error
  }
}
extension AsyncThrowingFlatMapSequence : Sendable where Base : Sendable, SegmentOfResult : Sendable, Base.Element : Sendable, SegmentOfResult.Element : Sendable {}
extension AsyncThrowingFlatMapSequence.Iterator : Sendable where SegmentOfResult : Sendable, Base.AsyncIterator : Sendable, Base.Element : Sendable, SegmentOfResult.AsyncIterator : Sendable, SegmentOfResult.Element : Sendable {}

struct AsyncThrowingMapSequence<Base, Transformed> : AsyncSequence where Base : AsyncSequence {
  let base: Base
  let transform: (Base.Element) async throws -> Transformed
  typealias Element = Transformed
  typealias Failure = any Error
  typealias AsyncIterator = AsyncThrowingMapSequence<Base, Transformed>.Iterator
  struct Iterator : AsyncIteratorProtocol {
    var baseIterator: Base.AsyncIterator
    let transform: (Base.Element) async throws -> Transformed
    var finished: Bool
    typealias Element = Transformed
    typealias Failure = any Error
  }
}
extension AsyncThrowingMapSequence : Sendable where Base : Sendable, Transformed : Sendable, Base.Element : Sendable {}
extension AsyncThrowingMapSequence.Iterator : Sendable where Transformed : Sendable, Base.AsyncIterator : Sendable, Base.Element : Sendable {}

struct AsyncThrowingPrefixWhileSequence<Base> : AsyncSequence where Base : AsyncSequence {
  let base: Base
  let predicate: (Base.Element) async throws -> Bool
  typealias Element = Base.Element
  typealias Failure = any Error
  typealias AsyncIterator = AsyncThrowingPrefixWhileSequence<Base>.Iterator
  struct Iterator : AsyncIteratorProtocol {
    var predicateHasFailed: Bool
    var baseIterator: Base.AsyncIterator
    let predicate: (Base.Element) async throws -> Bool
    typealias Element = Base.Element
    typealias Failure = any Error
  }
}
extension AsyncThrowingPrefixWhileSequence : Sendable where Base : Sendable, Base.Element : Sendable {}
extension AsyncThrowingPrefixWhileSequence.Iterator : Sendable where Base.AsyncIterator : Sendable, Base.Element : Sendable {}

@frozen struct UnownedJob : Sendable, CustomStringConvertible {
  var context: Builtin.Job
}

@frozen struct Job : Sendable, ~Copyable {
  var context: Builtin.Job
}

@frozen struct ExecutorJob : Sendable, ~Copyable {
  var context: Builtin.Job
  @frozen struct Kind : Sendable, RawRepresentable {
    typealias RawValue = UInt8
    var rawValue: UInt8
  }
  struct LocalAllocator {
    var context: Builtin.Job
  }
}

@frozen struct JobPriority : Sendable, Equatable, Comparable {
  typealias RawValue = UInt8
  var rawValue: UInt8
}

@frozen struct UnsafeContinuation<T, E> : Sendable where E : Error {
  var context: Builtin.RawUnsafeContinuation
}

protocol GlobalActor where Self.ActorType : Actor {
  associatedtype ActorType
  static var shared: Self.ActorType { get }
  static var sharedUnownedExecutor: UnownedSerialExecutor { get }
}

final class _DefaultGlobalConcurrentExecutor : TaskExecutor {
  #if !$Embedded
  init()
  #endif
}

#if !$Embedded
@globalActor final actor MainActor : GlobalActor, Actor {
  final var unownedExecutor: UnownedSerialExecutor { get }
  typealias ActorType = MainActor
  init()
}
#endif
struct PriorityQueue<T> {
  var storage: [T]
  var compare: (borrowing T, borrowing T) -> Bool
}

@frozen struct Task<Success, Failure> : Sendable, Hashable, Equatable where Success : Sendable, Failure : Error {
  let _task: Builtin.NativeObject
}
extension Task where Success == Never, Failure == Never {
  typealias Priority = TaskPriority
  typealias Handle = Task
  typealias Group<TaskResult> = ThrowingTaskGroup<TaskResult, any Error> where TaskResult : Sendable
  typealias SleepContinuation = UnsafeContinuation<(), any Error>
  enum SleepState {
    case notStarted
    case activeContinuation(UnsafeContinuation<(), any Error>)
    case finished
    case cancelled
    case cancelledBeforeStarted
  }
  struct UnsafeSleepStateToken : Sendable {
    let wordPtr: UnsafeMutablePointer<Builtin.Word>
  }
}

struct TaskPriority : RawRepresentable, Sendable, Equatable, Comparable, CustomStringConvertible {
  typealias RawValue = UInt8
  var rawValue: UInt8
}
#if !$Embedded
extension TaskPriority : Decodable, Encodable {}
#endif

struct JobFlags {
  var bits: Int32
  enum Kind : Int32, Equatable, Hashable, RawRepresentable {
    case task
    typealias RawValue = Int32
  }
}

struct UnsafeCurrentTask : Hashable, Equatable {
  let _task: Builtin.NativeObject
}

struct CancellationError : Error {}

@frozen struct TaskGroup<ChildTaskResult> : AsyncSequence where ChildTaskResult : Sendable {
  let _group: Builtin.RawPointer
  typealias AsyncIterator = TaskGroup<ChildTaskResult>.Iterator
  typealias Element = ChildTaskResult
  typealias Failure = Never
  struct Iterator : AsyncIteratorProtocol {
    typealias Element = ChildTaskResult
    var group: TaskGroup<ChildTaskResult>
    var finished: Bool
    typealias Failure = Never
  }
}

@frozen struct ThrowingTaskGroup<ChildTaskResult, Failure> : AsyncSequence where ChildTaskResult : Sendable, Failure : Error {
  let _group: Builtin.RawPointer
  typealias AsyncIterator = ThrowingTaskGroup<ChildTaskResult, Failure>.Iterator
  typealias Element = ChildTaskResult
  struct Iterator : AsyncIteratorProtocol {
    typealias Element = ChildTaskResult
    var group: ThrowingTaskGroup<ChildTaskResult, Failure>
    var finished: Bool
  }
}

enum PollStatus : Int, Equatable, Hashable, RawRepresentable {
  case empty
  case waiting
  case success
  case error
  typealias RawValue = Int
}

struct TaskGroupFlags {
  var bits: Int32
}

@frozen struct DiscardingTaskGroup {
  let _group: Builtin.RawPointer
}

@frozen struct ThrowingDiscardingTaskGroup<Failure> where Failure : Error {
  let _group: Builtin.RawPointer
}

final class TaskLocal<Value> : Sendable, CustomStringConvertible where Value : Sendable {
  let defaultValue: Value
  init(wrappedValue defaultValue: Value)
}

final class _AsyncStreamCriticalStorage<Contents> : Sendable {
  var _value: Contents
  init(_doNotCallMe: ())
}

struct AsyncStream<Element> : AsyncSequence {
  let context: AsyncStream<Element>._Context
  typealias AsyncIterator = AsyncStream<Element>.Iterator
  typealias Failure = Never
  struct Continuation : Sendable, Hashable {
    let storage: AsyncStream<Element>._Storage
    enum Termination : Sendable, Equatable, Hashable {
      case finished
      case cancelled
    }
    enum YieldResult {
      case enqueued(remaining: Int)
      case dropped(Element)
      case terminated
    }
    enum BufferingPolicy : Sendable {
      case unbounded
      case bufferingOldest(Int)
      case bufferingNewest(Int)
    }
  }
  final class _Context {
    let storage: AsyncStream<Element>._Storage?
    let produce: () async -> Element?
  }
  final class _Storage : Sendable {
    typealias TerminationHandler = @Sendable (AsyncStream<Element>.Continuation.Termination) -> ()
    var state: AsyncStream<Element>._Storage.State
    struct State {
      var continuations: [UnsafeContinuation<Element?, Never>]
      var pending: _Deque<Element>
      let limit: AsyncStream<Element>.Continuation.BufferingPolicy
      var onTermination: (@Sendable (AsyncStream<Element>.Continuation.Termination) -> ())?
      var terminal: Bool
    }
  }
  struct Iterator : AsyncIteratorProtocol {
    let context: AsyncStream<Element>._Context
    typealias Failure = Never
  }
}
extension AsyncStream : Sendable where Element : Sendable {}
extension AsyncStream.Continuation.YieldResult : Sendable where Element : Sendable {}

struct AsyncThrowingStream<Element, Failure> : AsyncSequence where Failure : Error {
  let context: AsyncThrowingStream<Element, Failure>._Context
  typealias AsyncIterator = AsyncThrowingStream<Element, Failure>.Iterator
  struct Continuation : Sendable, Hashable {
    let storage: AsyncThrowingStream<Element, Failure>._Storage
    enum Termination : Sendable {
      case finished(Failure?)
      case cancelled
    }
    enum YieldResult {
      case enqueued(remaining: Int)
      case dropped(Element)
      case terminated
    }
    enum BufferingPolicy : Sendable {
      case unbounded
      case bufferingOldest(Int)
      case bufferingNewest(Int)
    }
  }
  final class _Context {
    let storage: AsyncThrowingStream<Element, Failure>._Storage?
    let produce: () async throws(Failure) -> Element?
  }
  final class _Storage : Sendable {
    typealias TerminationHandler = @Sendable (AsyncThrowingStream<Element, Failure>.Continuation.Termination) -> ()
    var state: AsyncThrowingStream<Element, Failure>._Storage.State
    enum Terminal {
      case finished
      case failed(Failure)
    }
    struct State {
      var continuation: UnsafeContinuation<Element?, any Error>?
      var pending: _Deque<Element>
      let limit: AsyncThrowingStream<Element, Failure>.Continuation.BufferingPolicy
      var onTermination: (@Sendable (AsyncThrowingStream<Element, Failure>.Continuation.Termination) -> ())?
      var terminal: AsyncThrowingStream<Element, Failure>._Storage.Terminal?
    }
  }
  struct Iterator : AsyncIteratorProtocol {
    let context: AsyncThrowingStream<Element, Failure>._Context
  }
}
extension AsyncThrowingStream : Sendable where Element : Sendable {}
extension AsyncThrowingStream.Continuation.YieldResult : Sendable where Element : Sendable {}

class _DequeBuffer<Element> : ManagedBuffer<_DequeBufferHeader, Element>, CustomStringConvertible {
  #if $Embedded
  override init(_doNotCallMe: ())
  #endif
}

struct _DequeBufferHeader : CustomStringConvertible {
  var capacity: Int
  var count: Int
  var startSlot: _DequeSlot
}

struct _DequeSlot : CustomStringConvertible, Equatable, Comparable {
  var position: Int
}

struct _UnsafeWrappedBuffer<Element> {
  let first: UnsafeBufferPointer<Element>
  let second: UnsafeBufferPointer<Element>?
}

struct _UnsafeMutableWrappedBuffer<Element> {
  let first: UnsafeMutableBufferPointer<Element>
  let second: UnsafeMutableBufferPointer<Element>?
}

struct _Deque<Element> : Sequence, RandomAccessCollection, MutableCollection, RangeReplaceableCollection, ExpressibleByArrayLiteral {
  typealias _Slot = _DequeSlot
  var _storage: _Deque<Element>._Storage
  typealias Index = Int
  typealias SubSequence = Slice<_Deque<Element>>
  typealias Indices = Range<Int>
  typealias ArrayLiteralElement = Element
  struct _Storage : CustomStringConvertible {
    typealias _Buffer = ManagedBufferPointer<_DequeBufferHeader, Element>
    var _buffer: ManagedBufferPointer<_DequeBufferHeader, Element>
    typealias Index = Int
    typealias _UnsafeHandle = _Deque<Element>._UnsafeHandle
  }
  struct _UnsafeHandle {
    let _header: UnsafeMutablePointer<_DequeBufferHeader>
    let _elements: UnsafeMutablePointer<Element>
    typealias Slot = _DequeSlot
  }
  struct Iterator : IteratorProtocol {
    var _storage: _Deque<Element>._Storage
    var _nextSlot: _DequeSlot
    var _endSlot: _DequeSlot
  }
}
#if !$Embedded
extension _Deque : CustomDebugStringConvertible, CustomReflectable, CustomStringConvertible {}
extension _Deque : Encodable where Element : Encodable {}
extension _Deque : Decodable where Element : Decodable {}
#endif
extension _Deque : Equatable where Element : Equatable {}
extension _Deque : Hashable where Element : Hashable {}

protocol Clock<Duration> : Sendable where Self.Duration == Self.Instant.Duration, Self.Instant : InstantProtocol {
  associatedtype Duration
  associatedtype Instant
  var now: Self.Instant { get }
  var minimumResolution: Self.Duration { get }
  func sleep(until deadline: Self.Instant, tolerance: Self.Instant.Duration?) async throws
}

enum _ClockID : Int32, Equatable, Hashable, RawRepresentable {
  case continuous
  case suspending
  typealias RawValue = Int32
}

struct ContinuousClock : Sendable, Clock {
  typealias Duration = Swift.Duration
  struct Instant : Sendable, InstantProtocol {
    var _value: Duration
    typealias Duration = Swift.Duration
    #if !$Embedded
    enum CodingKeys : CodingKey, Equatable, Hashable {
      case _value
    }
    #endif
  }
}
#if !$Embedded
extension ContinuousClock.Instant : Decodable, Encodable {}
#endif

struct SuspendingClock : Sendable, Clock {
  typealias Duration = Swift.Duration
  struct Instant : Sendable, InstantProtocol {
    var _value: Duration
    typealias Duration = Swift.Duration
    #if !$Embedded
    enum CodingKeys : CodingKey, Equatable, Hashable {
      case _value
    }
    #endif
  }
}
#if !$Embedded
extension SuspendingClock.Instant : Decodable, Encodable {}
#endif

final class UnimplementedMainExecutor : MainExecutor, Sendable {
  init()
}

final class UnimplementedTaskExecutor : TaskExecutor, Sendable {
  init()
}

class CooperativeExecutor : Executor, Sendable, SchedulableExecutor, RunLoopExecutor, SerialExecutor, TaskExecutor, MainExecutor {
  var runQueue: PriorityQueue<UnownedJob>
  var waitQueue: PriorityQueue<UnownedJob>
  var shouldStop: Bool
  init()
  func enqueue(_ job: consuming ExecutorJob)
  var isMainExecutor: Bool { get }
  var asSchedulable: any SchedulableExecutor { get }
  struct Duration {
    var seconds: Int64
    var nanoseconds: Int64
  }
  struct Timestamp : Comparable {
    var seconds: Int64
    var nanoseconds: Int64
  }
}

struct PlatformExecutorFactory : ExecutorFactory {}

#if !$Embedded
class DispatchMainExecutor : RunLoopExecutor, Sendable, SerialExecutor, SchedulableExecutor, MainExecutor, DispatchExecutorProtocol {
  var threaded: Bool
  init()
  func run() throws
  func stop()
}

class DispatchGlobalTaskExecutor : TaskExecutor, SchedulableExecutor, Sendable, DispatchExecutorProtocol {
  init()
  func enqueue(_ job: consuming ExecutorJob)
  var isMainExecutor: Bool { get }
  func enqueue<C>(_ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration? = nil, clock: C) where C : Clock
}

protocol DispatchExecutorProtocol : Executor {
  func timestamp<C>(for instant: C.Instant, clock: C) -> (clockID: DispatchClockID, seconds: Int64, nanoseconds: Int64) where C : Clock
  func delay<C>(from duration: C.Duration, clock: C) -> (seconds: Int64, nanoseconds: Int64) where C : Clock
}

enum DispatchClockID : Int32, Equatable, Hashable, RawRepresentable {
  case continuous
  case suspending
  typealias RawValue = Int32
}
#endif

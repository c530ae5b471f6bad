// Swift: the key path classes and what they are built of.

typealias KeyPathComputedArgumentLayoutFn = @convention(thin) (UnsafeRawPointer?) -> (size: Int, alignmentMask: Int)
typealias KeyPathComputedArgumentInitializerFn = @convention(thin) (UnsafeRawPointer?, UnsafeMutableRawPointer) -> ()
typealias MetadataReference = UnsafeRawPointer

class AnyKeyPath : _AppendKeyPath, Hashable, CustomDebugStringConvertible {
  final var _kvcKeyPathStringPtr: UnsafePointer<Int8>?
  #if !$Embedded
  var _kvcKeyPathString: String? { get }
  init()
  #endif
  class var _rootAndValueType: (root: any Any.Type, value: any Any.Type) { get }
  var _storedInlineOffset: Int? { get }
}

class PartialKeyPath<Root> : AnyKeyPath {}

enum KeyPathKind : Equatable, Hashable {
  case readOnly, value, reference
}

class KeyPath<Root, Value> : PartialKeyPath<Root> {
  typealias Kind = KeyPathKind
  class var kind: KeyPathKind { get }
}

class WritableKeyPath<Root, Value> : KeyPath<Root, Value> {
  override class var kind: KeyPathKind { get }
  #if !$Embedded
  func _projectMutableAddress(from base: UnsafePointer<Root>) -> (pointer: UnsafeMutablePointer<Value>, owner: AnyObject?)
  #endif
}

class ReferenceWritableKeyPath<Root, Value> : WritableKeyPath<Root, Value> {}

enum KeyPathComponentKind : Equatable, Hashable {
  case external
  case `struct`
  case `class`
  case computed
  case optionalChain
  case optionalForce
  case optionalWrap
}

struct ComputedPropertyID : Hashable {
  var value: Int
  var kind: KeyPathComputedIDKind
}

struct ComputedAccessorsPtr {
  let _value: UnsafeRawPointer
  typealias Getter<CurValue, NewValue> = @convention(thin) (CurValue, UnsafeRawPointer, Int) -> NewValue
  typealias NonmutatingSetter<CurValue, NewValue> = @convention(thin) (NewValue, CurValue, UnsafeRawPointer, Int) -> ()
  typealias MutatingSetter<CurValue, NewValue> = @convention(thin) (NewValue, inout CurValue, UnsafeRawPointer, Int) -> ()
}

struct ComputedArgumentWitnessesPtr {
  let _value: UnsafeRawPointer
  typealias Destroy = @convention(thin) (UnsafeMutableRawPointer, Int) -> ()
  typealias Copy = @convention(thin) (UnsafeRawPointer, UnsafeMutableRawPointer, Int) -> ()
  typealias Equals = @convention(thin) (UnsafeRawPointer, UnsafeRawPointer, Int) -> Bool
  typealias Hash = @convention(thin) (UnsafeRawPointer, Int) -> Int
}

enum KeyPathComponent : Hashable {
  case `struct`(offset: Int)
  case `class`(offset: Int)
  case get(id: ComputedPropertyID, accessors: ComputedAccessorsPtr, argument: KeyPathComponent.ArgumentRef?)
  case mutatingGetSet(id: ComputedPropertyID, accessors: ComputedAccessorsPtr, argument: KeyPathComponent.ArgumentRef?)
  case nonmutatingGetSet(id: ComputedPropertyID, accessors: ComputedAccessorsPtr, argument: KeyPathComponent.ArgumentRef?)
  case optionalChain
  case optionalForce
  case optionalWrap
  struct ArgumentRef {
    var data: UnsafeRawBufferPointer
    var witnesses: ComputedArgumentWitnessesPtr
    var witnessSizeAdjustment: Int
  }
}

final class ClassHolder<ProjectionType> {
  typealias AccessRecord = Builtin.UnsafeValueBuffer
  var previous: AnyObject?
  var instance: AnyObject
  init(previous: AnyObject?, instance: AnyObject)
}

final class MutatingWritebackBuffer<CurValue, NewValue> {
  let previous: AnyObject?
  let base: UnsafeMutablePointer<CurValue>
  let set: @convention(thin) (NewValue, inout CurValue, UnsafeRawPointer, Int) -> ()
  let argument: UnsafeRawPointer
  let argumentSize: Int
  var value: NewValue
  #if !$Embedded
  init(previous: AnyObject?, base: UnsafeMutablePointer<CurValue>, set: @escaping @convention(thin) (NewValue, inout CurValue, UnsafeRawPointer, Int) -> (), argument: UnsafeRawPointer, argumentSize: Int, value: NewValue)
  #endif
}

final class NonmutatingWritebackBuffer<CurValue, NewValue> {
  let previous: AnyObject?
  let base: CurValue
  let set: @convention(thin) (NewValue, CurValue, UnsafeRawPointer, Int) -> ()
  let argument: UnsafeRawPointer
  let argumentSize: Int
  var value: NewValue
  #if !$Embedded
  init(previous: AnyObject?, base: CurValue, set: @escaping @convention(thin) (NewValue, CurValue, UnsafeRawPointer, Int) -> (), argument: UnsafeRawPointer, argumentSize: Int, value: NewValue)
  #endif
}

enum KeyPathComputedIDKind : Equatable, Hashable {
  case pointer
  case storedPropertyIndex
  case vtableOffset
}

enum KeyPathComputedIDResolution : Equatable, Hashable {
  case resolved
  case resolvedAbsolute
  case indirectPointer
  case functionCall
}

struct RawKeyPathComponent {
  var header: RawKeyPathComponent.Header
  var body: UnsafeRawBufferPointer
  struct Header {
    var _value: UInt32
  }
}

struct KeyPathBuffer {
  var data: UnsafeRawBufferPointer
  var trivial: Bool
  var hasReferencePrefix: Bool
  var isSingleComponent: Bool
  struct Builder {
    var buffer: UnsafeMutableRawBufferPointer
  }
  struct Header {
    var _value: UInt32
  }
}

protocol _AppendKeyPath {}

enum KeyPathStructOrClass : Equatable, Hashable {
  case `struct`, `class`
}

enum KeyPathPatternStoredOffset {
  case inline(UInt32)
  case outOfLine(UInt32)
  case unresolvedFieldOffset(UInt32)
  case unresolvedIndirectOffset(UnsafePointer<UInt>)
}

struct KeyPathPatternComputedArguments {
  var getLayout: @convention(thin) (UnsafeRawPointer?) -> (size: Int, alignmentMask: Int)
  var witnesses: ComputedArgumentWitnessesPtr
  var initializer: @convention(thin) (UnsafeRawPointer?, UnsafeMutableRawPointer) -> ()
}

protocol KeyPathPatternVisitor {
  mutating func visitHeader(genericEnvironment: UnsafeRawPointer?, rootMetadataRef: UnsafeRawPointer, leafMetadataRef: UnsafeRawPointer, kvcCompatibilityString: UnsafeRawPointer?)
  mutating func visitStoredComponent(kind: KeyPathStructOrClass, mutable: Bool, offset: KeyPathPatternStoredOffset)
  mutating func visitComputedComponent(mutating: Bool, idKind: KeyPathComputedIDKind, idResolution: KeyPathComputedIDResolution, idValueBase: UnsafeRawPointer, idValue: Int32, getter: UnsafeRawPointer, setter: UnsafeRawPointer?, arguments: KeyPathPatternComputedArguments?, externalArgs: UnsafeBufferPointer<Int32>?)
  mutating func visitOptionalChainComponent()
  mutating func visitOptionalForceComponent()
  mutating func visitOptionalWrapComponent()
  mutating func visitIntermediateComponentType(metadataRef: UnsafeRawPointer)
  mutating func finish()
}

struct GetKeyPathClassAndInstanceSizeFromPattern : KeyPathPatternVisitor {
  var size: Int
  var sizeWithMaxSize: Int
  var capability: KeyPathKind
  var didChain: Bool
  var root: (any Any.Type)!
  var leaf: (any Any.Type)!
  var genericEnvironment: UnsafeRawPointer?
  let patternArgs: UnsafeRawPointer?
  var structOffset: UInt32
  var isPureStruct: [Bool]
}

struct InstantiateKeyPathBuffer : KeyPathPatternVisitor {
  var destData: UnsafeMutableRawBufferPointer
  var genericEnvironment: UnsafeRawPointer?
  let patternArgs: UnsafeRawPointer?
  var base: any Any.Type
  var structOffset: UInt32
  var isPureStruct: [Bool]
  var maxSize: Int
  var isTrivial: Bool
  var endOfReferencePrefixComponent: UnsafeMutableRawPointer?
  var previousComponentAddr: UnsafeMutableRawPointer?
}

// Swift: Mirror, ObjectIdentifier.

#if !$Embedded
typealias NameFreeFunc = @convention(c) (UnsafePointer<Int8>?) -> ()
#endif

@frozen struct ObjectIdentifier : Sendable, CustomDebugStringConvertible, Equatable, Comparable, Hashable {
  let _value: Builtin.RawPointer
}

#if !$Embedded
struct _EachFieldOptions : OptionSet, Sendable {
  var rawValue: UInt32
  typealias ArrayLiteralElement = _EachFieldOptions
  typealias Element = _EachFieldOptions
  typealias RawValue = UInt32
}

enum _MetadataKind : UInt, Sendable, Equatable, Hashable, RawRepresentable {
  case `class`
  case `struct`
  case `enum`
  case optional
  case foreignClass
  case opaque
  case tuple
  case function
  case existential
  case metatype
  case objcClassWrapper
  case existentialMetatype
  case heapLocalVariable
  case heapGenericLocalVariable
  case errorObject
  case unknown
  typealias RawValue = UInt
}
#endif
struct Mirror {
  #if $Embedded
  typealias Child = (label: String?, value: Any)
  typealias Children = AnyCollection<(label: String?, value: Any)>
  #endif
  let subjectType: any Any.Type
  let children: AnyCollection<(label: String?, value: Any)>
  let displayStyle: Mirror.DisplayStyle?
  #if !$Embedded
  let _makeSuperclassMirror: () -> Mirror?
  let _defaultDescendantRepresentation: Mirror._DefaultDescendantRepresentation
  typealias Child = (label: String?, value: Any)
  typealias Children = AnyCollection<(label: String?, value: Any)>
  #endif
  #if !$Embedded
  enum _DefaultDescendantRepresentation : Equatable, Hashable {
    case generated
    case suppressed
  }
  #endif
  enum AncestorRepresentation {
    case generated
    case customized(() -> Mirror)
    case suppressed
  }
  enum DisplayStyle : Sendable {
    case `struct`, `class`, `enum`, tuple, optional, collection
    case dictionary, set
    case foreignReference
  }
  #if !$Embedded
  struct _Dummy : CustomReflectable {
    var mirror: Mirror
  }
  #endif
}
#if !$Embedded
extension Mirror : CustomStringConvertible, CustomReflectable {}
extension Mirror.DisplayStyle : Equatable, Hashable {}
#endif

protocol CustomReflectable {
  var customMirror: Mirror { get }
}

protocol CustomLeafReflectable : CustomReflectable {}

protocol MirrorPath {}

#if !$Embedded
protocol CustomPlaygroundDisplayConvertible {
  var playgroundDescription: Any { get }
}
#endif

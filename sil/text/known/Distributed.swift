// Distributed: distributed actors, actor systems, and the encoders and decoders of remote calls. The library may change
// its structs and classes, so that they have no storage here.

protocol DistributedActor : AnyObject, Hashable, Identifiable, Sendable where Self.ActorSystem : DistributedActorSystem, Self.ID == Self.ActorSystem.ActorID, Self.SerializationRequirement == Self.ActorSystem.SerializationRequirement {
  associatedtype ActorSystem
  associatedtype SerializationRequirement
  var actorSystem: Self.ActorSystem { get }
  var unownedExecutor: UnownedSerialExecutor { get }
  static func resolve(id: Self.ID, using system: Self.ActorSystem) throws -> Self
}

protocol _DistributedActorStub : DistributedActor {}

protocol DistributedActorSystem<SerializationRequirement> : Sendable where Self.ActorID : Hashable, Self.ActorID : Sendable, Self.InvocationDecoder : DistributedTargetInvocationDecoder, Self.InvocationEncoder : DistributedTargetInvocationEncoder, Self.ResultHandler : DistributedTargetInvocationResultHandler, Self.SerializationRequirement == Self.InvocationDecoder.SerializationRequirement, Self.InvocationDecoder.SerializationRequirement == Self.InvocationEncoder.SerializationRequirement, Self.InvocationEncoder.SerializationRequirement == Self.ResultHandler.SerializationRequirement {
  associatedtype ActorID
  associatedtype InvocationEncoder
  associatedtype InvocationDecoder
  associatedtype ResultHandler
  associatedtype SerializationRequirement
  func resolve<Act>(id: Self.ActorID, as actorType: Act.Type) throws -> Act? where Act : DistributedActor, Self.ActorID == Act.ID
  func assignID<Act>(_ actorType: Act.Type) -> Self.ActorID where Act : DistributedActor, Self.ActorID == Act.ID
  func actorReady<Act>(_ actor: Act) where Act : DistributedActor, Self.ActorID == Act.ID
  func resignID(_ id: Self.ActorID)
  func makeInvocationEncoder() -> Self.InvocationEncoder
  func remoteCall<Act, Err, Res>(on actor: Act, target: RemoteCallTarget, invocation: inout Self.InvocationEncoder, throwing: Err.Type, returning: Res.Type) async throws -> Res where Act : DistributedActor, Err : Error, Self.ActorID == Act.ID
  func remoteCallVoid<Act, Err>(on actor: Act, target: RemoteCallTarget, invocation: inout Self.InvocationEncoder, throwing: Err.Type) async throws where Act : DistributedActor, Err : Error, Self.ActorID == Act.ID
  func invokeHandlerOnReturn(handler: Self.ResultHandler, resultBuffer: UnsafeRawPointer, metatype: any Any.Type) async throws
}

protocol DistributedTargetInvocationEncoder<SerializationRequirement> {
  associatedtype SerializationRequirement
  mutating func recordGenericSubstitution<T>(_ type: T.Type) throws
  mutating func recordArgument<Value>(_ argument: RemoteCallArgument<Value>) throws
  mutating func recordErrorType<E>(_ type: E.Type) throws where E : Error
  mutating func recordReturnType<R>(_ type: R.Type) throws
  mutating func doneRecording() throws
}

protocol DistributedTargetInvocationDecoder<SerializationRequirement> {
  associatedtype SerializationRequirement
  mutating func decodeGenericSubstitutions() throws -> [any Any.Type]
  mutating func decodeNextArgument<Argument>() throws -> Argument
  mutating func decodeErrorType() throws -> (any Any.Type)?
  mutating func decodeReturnType() throws -> (any Any.Type)?
}

protocol DistributedTargetInvocationResultHandler<SerializationRequirement> {
  associatedtype SerializationRequirement
  func onReturn<Success>(value: Success) async throws
  func onReturnVoid() async throws
  func onThrow<Err>(error: Err) async throws where Err : Error
}

protocol DistributedActorSystemError : Error {}

struct RemoteCallTarget : CustomStringConvertible, Hashable {}

struct RemoteCallArgument<Value> {}

struct ExecuteDistributedTargetError : DistributedActorSystemError {
  enum ErrorCode : Hashable {
    case targetAccessorNotFound
    case invalidParameterCount
    case missingGenericSubstitutions
    case invalidGenericSubstitutions
    case typeDeserializationFailure
    case other
  }
}

struct DistributedActorCodingError : DistributedActorSystemError {}

final class DistributedRemoteActorReferenceExecutor : SerialExecutor {}

final class LocalTestingDistributedActorSystem : DistributedActorSystem, @unchecked Sendable {
  typealias ActorID = LocalTestingActorID
  typealias ResultHandler = LocalTestingInvocationResultHandler
  typealias InvocationEncoder = LocalTestingInvocationEncoder
  typealias InvocationDecoder = LocalTestingInvocationDecoder
  typealias SerializationRequirement = Decodable & Encodable
  struct ActorIDProvider {}
  init()
}

struct LocalTestingActorID : Hashable, Sendable, Decodable, Encodable {}

struct LocalTestingInvocationEncoder : DistributedTargetInvocationEncoder {
  typealias SerializationRequirement = Decodable & Encodable
}

final class LocalTestingInvocationDecoder : DistributedTargetInvocationDecoder {
  typealias SerializationRequirement = Decodable & Encodable
}

struct LocalTestingInvocationResultHandler : DistributedTargetInvocationResultHandler {
  typealias SerializationRequirement = Decodable & Encodable
}

struct LocalTestingDistributedActorSystemError : DistributedActorSystemError {}

class _Lock {
  init()
  func withLock<T>(_ body: () -> T) -> T
}

// Observation: what observes properties of observable classes. The library may change these types, so that they have no storage here.

protocol Observable {}

struct ObservationRegistrar : Sendable, Decodable, Encodable, Hashable {}

struct ObservationTracking : Sendable {}

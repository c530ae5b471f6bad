//! The types and protocols of the standard library that have letters of their own (`KNOWN-TYPE-KIND` in
//! docs/ABI/Mangling.rst): `S` and a letter, or `Sc` and a letter for those of concurrency.

use super::spelling::Nominal;

/// A type with letters of its own.
pub(super) struct StandardType {
    /// The letters after `S`.
    pub(super) letters: &'static str,
    pub(super) nominal: Nominal,
    pub(super) name: &'static str,
}

/// The type whose letters `text` begins with.
pub(super) fn at_start_of(text: &[u8]) -> Option<&'static StandardType> {
    STANDARD_TYPES.iter().find(|ty| text.starts_with(ty.letters.as_bytes()))
}

/// The type of module `Swift` that is called `name`.
pub(super) fn named(name: &str) -> Option<&'static StandardType> {
    STANDARD_TYPES.iter().find(|ty| ty.name == name)
}

/// The name of a module in symbols: the library's part for concurrency has the symbols of the module `Swift` (its
/// `-module-abi-name`).
pub fn module_in_symbols(module: &str) -> &str {
    match module {
        "_Concurrency" => "Swift",
        other => other,
    }
}

/// Whether the type `name` of `module` has letters of its own.
pub fn is_standard_type(module: &str, name: &str) -> bool {
    module_in_symbols(module) == "Swift" && named(name).is_some()
}

const fn ty(letters: &'static str, nominal: Nominal, name: &'static str) -> StandardType {
    StandardType { letters, nominal, name }
}

use Nominal::{Class, Enum, Protocol, Structure};

const STANDARD_TYPES: &[StandardType] = &[
    ty("A", Structure, "AutoreleasingUnsafeMutablePointer"),
    ty("a", Structure, "Array"),
    ty("b", Structure, "Bool"),
    ty("D", Structure, "Dictionary"),
    ty("d", Structure, "Double"),
    ty("f", Structure, "Float"),
    ty("h", Structure, "Set"),
    ty("I", Structure, "DefaultIndices"),
    ty("i", Structure, "Int"),
    ty("J", Structure, "Character"),
    ty("N", Structure, "ClosedRange"),
    ty("n", Structure, "Range"),
    ty("O", Structure, "ObjectIdentifier"),
    ty("P", Structure, "UnsafePointer"),
    ty("p", Structure, "UnsafeMutablePointer"),
    ty("R", Structure, "UnsafeBufferPointer"),
    ty("r", Structure, "UnsafeMutableBufferPointer"),
    ty("S", Structure, "String"),
    ty("s", Structure, "Substring"),
    ty("u", Structure, "UInt"),
    ty("V", Structure, "UnsafeRawPointer"),
    ty("v", Structure, "UnsafeMutableRawPointer"),
    ty("W", Structure, "UnsafeRawBufferPointer"),
    ty("w", Structure, "UnsafeMutableRawBufferPointer"),
    ty("q", Enum, "Optional"),
    ty("B", Protocol, "BinaryFloatingPoint"),
    ty("E", Protocol, "Encodable"),
    ty("e", Protocol, "Decodable"),
    ty("F", Protocol, "FloatingPoint"),
    ty("G", Protocol, "RandomNumberGenerator"),
    ty("H", Protocol, "Hashable"),
    ty("j", Protocol, "Numeric"),
    ty("K", Protocol, "BidirectionalCollection"),
    ty("k", Protocol, "RandomAccessCollection"),
    ty("L", Protocol, "Comparable"),
    ty("l", Protocol, "Collection"),
    ty("M", Protocol, "MutableCollection"),
    ty("m", Protocol, "RangeReplaceableCollection"),
    ty("Q", Protocol, "Equatable"),
    ty("T", Protocol, "Sequence"),
    ty("t", Protocol, "IteratorProtocol"),
    ty("U", Protocol, "UnsignedInteger"),
    ty("X", Protocol, "RangeExpression"),
    ty("x", Protocol, "Strideable"),
    ty("Y", Protocol, "RawRepresentable"),
    ty("y", Protocol, "StringProtocol"),
    ty("Z", Protocol, "SignedInteger"),
    ty("z", Protocol, "BinaryInteger"),
    ty("cA", Protocol, "Actor"),
    ty("cC", Structure, "CheckedContinuation"),
    ty("cc", Structure, "UnsafeContinuation"),
    ty("cE", Structure, "CancellationError"),
    ty("ce", Structure, "UnownedSerialExecutor"),
    ty("cF", Protocol, "Executor"),
    ty("cf", Protocol, "SerialExecutor"),
    ty("cG", Structure, "TaskGroup"),
    ty("cg", Structure, "ThrowingTaskGroup"),
    ty("ch", Protocol, "TaskExecutor"),
    ty("cI", Protocol, "AsyncIteratorProtocol"),
    ty("ci", Protocol, "AsyncSequence"),
    ty("cJ", Structure, "UnownedJob"),
    ty("cM", Class, "MainActor"),
    ty("cP", Structure, "TaskPriority"),
    ty("cS", Structure, "AsyncStream"),
    ty("cs", Structure, "AsyncThrowingStream"),
    ty("cT", Structure, "Task"),
    ty("ct", Structure, "UnsafeCurrentTask"),
];

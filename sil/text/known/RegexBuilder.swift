// RegexBuilder: regular expressions made of components. The library may change all of these types, so that none of them has its storage here.

struct AlternationBuilder {}

struct Anchor : RegexComponent {
  typealias RegexOutput = Substring
}

struct Capture<Output> : RegexComponent {
  typealias RegexOutput = Output
}

extension Character : RegexComponent {
  typealias RegexOutput = Substring
}

struct CharacterClass : RegexComponent {
  typealias RegexOutput = Substring
}

struct ChoiceOf<Output> : RegexComponent {
  typealias RegexOutput = Output
}

struct Local<Output> : RegexComponent {
  typealias RegexOutput = Output
}

struct Lookahead<Output> : RegexComponent {
  typealias RegexOutput = Output
}

struct NegativeLookahead<Output> : RegexComponent {
  typealias RegexOutput = Output
}

struct One<Output> : RegexComponent {
  typealias RegexOutput = Output
}

struct OneOrMore<Output> : RegexComponent {
  typealias RegexOutput = Output
}

struct Optionally<Output> : RegexComponent {
  typealias RegexOutput = Output
}

struct Reference<Capture> : RegexComponent {
  typealias RegexOutput = Capture
}

enum RegexComponentBuilder {}

struct Repeat<Output> : RegexComponent {
  typealias RegexOutput = Output
}

extension String : RegexComponent {
  typealias RegexOutput = Substring
}

extension Substring : RegexComponent {
  typealias RegexOutput = Substring
}

struct TryCapture<Output> : RegexComponent {
  typealias RegexOutput = Output
}

extension Unicode.Scalar : RegexComponent {
  typealias RegexOutput = Substring
}

struct ZeroOrMore<Output> : RegexComponent {
  typealias RegexOutput = Output
}

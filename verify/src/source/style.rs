//! Styles: which of the forms that mean the same a program is written in.

use fun_base::rng::Rng;

/// A freedom that the writer of a program has. Without it the plainest form is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Feature {
    /// Names with apostrophes.
    Primes,
    /// Types of patterns left out, or written as ascriptions and coercions of the value.
    Ascription,
    /// `in` between declarations.
    In,
    /// A scalar where it is used instead of under a name.
    Nesting,
    /// Numbers in other bases, with `_`, or without a suffix.
    Literals,
    /// Operators as sections, in backticks, out of the modules of their types.
    Operators,
    /// `|>`, `<|`, `>->`, `<-<`.
    Pipes,
    /// Local functions, closures and partial applications.
    LocalFunctions,
    /// Functions of the prelude and of the program that take functions.
    HigherOrder,
    /// `match` instead of `if`.
    Match,
    /// Sum types.
    Sums,
    /// Records instead of tuples.
    Records,
    /// Components by projection instead of by pattern.
    Projections,
    /// Loops driven by another form.
    Loops,
    /// `let x[i] = v`.
    LetWith,
    /// Several brackets, sections of indices, parts of slices left out.
    Slices,
    /// Ranges instead of `iota`.
    Ranges,
    /// Several arrays as one array of tuples.
    Zips,
    /// Functions of the prelude that do the same.
    Prelude,
    /// Abbreviations of types, with size and type parameters.
    Abbreviations,
    /// Sizes bound by a pattern instead of a coercion.
    SizeBinding,
    /// Functions in modules.
    Modules,
    /// Parametric modules.
    Functors,
    /// Operators that the program defines.
    UserOperators,
    /// Comments.
    Comments,
    /// Attributes.
    Attributes,
    /// Parameters as one tuple or record.
    TupledParameters,
    /// Functions that work for all types.
    Polymorphism,
}

impl Feature {
    pub(super) const ALL: [Feature; 28] = [
        Feature::Primes,
        Feature::Ascription,
        Feature::In,
        Feature::Nesting,
        Feature::Literals,
        Feature::Operators,
        Feature::Pipes,
        Feature::LocalFunctions,
        Feature::HigherOrder,
        Feature::Match,
        Feature::Sums,
        Feature::Records,
        Feature::Projections,
        Feature::Loops,
        Feature::LetWith,
        Feature::Slices,
        Feature::Ranges,
        Feature::Zips,
        Feature::Prelude,
        Feature::Abbreviations,
        Feature::SizeBinding,
        Feature::Modules,
        Feature::Functors,
        Feature::UserOperators,
        Feature::Comments,
        Feature::Attributes,
        Feature::TupledParameters,
        Feature::Polymorphism,
    ];

    fn bit(self) -> u64 {
        1 << (self as u64)
    }
}

/// A style. Choices about a variable depend on the seed and on its tag alone, so that they stay when the program around it
/// shrinks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Style {
    seed: u64,
    allowed: u64,
}

impl Style {
    /// All freedoms, used as the seed says.
    pub(super) fn new(seed: u64) -> Style {
        Style { seed, allowed: u64::MAX }
    }

    /// No freedoms.
    pub(super) fn plain(self) -> Style {
        Style { allowed: 0, ..self }
    }

    /// Without one of them.
    pub(super) fn without(self, feature: Feature) -> Style {
        Style { allowed: self.allowed & !feature.bit(), ..self }
    }

    /// The choices about a variable.
    pub(super) fn dice(self, tag: u32) -> Dice {
        let mixed = Rng::new(self.seed ^ u64::from(tag).wrapping_mul(0x9e37_79b9_7f4a_7c15)).next_u64();
        Dice { rng: Rng::new(mixed), allowed: self.allowed }
    }
}

/// A sequence of choices. What is drawn does not depend on which freedoms there are.
#[derive(Clone, Debug)]
pub(super) struct Dice {
    rng: Rng,
    allowed: u64,
}

impl Dice {
    /// Whether to use a freedom, so many times in a hundred.
    pub(super) fn takes(&mut self, feature: Feature, percent: usize) -> bool {
        let wish = self.rng.chance(percent);
        wish && self.allowed & feature.bit() != 0
    }

    /// Which of `n` forms to use; 0 is the plain one.
    pub(super) fn form(&mut self, feature: Feature, n: usize) -> usize {
        let wish = self.rng.below(n);
        if self.allowed & feature.bit() != 0 { wish } else { 0 }
    }

    /// A number below `n`, for the details of a form.
    pub(super) fn below(&mut self, n: usize) -> usize {
        self.rng.below(n)
    }

    /// A coin for choices between equally plain forms.
    pub(super) fn coin(&mut self) -> bool {
        self.rng.chance(50)
    }
}

//! Properties: entry points that must give `true` for all arguments.
//!
//! `#[prop(gen(f), shrink(g), size(n))]` as in Futhark: `f` makes an argument from a size and a seed, `g` a smaller one from an
//! argument and a random number. Without `f` arguments are random values of their types; without `g` such arguments are shrunk by
//! halving sizes and numbers.

use super::program::Subject;
use super::{Options, Outcome};
use crate::constructors::choose_constructors;
use fun_base::prim::PrimValue;
use fun_base::rng::Rng;
use fun_base::run::RunError;
use fun_base::value::Value;
use fun_frontend::lower::EntryInfo;
use fun_verify::{random_inputs_up_to, shrink_inputs};

/// How many arguments a property is tried on.
const CANDIDATES: u64 = 100;

/// The largest size of an argument, unless the property says another.
const SIZE: i64 = 100;

/// Runs that shrinking may spend.
const SHRINKING: usize = 500;

/// What `#[prop(…)]` says.
#[derive(Debug, Default, PartialEq, Eq)]
struct Settings {
    generator: Option<String>,
    shrinker: Option<String>,
    size: Option<i64>,
}

impl Settings {
    /// From the attribute's text; `None` where it is another attribute.
    fn of(attribute: &str) -> Option<Result<Settings, String>> {
        let text: String = attribute.chars().filter(|c| !c.is_whitespace()).collect();
        let rest = text.strip_prefix("prop")?;
        if rest.is_empty() {
            return Some(Ok(Settings::default()));
        }
        let parts = rest.strip_prefix('(')?.strip_suffix(')')?;
        Some(Settings::of_parts(parts).ok_or_else(|| format!("can't read the attribute `{attribute}`")))
    }

    fn of_parts(parts: &str) -> Option<Settings> {
        let mut settings = Settings::default();
        for part in parts.split(',').filter(|part| !part.is_empty()) {
            let (what, argument) = part.strip_suffix(')')?.split_once('(')?;
            match what {
                "gen" => settings.generator = Some(argument.to_owned()),
                "shrink" => settings.shrinker = Some(argument.to_owned()),
                "size" => settings.size = Some(argument.trim_end_matches("i64").parse().ok()?),
                _ => return None,
            }
        }
        Some(settings)
    }
}

impl Subject {
    /// Tries a property on many arguments.
    pub(super) fn property(&self, name: &str, options: &Options) -> Outcome {
        match self.counterexample(name, options) {
            Ok(None) => Outcome::Passed(Some(format!("{CANDIDATES} arguments tried"))),
            Ok(Some(text)) => Outcome::Failed(text),
            Err(message) => Outcome::Failed(message),
        }
    }

    fn info(&self, name: &str) -> Result<&EntryInfo, String> {
        let found = self.infos.iter().find(|info| info.name == name);
        found.ok_or_else(|| format!("there is no entry point `{name}`"))
    }

    fn call(&self, name: &str, args: &[Value], options: &Options) -> Result<Vec<Value>, RunError> {
        if options.compiled {
            self.run_code(name, args, options.time)
        } else {
            self.interpret(name, args, options.steps)
        }
    }

    /// The smallest argument found for which the property does not hold, as text.
    fn counterexample(&self, name: &str, options: &Options) -> Result<Option<String>, String> {
        let info = self.info(name)?;
        let mut settings = info.attributes.iter().filter_map(|attribute| Settings::of(attribute));
        let settings =
            settings.next().ok_or_else(|| format!("`{name}` has no attribute `#[prop]`")).flatten()?;
        let size = settings.size.unwrap_or(SIZE);
        if let Some(generator) = &settings.generator {
            let (made, wanted) = (&self.info(generator)?.gives, info.takes.first());
            if info.takes.len() != 1 || Some(made) != wanted {
                return Err(format!(
                    "the generator `{generator}` makes {made}, which `{name}` does not take"
                ));
            }
        }
        let mut rng = Rng::new(options.seed);
        for _ in 0..CANDIDATES {
            let seed = rng.next_u64();
            let candidate = match &settings.generator {
                Some(generator) => {
                    let args = [Value::Prim(PrimValue::I64(size)), Value::Prim(PrimValue::U64(seed))];
                    self.call(generator, &args, options)
                        .map_err(|error| format!("the generator `{generator}` stopped: {error}"))?
                }
                None => {
                    let mut candidate = random_inputs_up_to(&self.program, name, seed, size);
                    choose_constructors(&info.takes, &mut candidate);
                    candidate
                }
            };
            if let Some(why) = self.violated(name, &candidate, options) {
                let smallest = self.shrunk(name, &settings, candidate, &mut rng, options)?;
                let why = self.violated(name, &smallest, options).unwrap_or(why);
                let values: Vec<String> = smallest.iter().map(shown).collect();
                return Ok(Some(format!("{why} for the arguments\n{}", values.join("\n"))));
            }
        }
        Ok(None)
    }

    /// How a property fails for an argument, if it does.
    fn violated(&self, name: &str, candidate: &[Value], options: &Options) -> Option<String> {
        match self.call(name, candidate, options) {
            Ok(results) => match results.as_slice() {
                [Value::Prim(PrimValue::Bool(true))] => None,
                [Value::Prim(PrimValue::Bool(false))] => Some("the property is false".to_owned()),
                _ => Some("the property does not give a bool".to_owned()),
            },
            Err(error) => Some(format!("the property stops ({error})")),
        }
    }

    fn shrunk(
        &self,
        name: &str,
        settings: &Settings,
        candidate: Vec<Value>,
        rng: &mut Rng,
        options: &Options,
    ) -> Result<Vec<Value>, String> {
        let mut fails = |candidate: &[Value]| self.violated(name, candidate, options).is_some();
        match (&settings.shrinker, &settings.generator) {
            (Some(shrinker), _) => {
                let mut best = candidate;
                for _ in 0..SHRINKING {
                    let mut args = best.clone();
                    args.push(Value::Prim(PrimValue::U64(rng.next_u64())));
                    let smaller = self
                        .call(shrinker, &args, options)
                        .map_err(|error| format!("the shrinker `{shrinker}` stopped: {error}"))?;
                    if fails(&smaller) {
                        best = smaller;
                    }
                }
                Ok(best)
            }
            // what a generator makes may have invariants that only it knows
            (None, Some(_)) => Ok(candidate),
            (None, None) => Ok(shrink_inputs(candidate, SHRINKING, &mut fails)),
        }
    }
}

/// A value, or the beginning of a long one.
fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(300) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes() {
        assert_eq!(Settings::of("prop"), Some(Ok(Settings::default())));
        let full =
            Settings { generator: Some("foo".to_owned()), shrinker: Some("bar".to_owned()), size: Some(10) };
        assert_eq!(Settings::of("prop(gen(foo), shrink(bar), size(10))"), Some(Ok(full)));
        assert_eq!(Settings::of("inline"), None);
        assert!(Settings::of("prop(size(x))").is_some_and(|settings| settings.is_err()));
    }
}

//! Functions inside of modules, behind module types, and out of parametric modules.

use super::code::nested;
use super::raise::Raiser;
use super::style::{Dice, Feature};
use fun::ir::Function;
use std::collections::BTreeSet;

impl Raiser<'_> {
    /// The declaration of a function, perhaps in a module of its own. What calls it learns where it is.
    pub(super) fn in_module(
        &mut self,
        dice: &mut Dice,
        function: &Function,
        sizes: &str,
        result: &str,
        text: String,
    ) -> String {
        let form = dice.form(Feature::Modules, 16);
        if form == 0 || form > 9 || !dice.takes(Feature::Functors, 100) && form > 5 {
            return text;
        }
        let (module, name) = (self.own("m"), function.name);
        let inner = nested(&text);
        let spec = format!("val {name}{sizes} : {}", self.function_type(dice, function, result));
        let (declaration, opened) = match form {
            1 => (format!("module {module} = {{\n  {inner}\n}}"), false),
            2 => (format!("module {module} = {{\n  {inner}\n}}\nopen {module}"), true),
            3 => (format!("module {module}: {{ {spec} }} = {{\n  {inner}\n}}"), false),
            4 => (
                format!(
                    "module type t{module} = {{ {spec} }}\nlocal module {module}: t{module} = {{\n  {inner}\n}}"
                ),
                false,
            ),
            5 => (
                format!(
                    "module o{module} = {{\nmodule i{module} = {{\n  {inner}\n}} : {{ {spec} }}\n}}\nmodule {module} = o{module}.i{module}"
                ),
                false,
            ),
            6 => (
                format!(
                    "module f{module} (P: {{ val unit : () }}) = {{\n  {inner}\n}}\nmodule {module} = f{module} {{ def unit = () }}"
                ),
                false,
            ),
            7 => (
                format!(
                    "module f{module} (P: {{ type t }}) (Q: {{ type^ u }}): {{ {spec} }} = {{\n  {inner}\n}}\nmodule {module} = f{module} {{ type t = i32 }} {{ type^ u = i32 -> i32 }}"
                ),
                false,
            ),
            8 => (
                format!(
                    "module f{module} = \\(P: {{ type t [n] 'a  val zero : i32 }}): ({{ {spec} }}) -> {{\n  {inner}\n}}\nopen f{module} {{ type t [n] 'a = [n]a  def zero = 0i32 }}"
                ),
                true,
            ),
            _ => (format!("local open {{\n  {inner}\n}}"), true),
        };
        if !opened && let Some(signature) = self.signatures.get_mut(&name) {
            signature.path = format!("{module}.{name}");
        }
        declaration
    }

    /// The type of a function, for a module type.
    fn function_type(&mut self, dice: &mut Dice, function: &Function, result: &str) -> String {
        let Some(signature) = self.signatures.get(&function.name).cloned() else { return result.to_owned() };
        let passed = function.params.iter().zip(&signature.params).filter(|(_, passed)| **passed);
        let passed: Vec<_> = passed.map(|(param, _)| param).collect();
        let mentioned: BTreeSet<_> = function
            .params
            .iter()
            .chain(&function.results)
            .flat_map(|param| param.binder.ty.shape().iter().filter_map(|size| size.as_var()))
            .collect();
        let mut known: BTreeSet<_> = passed.iter().map(|param| param.binder.var).collect();
        let mut parts = Vec::new();
        for param in passed {
            let var = param.binder.var;
            known.remove(&var);
            let star = if param.unique { "*" } else { "" };
            let ty = format!("{star}{}", self.ty_without(&param.binder.ty, &known));
            let named = mentioned.contains(&var) || !signature.tupled && dice.coin();
            parts.push(if named { format!("({}: {ty})", self.var(var).text) } else { ty });
        }
        match (parts.is_empty(), signature.tupled) {
            (true, _) => format!("() -> {result}"),
            (false, true) => format!("({}) -> {result}", parts.join(", ")),
            (false, false) => format!("{} -> {result}", parts.join(" -> ")),
        }
    }
}

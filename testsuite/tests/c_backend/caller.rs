//! Programs in C that call the entry points of a library, compare what they give, and free all of it.

use fun_base::prim::PrimType;
use fun_base::value::{Value, ValueType};
use fun_c::library::Library;
use std::fmt::Write;
use std::process::Command;

/// What all callers begin with.
const HEAD: &str = r#"#include "library.h"
#include <stdlib.h>
#include <string.h>

static int wrong, known_sizes;

/* Memory of its own for each argument, without a byte to spare. */
static void *copy_of(const void *bytes, size_t count) {
    void *copy = malloc(count == 0 ? 1 : count);
    return memcpy(copy, bytes, count);
}

static void check(struct futhark_context *ctx, const char *what, int status, int fails) {
    char *text = futhark_context_get_error(ctx);
    if ((status != 0) != fails || (text != NULL) != fails) {
        fprintf(stderr, "%s: code %d, error %s\n", what, status, text == NULL ? "none" : text);
        wrong = 1;
    }
    free(text);
}

/* Equal bits, or numbers that are none (`nan` is the width of the float). */
static void compare(const char *what, const void *found, const void *wanted, size_t count, int nan) {
    const char *x = found, *y = wanted;
    for (size_t k = 0; k < count; k += nan == 0 ? count : (size_t)nan) {
        if (memcmp(x + k, y + k, nan == 0 ? count : (size_t)nan) != 0) {
            float f[2];
            double d[2];
            memcpy(nan == 4 ? (void *)&f[0] : (void *)&d[0], x + k, nan == 4 ? 4 : nan == 8 ? 8 : 0);
            memcpy(nan == 4 ? (void *)&f[1] : (void *)&d[1], y + k, nan == 4 ? 4 : nan == 8 ? 8 : 0);
            if (!(nan == 4 && f[0] != f[0] && f[1] != f[1]) && !(nan == 8 && d[0] != d[0] && d[1] != d[1])) {
                fprintf(stderr, "%s differs\n", what);
                wrong = 1;
                return;
            }
        }
    }
}

"#;

/// A program while it is written.
#[derive(Default)]
pub(crate) struct Caller {
    functions: String,
    calls: String,
}

fn bytes(value: &Value) -> Vec<u8> {
    match value {
        Value::Prim(x) => x.bits().to_le_bytes()[..x.prim_type().bytes() as usize].to_vec(),
        Value::Array(array) => array.data.to_bytes(),
    }
}

/// Bytes as the initialiser of an array.
fn initialiser(bytes: &[u8]) -> String {
    let bytes: Vec<String> = bytes.iter().map(ToString::to_string).collect();
    if bytes.is_empty() { "{0}".to_owned() } else { format!("{{{}}}", bytes.join(",")) }
}

fn c_type(ty: PrimType) -> String {
    match ty {
        PrimType::F16 => "uint16_t".to_owned(),
        PrimType::F32 => "float".to_owned(),
        PrimType::F64 => "double".to_owned(),
        PrimType::Bool => "bool".to_owned(),
        PrimType::Unit => "uint8_t".to_owned(),
        int => format!("{}int{}_t", if int.is_unsigned() { "u" } else { "" }, int.bits()),
    }
}

/// `i32_2d`.
fn array_name(ty: ValueType) -> String {
    format!("{}_{}d", ty.elem, ty.rank)
}

/// The type of a result, a pointer for all but scalars.
fn result_type(ty: ValueType) -> String {
    if ty.rank == 0 { c_type(ty.elem) } else { format!("struct futhark_{} *", array_name(ty)) }
}

fn numbers(numbers: impl IntoIterator<Item = i64>) -> String {
    numbers.into_iter().map(|n| format!(", {n}")).collect()
}

/// The width of a float whose bits may differ where it is no number; 0 for other types.
fn nan_width(ty: PrimType) -> u32 {
    if matches!(ty, PrimType::F32 | PrimType::F64) { ty.bytes() } else { 0 }
}

impl Caller {
    /// Calls the entry point of the program of this seed, which gives `wanted` or fails.
    pub(crate) fn call(&mut self, seed: u64, inputs: &[Value], wanted: Option<&[Value]>) {
        let (mut text, mut arguments, mut ends) = (String::new(), String::new(), String::new());
        for (k, input) in inputs.iter().enumerate() {
            let ty = input.value_type();
            arguments += &format!(", in{k}");
            if ty.rank == 0 {
                let initial = initialiser(&bytes(input));
                text += &format!("    static const unsigned char d{k}[] = {initial};\n");
                text +=
                    &format!("    {0} in{k};\n    memcpy(&in{k}, d{k}, sizeof in{k});\n", c_type(ty.elem));
            } else {
                self.array(&mut text, k, input, seed);
                ends += &format!("    futhark_free_{}(ctx, in{k});\n    free(m{k});\n", array_name(ty));
            }
        }
        let _ = write!(self.functions, "static void p{seed}(struct futhark_context *ctx) {{\n{text}");
        if let Some(wanted) = wanted {
            self.functions += &sizes(seed, wanted, &arguments);
        }
        let call = |out: &str| format!("int status = futhark_entry_p{seed}_main(ctx, {out}{arguments});");
        let check = |fails: u8| format!("    check(ctx, \"p{seed}\", status, {fails});\n");
        match wanted {
            // nothing is written where a call fails, so that the type does not matter
            None => {
                self.functions +=
                    &format!("    void *out = NULL;\n    {}\n{}", call("(void *)&out"), check(1));
            }
            Some([one]) => {
                let ty = result_type(one.value_type());
                self.functions += &format!("    {ty} out;\n    {}\n{}", call("&out"), check(0));
                self.functions += &format!("    if (status == 0) {{\n{}    }}\n", result("out", 0, one));
            }
            Some(several) => {
                let opaque = tuple_name(several);
                self.functions +=
                    &format!("    struct futhark_{opaque} *out;\n    {}\n{}", call("&out"), check(0));
                self.functions += "    if (status == 0) {\n";
                for (k, value) in several.iter().enumerate() {
                    self.functions += &format!(
                        "        {} out{k};\n        check(ctx, \"projection\", futhark_project_{opaque}_{k}(ctx, &out{k}, out), 0);\n{}",
                        result_type(value.value_type()),
                        result(&format!("out{k}"), k, value)
                    );
                }
                self.functions += &format!("        futhark_free_{opaque}(ctx, out);\n    }}\n");
            }
        }
        self.functions += &format!("{ends}}}\n\n");
        self.calls += &format!("    p{seed}(ctx);\n");
    }

    /// Makes argument `k`: a copy, an array on the caller's memory, or a view of it from the last row to the first, by turns.
    fn array(&self, text: &mut String, k: usize, input: &Value, seed: u64) {
        let (ty, shape, mut bytes) = (input.value_type(), input.shape(), bytes(input));
        let (name, way) = (array_name(ty), (seed + k as u64) % 3);
        let row: i64 = shape[1..].iter().product();
        if way == 2 && !bytes.is_empty() {
            let width = bytes.len() / shape[0] as usize;
            bytes = bytes.chunks(width).rev().flatten().copied().collect();
        }
        let (count, initial, dims) = (bytes.len(), initialiser(&bytes), numbers(shape.iter().copied()));
        *text += &format!("    static const unsigned char d{k}[] = {initial};\n");
        *text += &format!("    void *m{k} = copy_of(d{k}, {count});\n");
        let made = match way {
            0 => format!("futhark_new_{name}(ctx, m{k}{dims})"),
            1 => format!("futhark_new_raw_{name}(ctx, m{k}{dims})"),
            _ => {
                let inner = (1..shape.len()).map(|d| shape[d + 1..].iter().product());
                let strides = numbers([-row].into_iter().chain(inner));
                format!("fun_new_view_{name}(ctx, m{k}, {}{strides}{dims})", (shape[0] - 1).max(0) * row)
            }
        };
        *text += &format!("    struct futhark_{name} *in{k} = {made};\n");
    }

    /// Compiles the program with these files of the library, sources or objects, and runs it.
    pub(crate) fn run(&self, library: &Library, files: &[(&str, &[u8])]) -> Result<(), String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let Caller { functions, calls } = self;
        let main = format!(
            "{HEAD}{functions}int main(void) {{\n    struct futhark_context_config *cfg = futhark_context_config_new();\n    \
             struct futhark_context *ctx = futhark_context_new(cfg);\n{calls}    \
             if (fun_context_bytes(ctx) != 0) {{\n        fprintf(stderr, \"bytes are left\\n\");\n        wrong = 1;\n    }}\n    \
             futhark_context_free(ctx);\n    futhark_context_config_free(cfg);\n    if (known_sizes == 0) {{\n        fprintf(stderr, \"no sizes are known\\n\");\n        wrong = 1;\n    }}\n    return wrong;\n}}\n"
        );
        let own = [("library.h", library.header.as_bytes()), ("main.c", main.as_bytes())];
        for (name, text) in own.iter().chain(files) {
            std::fs::write(folder.path().join(name), text).map_err(|error| error.to_string())?;
        }
        let flags =
            "-g -O1 -std=c11 -Wall -Wextra -Werror -fno-strict-aliasing -ffp-contract=off -fno-math-errno";
        let sanitizers = "-fsanitize=address,undefined -fno-sanitize-recover=all";
        let compile = |flags: &str| {
            let mut command = Command::new("cc");
            command.args(flags.split(' ')).arg("main.c").args(files.iter().map(|(name, _)| name));
            command.args(["-o", "main", "-pthread", "-lm"]).current_dir(folder.path()).output()
        };
        let made =
            compile(&format!("{flags} {sanitizers}")).map_err(|error| format!("skipped: cc: {error}"))?;
        let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        if !made.status.success() {
            let without = compile(flags).map_err(|error| error.to_string())?;
            let reason = if without.status.success() { "skipped: no AddressSanitizer: " } else { "" };
            return Err(format!("{reason}{}", said(&made.stderr)));
        }
        let ran = Command::new(folder.path().join("main")).output().map_err(|error| error.to_string())?;
        if ran.status.success() { Ok(()) } else { Err(said(&ran.stderr)) }
    }
}

/// Asks for the sizes of results, which are right or not known before the call.
fn sizes(seed: u64, wanted: &[Value], arguments: &str) -> String {
    let arrays: Vec<&Value> = wanted.iter().filter(|value| value.value_type().rank > 0).collect();
    if arrays.is_empty() {
        return String::new();
    }
    let (mut text, mut outs, mut checks) = (String::new(), String::new(), String::new());
    for (k, array) in arrays.iter().enumerate() {
        text += &format!("    int64_t shape{k}[{}];\n", array.shape().len());
        outs += &format!(", shape{k}");
        for (d, size) in array.shape().iter().enumerate() {
            checks += &format!(" && shape{k}[{d}] == {size}");
        }
    }
    let bytes: usize = arrays.iter().map(|array| bytes(array).len()).sum();
    text += &format!(
        "    int64_t bytes;\n    int known = fun_sizes_p{seed}_main(ctx, &bytes{outs}{arguments});\n"
    );
    text += &format!("    check(ctx, \"sizes of p{seed}\", known, known == 1);\n");
    text += &format!("    if (known == 0 && !(bytes == {bytes}{checks})) {{\n");
    text +=
        &format!("        fprintf(stderr, \"sizes of p{seed} differ\\n\");\n        wrong = 1;\n    }}\n");
    text + "    known_sizes += known == 0;\n"
}

/// Compares a result with what is wanted, and frees it.
fn result(found: &str, k: usize, wanted: &Value) -> String {
    let (ty, bytes) = (wanted.value_type(), bytes(wanted));
    let initial = initialiser(&bytes);
    let mut text = format!("        static const unsigned char w{k}[] = {initial};\n");
    let (count, nan) = (bytes.len(), nan_width(ty.elem));
    if ty.rank == 0 {
        return text + &format!("        compare(\"result {k}\", &{found}, w{k}, {count}, {nan});\n");
    }
    let name = array_name(ty);
    for (d, size) in wanted.shape().iter().enumerate() {
        text += &format!(
            "        if (futhark_shape_{name}(ctx, {found})[{d}] != {size}) {{\n            wrong = 1;\n            return;\n        }}\n"
        );
    }
    text + &format!(
        "        compare(\"result {k}\", futhark_values_raw_{name}(ctx, {found}), w{k}, {count}, {nan});\n        futhark_free_{name}(ctx, {found});\n"
    )
}

/// The name of the type of several results.
fn tuple_name(values: &[Value]) -> String {
    let part = |value: &Value| {
        let ty = value.value_type();
        if ty.rank == 0 { ty.elem.to_string() } else { format!("arr{}d_{}", ty.rank, ty.elem) }
    };
    match values {
        [] => "opaque_unit".to_owned(),
        _ => format!("opaque_tup{}_{}", values.len(), values.iter().map(part).collect::<Vec<_>>().join("_")),
    }
}

//! The C interface of a library: Futhark's functions for contexts, arrays, opaque values and entry points, as declarations for the header
//! and as definitions that call the functions on tables.

use super::interface::{EntryInterface, Leaf, NamedType, TypeForm};
use super::named::Types;
use super::names::{c_name, opaque_name};
use crate::types::c_type;
use std::collections::BTreeMap;

/// A function that a library shows: its head without `;`, and its body.
pub(super) struct Function {
    pub(super) head: String,
    pub(super) body: String,
}

fn function(head: impl Into<String>, body: impl Into<String>) -> Function {
    Function { head: head.into(), body: body.into() }
}

/// The functions of a type and their names by operation, as manifests list them.
pub(super) struct TypeFunctions {
    pub(super) functions: Vec<Function>,
    pub(super) names: BTreeMap<String, String>,
}

impl TypeFunctions {
    fn add(&mut self, operation: impl Into<String>, name: &str, head: &str, body: &str) {
        self.names.insert(operation.into(), name.to_owned());
        self.functions.push(function(head, body));
    }
}

/// The type in C of values: scalars as they are, others as pointers to a `struct`.
pub(super) fn c_struct(ty: &NamedType) -> String {
    match &ty.form {
        TypeForm::Plain(Leaf { elem, rank: 0 }) => c_type(*elem).to_owned(),
        TypeForm::Plain(Leaf { elem, rank }) => format!("struct futhark_{elem}_{rank}d"),
        TypeForm::Record(_) | TypeForm::Sum { .. } | TypeForm::Array(..) => {
            format!("struct futhark_{}", opaque_name(&ty.name))
        }
    }
}

fn is_scalar(ty: &NamedType) -> bool {
    matches!(ty.form, TypeForm::Plain(Leaf { rank: 0, .. }))
}

/// A parameter that is read.
fn input(ty: &NamedType, name: &str) -> String {
    if is_scalar(ty) {
        format!("const {} {name}", c_struct(ty))
    } else {
        format!("const {} *{name}", c_struct(ty))
    }
}

/// The address of the value of such a parameter.
fn address(ty: &NamedType, name: &str) -> String {
    if is_scalar(ty) { format!("&{name}") } else { name.to_owned() }
}

/// A parameter where a value goes.
fn output(ty: &NamedType, name: &str) -> String {
    if is_scalar(ty) { format!("{} *{name}", c_struct(ty)) } else { format!("{} **{name}", c_struct(ty)) }
}

/// `, const int32_t in0, …` and the list of their addresses.
fn inputs<'t>(types: impl Iterator<Item = &'t NamedType>, prefix: &str) -> (String, String) {
    let (mut params, mut addresses) = (String::new(), Vec::new());
    for (k, ty) in types.enumerate() {
        let name = format!("{prefix}{k}");
        params += &format!(", {}", input(ty, &name));
        addresses.push(address(ty, &name));
    }
    // C has no empty lists
    addresses.push("NULL".to_owned());
    (params, format!("    const void *const values[] = {{{}}};\n", addresses.join(", ")))
}

/// `, int64_t dim0, …` and the list of them.
pub(super) fn numbers(prefix: &str, rank: usize) -> (String, String) {
    let names: Vec<String> = (0..rank).map(|k| format!("{prefix}{k}")).collect();
    let params = names.iter().map(|name| format!(", int64_t {name}")).collect();
    (params, format!("    const int64_t {prefix}s[] = {{{}}};\n", names.join(", ")))
}

pub(super) const CTX: &str = "struct futhark_context *ctx";

/// The functions on a type that is no scalar.
pub(super) fn of_type(types: &Types, ty: &NamedType) -> TypeFunctions {
    let mut made = TypeFunctions { functions: Vec::new(), names: BTreeMap::new() };
    match &ty.form {
        TypeForm::Plain(leaf) => of_array(&mut made, ty, *leaf),
        TypeForm::Record(_) | TypeForm::Sum { .. } | TypeForm::Array(..) => of_opaque(&mut made, types, ty),
    }
    made
}

fn of_array(made: &mut TypeFunctions, ty: &NamedType, leaf: Leaf) {
    let (elem, rank, c_struct) = (c_type(leaf.elem), leaf.rank, c_struct(ty));
    let (tag, short) = (format!("FUN_{}", leaf.elem.name().to_uppercase()), format!("{}_{rank}d", leaf.elem));
    let name = |operation: &str| format!("futhark_{operation}_{short}");
    let (dims, dim_list) = numbers("dim", rank);
    let (indices, index_list) = numbers("i", rank);
    let new = name("new");
    made.add(
        "new",
        &new,
        &format!("{c_struct} *{new}({CTX}, const {elem} *data{dims})"),
        &format!("{dim_list}    return ({c_struct} *)fun_array_new(ctx, {tag}, {rank}, dims, data);\n"),
    );
    let raw = name("new_raw");
    made.add(
        "new_raw",
        &raw,
        &format!("{c_struct} *{raw}({CTX}, unsigned char *data{dims})"),
        &format!("{dim_list}    return ({c_struct} *)fun_array_foreign(ctx, {tag}, {rank}, dims, data);\n"),
    );
    let free = name("free");
    made.add(
        "free",
        &free,
        &format!("int {free}({CTX}, {c_struct} *arr)"),
        "    fun_array_free(ctx, (struct fun_array *)arr);\n    return FUTHARK_SUCCESS;\n",
    );
    let values = name("values");
    made.add(
        "values",
        &values,
        &format!("int {values}({CTX}, {c_struct} *arr, {elem} *data)"),
        "    return fun_array_values(ctx, (const struct fun_array *)arr, data);\n",
    );
    let raw = name("values_raw");
    made.add(
        "values_raw",
        &raw,
        &format!("unsigned char *{raw}({CTX}, {c_struct} *arr)"),
        "    (void)ctx;\n    return arr == NULL ? NULL : ((struct fun_array *)arr)->storage->data;\n",
    );
    let index = name("index");
    made.add(
        "index",
        &index,
        &format!("int {index}({CTX}, {elem} *out, {c_struct} *arr{indices})"),
        &format!("{index_list}    return fun_array_index(ctx, out, (const struct fun_array *)arr, is);\n"),
    );
    let shape = name("shape");
    made.add(
        "shape",
        &shape,
        &format!("const int64_t *{shape}({CTX}, {c_struct} *arr)"),
        "    (void)ctx;\n    return arr == NULL ? NULL : ((struct fun_array *)arr)->shape;\n",
    );
}

fn of_opaque(made: &mut TypeFunctions, types: &Types, ty: &NamedType) {
    let (c_struct, opaque, table) = (c_struct(ty), opaque_name(&ty.name), types.table(ty));
    let name = |operation: &str| format!("futhark_{operation}_{opaque}");
    let free = name("free");
    made.add(
        "free",
        &free,
        &format!("int {free}({CTX}, {c_struct} *obj)"),
        "    return fun_opaque_free(ctx, (struct fun_opaque *)obj);\n",
    );
    let store = name("store");
    made.add(
        "store",
        &store,
        &format!("int {store}({CTX}, const {c_struct} *obj, void **p, size_t *n)"),
        "    return fun_store(ctx, (const struct fun_opaque *)obj, p, n);\n",
    );
    let restore = name("restore");
    made.add(
        "restore",
        &restore,
        &format!("{c_struct} *{restore}({CTX}, const void *p)"),
        &format!("    return fun_restore(ctx, {table}, p);\n"),
    );
    match &ty.form {
        TypeForm::Record(fields) => {
            new_record(made, "new", ty, &table, fields.iter().map(|(_, ty)| ty));
            projections(made, ty, &table, fields);
        }
        TypeForm::Array(rank, element) => {
            if let TypeForm::Record(fields) = &element.form {
                let fields: Vec<_> =
                    fields.iter().map(|(name, ty)| (name.clone(), ty.clone().array(*rank))).collect();
                new_record(made, "zip", ty, &table, fields.iter().map(|(_, ty)| ty));
                projections(made, ty, &table, &fields);
            }
            elements(made, ty, &table, *rank, element);
        }
        TypeForm::Sum { variants, .. } => sum(made, ty, &table, variants),
        TypeForm::Plain(_) => {}
    }
}

fn new_record<'t>(
    made: &mut TypeFunctions,
    operation: &str,
    ty: &NamedType,
    table: &str,
    fields: impl Iterator<Item = &'t NamedType>,
) {
    let name = format!("futhark_{operation}_{}", opaque_name(&ty.name));
    let (params, values) = inputs(fields, "f");
    made.add(
        operation,
        &name,
        &format!("int {name}({CTX}, {}{params})", output(ty, "out")),
        &format!("{values}    return fun_record_new(ctx, {table}, out, values);\n"),
    );
}

/// How the name of a field ends that of its projection; the fields of tuples are numbers.
pub(super) fn field_suffix(name: &str) -> String {
    c_name(name)
}

fn projections(made: &mut TypeFunctions, ty: &NamedType, table: &str, fields: &[(String, NamedType)]) {
    for (k, (field, field_type)) in fields.iter().enumerate() {
        let name = format!("futhark_project_{}_{}", opaque_name(&ty.name), field_suffix(field));
        made.add(
            format!("project {field}"),
            &name,
            &format!("int {name}({CTX}, {}, const {} *obj)", output(field_type, "out"), c_struct(ty)),
            &format!("    return fun_project(ctx, {table}, {k}, out, obj);\n"),
        );
    }
}

fn elements(made: &mut TypeFunctions, ty: &NamedType, table: &str, rank: usize, element: &NamedType) {
    let (c_array, opaque) = (c_struct(ty), opaque_name(&ty.name));
    let name = |operation: &str| format!("futhark_{operation}_{opaque}");
    let (indices, index_list) = numbers("i", rank);
    let (dims, dim_list) = numbers("dim", rank);
    let index = name("index");
    made.add(
        "index",
        &index,
        &format!("int {index}({CTX}, {}, {c_array} *arr{indices})", output(element, "out")),
        &format!("{index_list}    return fun_opaque_index(ctx, {table}, out, (const struct fun_opaque *)arr, is);\n"),
    );
    let set = name("set");
    made.add(
        "set",
        &set,
        &format!("int {set}({CTX}, {c_array} *arr, {} *elem{indices})", c_struct(element)),
        &format!(
            "{index_list}    return fun_opaque_set(ctx, {table}, (struct fun_opaque *)arr, elem, is);\n"
        ),
    );
    let shape = name("shape");
    made.add(
        "shape",
        &shape,
        &format!("const int64_t *{shape}({CTX}, {c_array} *arr)"),
        &format!("    (void)ctx;\n    return fun_shape_of({table}, arr);\n"),
    );
    let new = name("new");
    made.add(
        "new",
        &new,
        &format!("int {new}({CTX}, {c_array} **out, {} **elems{dims})", c_struct(element)),
        &format!("{dim_list}    return fun_opaque_array_new(ctx, {table}, out, (const void *const *)elems, dims);\n"),
    );
}

fn sum(made: &mut TypeFunctions, ty: &NamedType, table: &str, variants: &[(String, Vec<NamedType>)]) {
    let (c_sum, opaque) = (c_struct(ty), opaque_name(&ty.name));
    let variant = format!("futhark_variant_{opaque}");
    made.add(
        "variant",
        &variant,
        &format!("int {variant}({CTX}, const {c_sum} *obj)"),
        "    (void)ctx;\n    return fun_variant_of((const struct fun_opaque *)obj);\n",
    );
    for (k, (constructor, payload)) in variants.iter().enumerate() {
        let (new, destruct) = (
            format!("futhark_new_{opaque}_{}", c_name(constructor)),
            format!("futhark_destruct_{opaque}_{}", c_name(constructor)),
        );
        let (params, values) = inputs(payload.iter(), "v");
        made.add(
            format!("construct {constructor}"),
            &new,
            &format!("int {new}({CTX}, {}{params})", output(ty, "out")),
            &format!("{values}    return fun_construct(ctx, {table}, {k}, out, values);\n"),
        );
        let (mut outs, mut names) = (String::new(), Vec::new());
        for (j, part) in payload.iter().enumerate() {
            outs += &format!("{}, ", output(part, &format!("v{j}")));
            names.push(format!("v{j}"));
        }
        names.push("NULL".to_owned());
        made.add(
            format!("destruct {constructor}"),
            &destruct,
            &format!("int {destruct}({CTX}, {outs}const {c_sum} *obj)"),
            &format!(
                "    void *const outs[] = {{{}}};\n    return fun_destruct(ctx, {table}, {k}, outs, (const struct fun_opaque *)obj);\n",
                names.join(", ")
            ),
        );
    }
}

/// The functions of the entry point whose signature has this number.
pub(super) fn of_entry(entry: &EntryInterface, number: usize) -> [Function; 2] {
    let name = c_name(&entry.name);
    let (params, values) = inputs(entry.inputs.iter().map(|input| &input.ty), "in");
    let call = function(
        format!("int futhark_entry_{name}({CTX}, {}{params})", output(&entry.output, "out0")),
        format!("{values}    return fun_call_signature(ctx, &fun_signatures[{number}], out0, values);\n"),
    );
    let parameters = function(
        format!("const int *futhark_tuning_params_for_{name}(void)"),
        "    static const int none[] = {-1};\n    return none;\n",
    );
    [call, parameters]
}

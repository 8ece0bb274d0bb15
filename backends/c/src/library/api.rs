//! The C interface of a library: Futhark's functions for contexts, arrays, opaque values and entry points, each of which calls a function
//! on tables.

use super::interface::{EntryInterface, Leaf, NamedType, TypeForm};
use super::named::{NAMED, SIGNATURES, Types, constant, type_number};
use super::names::{c_name, opaque_name};
use crate::dialect::Dialect;
use crate::types::c_type;
use fun_base::prim::PrimType;
use fun_runtime::library::{Argument, Param, Wrapper, WrapperResult};
use std::collections::BTreeMap;

/// The functions of a type, and their names by operation, as manifests list them.
pub(super) struct TypeFunctions {
    pub(super) functions: Vec<Wrapper>,
    pub(super) names: BTreeMap<String, String>,
}

impl TypeFunctions {
    fn add(&mut self, operation: impl Into<String>, function: Wrapper) {
        self.names.insert(operation.into(), function.name.clone());
        self.functions.push(function);
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

fn scalar_type(ty: &NamedType) -> Option<PrimType> {
    if let TypeForm::Plain(Leaf { elem, rank: 0 }) = ty.form { Some(elem) } else { None }
}

/// A parameter that is an address; `ty` is what stands before its name.
pub(super) fn address(ty: &str, name: &str) -> Param {
    Param { name: name.to_owned(), declaration: format!("{ty}$"), scalar: None }
}

/// A parameter that is read.
fn input(ty: &NamedType, name: &str) -> Param {
    let c_struct = c_struct(ty);
    match scalar_type(ty) {
        Some(scalar) => {
            Param { name: name.to_owned(), declaration: format!("const {c_struct} $"), scalar: Some(scalar) }
        }
        None => address(&format!("const {c_struct} *"), name),
    }
}

/// A parameter where a value goes.
pub(super) fn output(ty: &NamedType, name: &str) -> Param {
    let stars = if scalar_type(ty).is_some() { "*" } else { "**" };
    address(&format!("{} {stars}", c_struct(ty)), name)
}

/// Parameters `in0`, … and the list of their values.
pub(super) fn inputs<'t>(types: impl Iterator<Item = &'t NamedType>, prefix: &str) -> (Vec<Param>, Argument) {
    let params: Vec<Param> = types.enumerate().map(|(k, ty)| input(ty, &format!("{prefix}{k}"))).collect();
    let names = params.iter().map(|param| param.name.clone()).collect();
    (params, Argument::Values(names))
}

/// Parameters `dim0`, … and the list of them.
pub(super) fn numbers(prefix: &str, rank: usize) -> (Vec<Param>, Argument) {
    let names: Vec<String> = (0..rank).map(|k| format!("{prefix}{k}")).collect();
    let param = |name: &String| Param {
        name: name.clone(),
        declaration: "int64_t $".to_owned(),
        scalar: Some(PrimType::I64),
    };
    (names.iter().map(param).collect(), Argument::Numbers(names))
}

/// The context, which all functions have first.
pub(super) fn context() -> Param {
    address("struct futhark_context *", "ctx")
}

/// A parameter as it is.
pub(super) fn given(name: &str) -> Argument {
    Argument::Param(name.to_owned(), None)
}

/// A parameter that is an array.
pub(super) fn array() -> Argument {
    Argument::Param("arr".to_owned(), Some("struct fun_array *"))
}

fn object() -> Argument {
    Argument::Param("obj".to_owned(), Some("const struct fun_opaque *"))
}

/// A number as it is.
pub(super) fn number(n: usize) -> Argument {
    Argument::Constant(n.to_string(), n as u32)
}

/// The constant for a type of elements.
pub(super) fn element(ty: PrimType) -> Argument {
    Argument::Constant(constant(ty), type_number(ty))
}

/// A function: the context and these parameters are what it takes.
pub(super) fn wrapper(
    name: &str,
    result: WrapperResult,
    params: impl IntoIterator<Item = Param>,
    calls: &'static str,
    arguments: impl IntoIterator<Item = Argument>,
) -> Wrapper {
    let params = [context()].into_iter().chain(params).collect();
    Wrapper { name: name.to_owned(), result, params, calls, arguments: arguments.into_iter().collect() }
}

/// The functions on a type that is no scalar; arrays may lie on a device.
pub(super) fn of_type(types: &Types, ty: &NamedType, device: Option<Dialect>) -> TypeFunctions {
    let mut made = TypeFunctions { functions: Vec::new(), names: BTreeMap::new() };
    match &ty.form {
        TypeForm::Plain(leaf) => of_array(&mut made, ty, *leaf, device),
        TypeForm::Record(_) | TypeForm::Sum { .. } | TypeForm::Array(..) => of_opaque(&mut made, types, ty),
    }
    made
}

fn of_array(made: &mut TypeFunctions, ty: &NamedType, leaf: Leaf, device: Option<Dialect>) {
    let (elem, rank, c_struct) = (c_type(leaf.elem), leaf.rank, c_struct(ty));
    let name = |operation: &str| format!("futhark_{operation}_{}_{rank}d", leaf.elem);
    let (dims, dim_list) = numbers("dim", rank);
    let (indices, index_list) = numbers("i", rank);
    let arr = || address(&format!("{c_struct} *"), "arr");
    let int = || WrapperResult::Int;
    let mut add = |operation: &str, result, params: Vec<Param>, calls, arguments: Vec<Argument>| {
        made.add(operation, wrapper(&name(operation), result, params, calls, arguments));
    };
    let raw = device.map_or("unsigned char *", Dialect::raw_type);
    let lent = Argument::Param("data".to_owned(), Some("fun_raw"));
    for (operation, data, calls, passed) in [
        ("new", format!("const {elem} *"), "fun_array_new", given("data")),
        ("new_raw", raw.to_owned(), "fun_array_foreign", lent),
    ] {
        let params = [vec![address(&data, "data")], dims.clone()].concat();
        let arguments = vec![given("ctx"), element(leaf.elem), number(rank), dim_list.clone(), passed];
        add(operation, WrapperResult::Address(format!("{c_struct} *")), params, calls, arguments);
    }
    add("free", int(), vec![arr()], "fun_array_free", vec![given("ctx"), array()]);
    let data = address(&format!("{elem} *"), "data");
    add("values", int(), vec![arr(), data], "fun_array_values", vec![given("ctx"), array(), given("data")]);
    let bytes = WrapperResult::Address(raw.to_owned());
    add("values_raw", bytes, vec![arr()], "fun_array_values_raw", vec![given("ctx"), array()]);
    let params = [vec![address(&format!("{elem} *"), "out"), arr()], indices].concat();
    let arguments = vec![given("ctx"), given("out"), array(), index_list];
    add("index", int(), params, "fun_array_index", arguments);
    let sizes = WrapperResult::Address("const int64_t *".to_owned());
    add("shape", sizes, vec![arr()], "fun_array_shape", vec![array()]);
}

fn of_opaque(made: &mut TypeFunctions, types: &Types, ty: &NamedType) {
    let (c_struct, opaque, table) =
        (c_struct(ty), opaque_name(&ty.name), Argument::Row(NAMED, types.place(ty)));
    let name = |operation: &str| format!("futhark_{operation}_{opaque}");
    let obj = address(&format!("{c_struct} *"), "obj");
    let value = Argument::Param("obj".to_owned(), Some("struct fun_opaque *"));
    let free = wrapper(&name("free"), WrapperResult::Int, [obj], "fun_opaque_free", [given("ctx"), value]);
    made.add("free", free);
    let params =
        [address(&format!("const {c_struct} *"), "obj"), address("void **", "p"), address("size_t *", "n")];
    let arguments = [given("ctx"), object(), given("p"), given("n")];
    made.add("store", wrapper(&name("store"), WrapperResult::Int, params, "fun_store", arguments));
    let (result, params) = (WrapperResult::Address(format!("{c_struct} *")), [address("const void *", "p")]);
    let arguments = [given("ctx"), table, given("p")];
    made.add("restore", wrapper(&name("restore"), result, params, "fun_restore", arguments));
    match &ty.form {
        TypeForm::Record(fields) => {
            new_record(made, "new", types, ty, fields.iter().map(|(_, ty)| ty));
            projections(made, types, ty, fields);
        }
        TypeForm::Array(rank, inner) => {
            if let TypeForm::Record(fields) = &inner.form {
                let fields: Vec<_> =
                    fields.iter().map(|(name, ty)| (name.clone(), ty.clone().array(*rank))).collect();
                new_record(made, "zip", types, ty, fields.iter().map(|(_, ty)| ty));
                projections(made, types, ty, &fields);
            }
            elements(made, types, ty, *rank, inner);
        }
        TypeForm::Sum { variants, .. } => sum(made, types, ty, variants),
        TypeForm::Plain(_) => {}
    }
}

fn new_record<'t>(
    made: &mut TypeFunctions,
    operation: &str,
    types: &Types,
    ty: &NamedType,
    fields: impl Iterator<Item = &'t NamedType>,
) {
    let name = format!("futhark_{operation}_{}", opaque_name(&ty.name));
    let (params, values) = inputs(fields, "f");
    let params = [vec![output(ty, "out")], params].concat();
    let arguments = [given("ctx"), Argument::Row(NAMED, types.place(ty)), given("out"), values];
    made.add(operation, wrapper(&name, WrapperResult::Int, params, "fun_record_new", arguments));
}

/// How the name of a field ends that of its projection; the fields of tuples are numbers.
pub(super) fn field_suffix(name: &str) -> String {
    c_name(name)
}

fn projections(made: &mut TypeFunctions, types: &Types, ty: &NamedType, fields: &[(String, NamedType)]) {
    for (k, (field, field_type)) in fields.iter().enumerate() {
        let name = format!("futhark_project_{}_{}", opaque_name(&ty.name), field_suffix(field));
        let params = [output(field_type, "out"), address(&format!("const {} *", c_struct(ty)), "obj")];
        let table = Argument::Row(NAMED, types.place(ty));
        let arguments = [given("ctx"), table, number(k), given("out"), given("obj")];
        made.add(
            format!("project {field}"),
            wrapper(&name, WrapperResult::Int, params, "fun_project", arguments),
        );
    }
}

fn elements(made: &mut TypeFunctions, types: &Types, ty: &NamedType, rank: usize, inner: &NamedType) {
    let (c_array, opaque) = (c_struct(ty), opaque_name(&ty.name));
    let name = |operation: &str| format!("futhark_{operation}_{opaque}");
    let table = || Argument::Row(NAMED, types.place(ty));
    let (indices, index_list) = numbers("i", rank);
    let (dims, dim_list) = numbers("dim", rank);
    let arr = || address(&format!("{c_array} *"), "arr");
    let value = Argument::Param("arr".to_owned(), Some("struct fun_opaque *"));
    let mut add = |operation: &str, result, params: Vec<Param>, calls, arguments: Vec<Argument>| {
        made.add(operation, wrapper(&name(operation), result, params, calls, arguments));
    };
    let params = [vec![output(inner, "out"), arr()], indices.clone()].concat();
    let arguments = vec![given("ctx"), table(), given("out"), value.clone(), index_list.clone()];
    add("index", WrapperResult::Int, params, "fun_opaque_index", arguments);
    let elem = address(&format!("{} *", c_struct(inner)), "elem");
    let params = [vec![arr(), elem], indices].concat();
    let arguments = vec![given("ctx"), table(), value, given("elem"), index_list];
    add("set", WrapperResult::Int, params, "fun_opaque_set", arguments);
    let sizes = WrapperResult::Address("const int64_t *".to_owned());
    add("shape", sizes, vec![arr()], "fun_shape_of", vec![table(), given("arr")]);
    let elems = address(&format!("{} **", c_struct(inner)), "elems");
    let params = [vec![address(&format!("{c_array} **"), "out"), elems], dims].concat();
    let elems = Argument::Param("elems".to_owned(), Some("const void *const *"));
    let arguments = vec![given("ctx"), table(), given("out"), elems, dim_list];
    add("new", WrapperResult::Int, params, "fun_opaque_array_new", arguments);
}

fn sum(made: &mut TypeFunctions, types: &Types, ty: &NamedType, variants: &[(String, Vec<NamedType>)]) {
    let (opaque, table) = (opaque_name(&ty.name), || Argument::Row(NAMED, types.place(ty)));
    let obj = || address(&format!("const {} *", c_struct(ty)), "obj");
    let variant = format!("futhark_variant_{opaque}");
    made.add("variant", wrapper(&variant, WrapperResult::Int, [obj()], "fun_variant_of", [object()]));
    for (k, (constructor, payload)) in variants.iter().enumerate() {
        let name = |operation: &str| format!("futhark_{operation}_{opaque}_{}", c_name(constructor));
        let (params, values) = inputs(payload.iter(), "v");
        let params = [vec![output(ty, "out")], params].concat();
        let arguments = [given("ctx"), table(), number(k), given("out"), values];
        let new = wrapper(&name("new"), WrapperResult::Int, params, "fun_construct", arguments);
        made.add(format!("construct {constructor}"), new);
        let outs: Vec<Param> =
            payload.iter().enumerate().map(|(j, part)| output(part, &format!("v{j}"))).collect();
        let places = Argument::Places(outs.iter().map(|out| out.name.clone()).collect());
        let arguments = [given("ctx"), table(), number(k), places, object()];
        let params = [outs, vec![obj()]].concat();
        let destruct = wrapper(&name("destruct"), WrapperResult::Int, params, "fun_destruct", arguments);
        made.add(format!("destruct {constructor}"), destruct);
    }
}

/// The functions of the entry point whose signature has this number.
pub(super) fn of_entry(entry: &EntryInterface, signature: usize) -> [Wrapper; 2] {
    let name = c_name(&entry.name);
    let (params, values) = inputs(entry.inputs.iter().map(|input| &input.ty), "in");
    let params = [vec![output(&entry.output, "out0")], params].concat();
    let arguments = [given("ctx"), Argument::Row(SIGNATURES, signature), given("out0"), values];
    let call = wrapper(
        &format!("futhark_entry_{name}"),
        WrapperResult::Int,
        params,
        "fun_call_signature",
        arguments,
    );
    let parameters = Wrapper {
        name: format!("futhark_tuning_params_for_{name}"),
        result: WrapperResult::Address("const int *".to_owned()),
        params: Vec::new(),
        calls: "fun_tuning_params_of",
        arguments: vec![number(signature)],
    };
    [call, parameters]
}

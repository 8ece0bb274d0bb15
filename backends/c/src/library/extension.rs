//! Functions of libraries beside Futhark's, under a prefix of our own: views of the caller's memory, and memory that is handed over; calls
//! that go on by themselves, and calls whose results are written into the caller's memory.

use super::api::{address, array, c_struct, element, given, inputs, number, numbers, output, wrapper};
use super::interface::{EntryInterface, Leaf, NamedType, TypeForm};
use super::named::SIGNATURES;
use super::names::c_name;
use super::table::SIZES;
use crate::dialect::Dialect;
use crate::types::c_type;
use fun_base::prim::PrimType;
use fun_runtime::library::{Argument, Param, Wrapper, WrapperResult};

/// The name of such a function on arrays: `fun_new_view_f32_1d`.
pub(super) fn name(operation: &str, leaf: Leaf) -> String {
    format!("fun_{operation}_{}_{}d", leaf.elem, leaf.rank)
}

/// Those on a type: `new_view` makes an array over elements of the caller's memory, `describe` gives address and sizes, `is_shared`
/// says whether its memory is another one's too, and `hand_over` frees one with a word to the caller when its memory is no longer used. On
/// CUDA's device, `dlpack` gives one to other libraries.
pub(super) fn of_type(ty: &NamedType, device: Option<Dialect>) -> Vec<Wrapper> {
    let TypeForm::Plain(leaf) = ty.form else { return Vec::new() };
    let (elem, rank, c_struct) = (c_type(leaf.elem), leaf.rank, c_struct(ty));
    let arr = || address(&format!("{c_struct} *"), "arr");
    let (dims, dim_list) = numbers("dim", rank);
    let (strides, stride_list) = numbers("stride", rank);
    let offset =
        Param { name: "offset".to_owned(), declaration: "int64_t $".to_owned(), scalar: Some(PrimType::I64) };
    let params = [vec![address(&format!("{elem} *"), "data"), offset], strides, dims].concat();
    let list = [
        given("ctx"),
        element(leaf.elem),
        number(rank),
        given("data"),
        given("offset"),
        stride_list,
        dim_list,
    ];
    let result = WrapperResult::Address(format!("{c_struct} *"));
    let view = wrapper(&name("new_view", leaf), result, params, "fun_array_view", list);
    let description = address("int64_t *", "description");
    let describe = wrapper(
        &name("describe", leaf),
        WrapperResult::Nothing,
        [arr(), description],
        "fun_array_describe",
        [given("ctx"), array(), given("description")],
    );
    let is_shared =
        wrapper(&name("is_shared", leaf), WrapperResult::Bool, [arr()], "fun_array_is_shared", [array()]);
    let release =
        Param { name: "release".to_owned(), declaration: "void (*$)(void *)".to_owned(), scalar: None };
    let hand_over = wrapper(
        &name("hand_over", leaf),
        WrapperResult::Bool,
        [arr(), release, address("void *", "owner")],
        "fun_array_hand_over",
        [given("ctx"), array(), given("release"), given("owner")],
    );
    let mut made = vec![view, describe, is_shared, hand_over];
    if device == Some(Dialect::Cuda) {
        let versioned = Param {
            name: "versioned".to_owned(),
            declaration: "bool $".to_owned(),
            scalar: Some(PrimType::Bool),
        };
        made.push(wrapper(
            &name("dlpack", leaf),
            WrapperResult::Address("void *".to_owned()),
            [arr(), versioned],
            "fun_array_dlpack",
            [given("ctx"), array(), given("versioned")],
        ));
    }
    made
}

/// Those of the entry point whose signature has this number: `start` and `wait`, and `into` and `sizes` where arrays of scalars are among what
/// it gives and all else is scalars. The table of what gives sizes has the order of signatures.
pub(super) fn of_entry(entry: &EntryInterface, signature: usize) -> Vec<Wrapper> {
    let name = |operation: &str| format!("fun_{operation}_{}", c_name(&entry.name));
    let table = || Argument::Row(SIGNATURES, signature);
    let (params, values) = inputs(entry.inputs.iter().map(|input| &input.ty), "in");
    let start = wrapper(
        &name("start"),
        WrapperResult::Int,
        [vec![address("struct fun_call **", "call")], params.clone()].concat(),
        "fun_call_start",
        [given("ctx"), table(), given("call"), values.clone()],
    );
    let wait = wrapper(
        &name("wait"),
        WrapperResult::Int,
        [address("struct fun_call *", "call"), output(&entry.output, "out0")],
        "fun_call_wait",
        [given("ctx"), table(), given("call"), given("out0")],
    );
    let mut made = vec![start, wait];
    if !is_plain(&entry.output) {
        return made;
    }
    let (mut outs, mut places, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
    let mut shapes = vec![address("int64_t *", "bytes")];
    for (k, leaf) in entry.output.leaves().into_iter().enumerate() {
        let out = format!("out{k}");
        let (dims, _) = numbers(&format!("{out}_dim"), leaf.rank);
        outs.push(address(&format!("{} *", c_type(leaf.elem)), &out));
        sizes.extend(dims.iter().map(|dim| dim.name.clone()));
        if leaf.rank > 0 {
            shapes.push(address("int64_t *", &format!("{out}_shape")));
        }
        outs.extend(dims);
        places.push(out);
    }
    if !sizes.is_empty() {
        let names = shapes[1..].iter().map(|param| param.name.clone()).collect();
        let procedure = Argument::Row(SIZES, signature);
        let arguments =
            [given("ctx"), table(), procedure, given("bytes"), Argument::Places(names), values.clone()];
        let query = [shapes, params.clone()].concat();
        made.push(wrapper(&name("sizes"), WrapperResult::Int, query, "fun_call_sizes", arguments));
        let arguments = [given("ctx"), table(), Argument::Places(places), Argument::Numbers(sizes), values];
        let params = [outs, params].concat();
        made.push(wrapper(&name("into"), WrapperResult::Int, params, "fun_call_into", arguments));
    }
    made
}

/// Whether values are scalars and arrays of them, alone or in records.
fn is_plain(ty: &NamedType) -> bool {
    match &ty.form {
        TypeForm::Plain(_) => true,
        TypeForm::Record(fields) => fields.iter().all(|(_, ty)| is_plain(ty)),
        TypeForm::Sum { .. } | TypeForm::Array(..) => false,
    }
}

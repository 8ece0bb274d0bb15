//! Functions of libraries beside Futhark's, under a prefix of our own: views of the caller's memory, and memory that is handed over.

use super::api::{CTX, Function, c_struct, numbers};
use super::interface::{Leaf, NamedType, TypeForm};
use crate::types::c_type;

/// The name of such a function on arrays: `fun_new_view_f32_1d`.
pub(super) fn name(operation: &str, leaf: Leaf) -> String {
    format!("fun_{operation}_{}_{}d", leaf.elem, leaf.rank)
}

/// Those on a type: `new_view` makes an array over elements of the caller's memory, `describe` gives address and sizes, `is_shared`
/// says whether its memory is another one's too, and `hand_over` frees one with a word to the caller when its memory is no longer used.
pub(super) fn of_type(ty: &NamedType) -> Vec<Function> {
    let TypeForm::Plain(leaf) = ty.form else { return Vec::new() };
    let (elem, rank, array) = (c_type(leaf.elem), leaf.rank, c_struct(ty));
    let tag = super::named::constant(leaf.elem);
    let (dims, dim_list) = numbers("dim", rank);
    let (strides, stride_list) = numbers("stride", rank);
    let view = Function {
        head: format!(
            "{array} *{}({CTX}, {elem} *data, int64_t offset{strides}{dims})",
            name("new_view", leaf)
        ),
        body: format!(
            "{stride_list}{dim_list}    return ({array} *)fun_array_view(ctx, {tag}, {rank}, data, offset, strides, dims);\n"
        ),
    };
    let hand_over = Function {
        head: format!(
            "bool {}({CTX}, {array} *arr, void (*release)(void *), void *owner)",
            name("hand_over", leaf)
        ),
        body: "    return fun_array_hand_over(ctx, (struct fun_array *)arr, release, owner);\n".to_owned(),
    };
    let describe = Function {
        head: format!("void {}({CTX}, {array} *arr, int64_t *description)", name("describe", leaf)),
        body: "    (void)ctx;\n    fun_array_describe((const struct fun_array *)arr, description);\n"
            .to_owned(),
    };
    let is_shared = Function {
        head: format!("bool {}({CTX}, {array} *arr)", name("is_shared", leaf)),
        body: "    (void)ctx;\n    return fun_array_is_shared((const struct fun_array *)arr);\n".to_owned(),
    };
    vec![view, describe, is_shared, hand_over]
}

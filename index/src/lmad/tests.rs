//! Every operation against enumeration: small sizes (0 and 1 among them) and strides of any sign.

use super::{ConcreteLmad, Expansion, Lmad, Slice};
use crate::poly::Poly;
use fun_base::name::Var;
use quickcheck::{Arbitrary, Gen, QuickCheck};
use std::collections::BTreeSet;

impl Arbitrary for ConcreteLmad {
    fn arbitrary(g: &mut Gen) -> ConcreteLmad {
        let rank = usize::arbitrary(g) % 5;
        let size = |g: &mut Gen| *g.choose(&[0, 1, 1, 2, 2, 2, 3, 3, 4]).unwrap();
        let sizes: Vec<i64> = (0..rank).map(|_| size(g)).collect();
        let offset = i64::from(i8::arbitrary(g) % 10);
        // Half of them are cut out of row-major arrays, so that strides nest.
        if bool::arbitrary(g) {
            let mut lmad = ConcreteLmad::row_major(offset, &sizes);
            for dim in &mut lmad.dims {
                if usize::arbitrary(g).is_multiple_of(4) {
                    dim.0 = dim.0.min(1);
                }
                dim.1 *= *g.choose(&[1, 1, 1, 1, -1, 2]).unwrap();
            }
            if bool::arbitrary(g) {
                let mut order: Vec<(u8, (i64, i64))> =
                    lmad.dims.iter().map(|dim| (u8::arbitrary(g), *dim)).collect();
                order.sort();
                lmad.dims = order.into_iter().map(|(_, dim)| dim).collect();
            }
            return lmad;
        }
        let dims = sizes.iter().map(|size| (*size, i64::from(i8::arbitrary(g) % 8)));
        ConcreteLmad { offset, dims: dims.collect() }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = ConcreteLmad>> {
        let this = self.clone();
        Box::new((0..self.dims.len()).map(move |k| {
            let mut smaller = this.clone();
            smaller.dims.remove(k);
            smaller
        }))
    }
}

fn constant(n: i64) -> Poly {
    Poly::constant(n)
}

/// All indices of these sizes in row-major order, written independently of [`ConcreteLmad::addresses`].
fn indices(sizes: &[i64]) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for size in sizes {
        all = all.iter().flat_map(|index| (0..*size).map(|i| [index.as_slice(), &[i]].concat())).collect();
    }
    all
}

fn sizes(lmad: &ConcreteLmad) -> Vec<i64> {
    lmad.sizes().collect()
}

/// The addresses by equation 1.
fn image(lmad: &ConcreteLmad) -> Vec<i64> {
    let address =
        |index: &Vec<i64>| lmad.offset + index.iter().zip(&lmad.dims).map(|(i, (_, s))| i * s).sum::<i64>();
    indices(&sizes(lmad)).iter().map(address).collect()
}

fn set(lmad: &ConcreteLmad) -> BTreeSet<i64> {
    image(lmad).into_iter().collect()
}

fn number(lmad: &Lmad) -> ConcreteLmad {
    lmad.as_concrete().expect("an operation on constants gives constants")
}

/// `result(i) = operand(f(i))` for all indices of the result.
fn maps_index(result: &Lmad, operand: &ConcreteLmad, f: impl Fn(&[i64]) -> Vec<i64>) -> bool {
    let result = number(result);
    let in_bounds = |index: &[i64]| index.iter().zip(operand.sizes()).all(|(i, n)| (0..n).contains(i));
    indices(&sizes(&result)).iter().all(|index| {
        let source = f(index);
        in_bounds(&source) && result.apply(index) == operand.apply(&source)
    })
}

/// The LMAD with a variable for the offset and for each size and stride that isn't 1, and what the variables stand for.
fn abstracted(lmad: &ConcreteLmad) -> (Lmad, Vec<i64>) {
    let mut values = Vec::new();
    let mut variable = |value: i64| {
        if value == 1 {
            return constant(1);
        }
        // Equal values get the same variable: then sizes and strides nest textually.
        let known = values.iter().position(|other| *other == value);
        let tag = known.unwrap_or_else(|| {
            values.push(value);
            values.len() - 1
        });
        Poly::var(Var::new("v", tag as u32))
    };
    let mut symbolic = lmad.symbolic();
    symbolic.offset = variable(lmad.offset);
    for (dim, (size, stride)) in symbolic.dims.iter_mut().zip(&lmad.dims) {
        dim.size = variable(*size);
        dim.stride = variable(*stride);
    }
    (symbolic, values)
}

fn check(property: fn(ConcreteLmad, usize, i64, i64) -> bool) {
    QuickCheck::new().tests(2000).quickcheck(property as fn(ConcreteLmad, usize, i64, i64) -> bool);
}

#[test]
fn addresses_are_equation_1_in_row_major_order() {
    check(|lmad, _, _, _| {
        lmad.addresses().collect::<Vec<_>>() == image(&lmad) && lmad.len() == image(&lmad).len() as u64
    });
}

#[test]
fn row_major_is_dense() {
    check(|lmad, _, _, _| {
        let shape = sizes(&lmad);
        let dense = ConcreteLmad::row_major(7, &shape);
        let polys: Vec<Poly> = shape.iter().map(|n| constant(*n)).collect();
        image(&dense).into_iter().eq((0..dense.len() as i64).map(|i| i + 7))
            && number(&Lmad::row_major(constant(7), &polys)) == dense
    });
}

#[test]
fn permute_and_unpermute() {
    check(|lmad, seed, _, _| {
        let rank = lmad.dims.len();
        let mut perm: Vec<usize> = (0..rank).collect();
        perm.rotate_left(seed % rank.max(1));
        if rank > 1 && seed % 2 == 0 {
            perm.swap(0, 1);
        }
        let permuted = lmad.symbolic().permute(&perm);
        let back = permuted.unpermute(&perm) == lmad.symbolic();
        back && maps_index(&permuted, &lmad, |index| {
            let mut source = vec![0; rank];
            perm.iter().zip(index).for_each(|(from, i)| source[*from] = *i);
            source
        })
    });
}

#[test]
fn reverse_twice_is_nothing() {
    check(|lmad, seed, _, _| {
        if lmad.dims.is_empty() {
            return true;
        }
        let dim = seed % lmad.dims.len();
        let reversed = lmad.symbolic().reverse(dim);
        reversed.reverse(dim) == lmad.symbolic()
            && maps_index(&reversed, &lmad, |index| {
                let mut source = index.to_vec();
                source[dim] = lmad.dims[dim].0 - 1 - source[dim];
                source
            })
    });
}

/// A slice of `size` indices that stays in bounds, drawn from two numbers.
fn bounded_slice(size: i64, a: i64, b: i64) -> (i64, i64, i64) {
    let offset = a.rem_euclid(size.max(1));
    let stride = b.rem_euclid(7) - 3;
    let room = match stride.signum() {
        0 => 3,
        1 => (size - 1 - offset).max(-1) / stride + 1,
        _ => offset / -stride + 1,
    };
    let most = if size == 0 { 0 } else { room };
    (offset, (a ^ b).rem_euclid(most + 1), stride)
}

#[test]
fn slice_steps_through_indices() {
    check(|lmad, seed, a, b| {
        let mut slices = Vec::new();
        let mut starts = Vec::new();
        for (k, size) in lmad.sizes().enumerate() {
            let (offset, count, stride) = bounded_slice(size, a >> (k * 3), b >> (k * 3));
            let fix = size > 0 && (seed >> k) & 1 == 1;
            starts.push((offset, (!fix).then_some(stride)));
            slices.push(if fix {
                Slice::Fix(constant(offset))
            } else {
                Slice::Range { offset: constant(offset), count: constant(count), stride: constant(stride) }
            });
        }
        maps_index(&lmad.symbolic().slice(&slices), &lmad, |index| {
            let mut index = index.iter();
            let start =
                |(offset, step): &(i64, Option<i64>)| offset + step.map_or(0, |s| s * index.next().unwrap());
            starts.iter().map(start).collect()
        })
    });
}

#[test]
fn fix_is_a_slice_and_fix_outer_is_fix() {
    check(|lmad, seed, a, _| {
        let Some(dim) = seed.checked_rem(lmad.dims.len()) else { return true };
        if lmad.dims[dim].0 == 0 {
            return true;
        }
        let at = a.rem_euclid(lmad.dims[dim].0);
        let fixed = lmad.symbolic().fix(dim, &constant(at));
        let outer = dim != 0 || number(&fixed) == lmad.fix_outer(at);
        outer
            && maps_index(&fixed, &lmad, |index| {
                let mut source = index.to_vec();
                source.insert(dim, at);
                source
            })
    });
}

#[test]
fn flat_slice_composes() {
    check(|part, _, a, b| {
        let line = ConcreteLmad { offset: a % 100, dims: vec![(0, b % 9)] };
        let result = number(&line.symbolic().slice(&[Slice::Flat(part.symbolic())]));
        sizes(&result) == sizes(&part)
            && image(&result) == image(&part).iter().map(|i| line.apply(&[*i])).collect::<Vec<_>>()
    });
}

#[test]
fn split_then_merge() {
    check(|lmad, seed, _, _| {
        let Some(dim) = seed.checked_rem(lmad.dims.len()) else { return true };
        let size = lmad.dims[dim].0;
        (1..=size.max(1)).filter(|inner| size % inner == 0).all(|inner| {
            let split = lmad.symbolic().split(dim, &constant(size / inner), &constant(inner));
            let merged = split.merge(dim);
            let back = merged.as_ref().is_some_and(|merged| merged.equivalent(&lmad.symbolic()));
            back && image(&number(&split)) == image(&lmad)
        })
    });
}

#[test]
fn merge_is_right_and_misses_nothing() {
    check(|lmad, seed, _, _| {
        if lmad.dims.len() < 2 {
            return true;
        }
        let dim = seed % (lmad.dims.len() - 1);
        let sizes = sizes(&lmad);
        let mut merged = sizes.clone();
        merged[dim] *= merged.remove(dim + 1);
        match lmad.symbolic().merge(dim) {
            Some(result) => image(&number(&result)) == image(&lmad) && number(&result).sizes().eq(merged),
            None => !expressible(&image(&lmad), &merged),
        }
    });
}

/// Whether one LMAD of these sizes has these addresses: the strides can only be those of the first step along each dimension.
fn expressible(addresses: &[i64], sizes: &[i64]) -> bool {
    if addresses.is_empty() {
        return true;
    }
    let mut candidate = ConcreteLmad::row_major(0, sizes);
    let inner: Vec<i64> = candidate.dims.iter().map(|(_, stride)| *stride).collect();
    candidate.offset = addresses[0];
    for (dim, step) in candidate.dims.iter_mut().zip(inner) {
        dim.1 = if dim.0 > 1 { addresses[step as usize] - addresses[0] } else { 0 };
    }
    image(&candidate) == addresses
}

/// Sizes with the same product, drawn from a seed.
fn other_shape(sizes: &[i64], mut seed: usize) -> Vec<i64> {
    let mut left: i64 = sizes.iter().product();
    if left == 0 {
        return if seed.is_multiple_of(2) { vec![0] } else { vec![3, 0, 2] };
    }
    let mut shape = Vec::new();
    while left > 1 || seed.is_multiple_of(3) {
        let divisors: Vec<i64> = (1..=left).filter(|d| left % d == 0).collect();
        let factor = divisors[seed % divisors.len()];
        seed = seed / 7 + 1;
        shape.push(factor);
        left /= factor;
        if shape.len() > 5 {
            shape.push(left);
            break;
        }
    }
    shape
}

#[test]
fn reshape_is_right_and_misses_nothing() {
    check(|lmad, seed, _, _| {
        let shape = other_shape(&sizes(&lmad), seed);
        let polys: Vec<Poly> = shape.iter().map(|n| constant(*n)).collect();
        match lmad.symbolic().reshape(&polys) {
            Some(result) => image(&number(&result)) == image(&lmad) && number(&result).sizes().eq(shape),
            None => !expressible(&image(&lmad), &shape),
        }
    });
}

#[test]
fn symbolic_reshape_is_right() {
    check(|lmad, seed, _, _| {
        let (symbolic, values) = abstracted(&lmad);
        let shape = other_shape(&sizes(&lmad), seed);
        let polys: Vec<Poly> = shape
            .iter()
            .enumerate()
            .map(|(k, n)| {
                let known = values.iter().position(|value| value == n);
                let tag = known.map_or(1000 + k, |tag| tag);
                if *n == 1 { constant(1) } else { Poly::var(Var::new("v", tag as u32)) }
            })
            .collect();
        let value = |var: Var| {
            values.get(var.tag as usize).copied().or_else(|| shape.get(var.tag as usize - 1000).copied())
        };
        match symbolic.reshape(&polys) {
            Some(result) => image(&result.eval(&mut { value }).unwrap()) == image(&lmad),
            None => true,
        }
    });
}

#[test]
fn reshapes_that_need_no_copy() {
    let (n, m, k) = (Poly::var(Var::new("n", 0)), Poly::var(Var::new("m", 1)), Poly::var(Var::new("k", 2)));
    let matrix = Lmad::row_major(constant(0), &[n.clone(), m.clone()]);
    // Flattening to a size that is n*m only at run time, and back.
    let flat = matrix.reshape(std::slice::from_ref(&k)).unwrap();
    assert_eq!(flat.to_string(), "0 + {(k_2 : 1)}");
    assert_eq!(flat.reshape(&[n.clone(), m.clone()]).unwrap(), matrix);
    // The inner two dimensions of every second plane.
    let cube = Lmad::row_major(constant(0), &[k.clone(), n.clone(), m.clone()]);
    let half = Slice::Range { offset: constant(1), count: k.clone(), stride: constant(2) };
    let all = |size: &Poly| Slice::Range { offset: constant(0), count: size.clone(), stride: constant(1) };
    let planes = cube.slice(&[half, all(&n), all(&m)]);
    let size = Poly::var(Var::new("s", 3));
    assert_eq!(planes.reshape(&[k, size]).unwrap().to_string(), "n_0*m_1 + {(k_2 : 2*n_0*m_1)(s_3 : 1)}");
    // A transpose cannot be flattened.
    assert_eq!(matrix.permute(&[1, 0]).reshape(&[n.mul(&m)]), None);
}

#[test]
fn unit_and_broadcast_dimensions() {
    check(|lmad, seed, a, _| {
        let dim = seed % (lmad.dims.len() + 1);
        let unit = lmad.symbolic().insert_unit(dim);
        let wide = number(&lmad.symbolic().broadcast(dim, &constant(a.rem_euclid(4))));
        let without = |index: &[i64]| [&index[..dim], &index[dim + 1..]].concat();
        unit.drop_unit(dim) == Some(lmad.symbolic())
            && image(&number(&unit)) == image(&lmad)
            && maps_index(&wide.symbolic(), &lmad, without)
            && (wide.dims[dim].0 == 1) == wide.symbolic().drop_unit(dim).is_some()
    });
}

#[test]
fn normalise_keeps_the_set() {
    check(|lmad, _, _, _| {
        let normal = number(&lmad.symbolic().normalise(&|_| false));
        let strides: Vec<i64> = normal.dims.iter().map(|(_, stride)| *stride).collect();
        set(&normal) == set(&lmad)
            && (lmad.is_empty() || strides.iter().all(|s| *s > 0))
            && strides.is_sorted()
    });
}

#[test]
fn symbolic_normalise_and_span_are_right() {
    check(|lmad, _, _, _| {
        let (symbolic, values) = abstracted(&lmad);
        let nonneg = |var: Var| values[var.tag as usize] >= 0;
        let mut value = |var: Var| Some(values[var.tag as usize]);
        let normal = symbolic.normalise(&nonneg).eval(&mut value).unwrap();
        let span = symbolic.span(&nonneg).map(|(low, high)| (low.eval(&mut value), high.eval(&mut value)));
        let expected = lmad.span().map(|(low, high)| (Some(low), Some(high)));
        set(&normal) == set(&lmad) && (span.is_none() || lmad.is_empty() || span == expected)
    });
}

#[test]
fn span_is_least_and_greatest() {
    check(|lmad, _, _, _| {
        let addresses = image(&lmad);
        lmad.span() == addresses.iter().min().copied().zip(addresses.iter().max().copied())
    });
}

#[test]
fn injective_and_contiguous_are_exact_on_constants() {
    check(|lmad, _, _, _| {
        let (addresses, distinct) = (image(&lmad), set(&lmad));
        let injective = distinct.len() == addresses.len();
        let dense = lmad.span().is_none_or(|(low, high)| high - low + 1 == addresses.len() as i64);
        lmad.symbolic().injective() == Some(injective)
            && lmad.symbolic().contiguous() == Some(injective && dense)
    });
}

#[test]
fn symbolic_injective_and_contiguous_never_lie() {
    check(|lmad, _, _, _| {
        let (symbolic, _) = abstracted(&lmad);
        let agrees = |symbolic: Option<bool>, exact: Option<bool>| symbolic.is_none() || symbolic == exact;
        agrees(symbolic.injective(), lmad.injective())
            && agrees(symbolic.contiguous(), lmad.symbolic().contiguous())
    });
}

#[test]
fn row_major_is_injective_for_all_sizes() {
    let sizes: Vec<Poly> = (0..4).map(|tag| Poly::var(Var::new("n", tag))).collect();
    let dense = Lmad::row_major(constant(3), &sizes);
    assert_eq!((dense.injective(), dense.contiguous()), (Some(true), Some(true)));
    let sliced = dense.permute(&[2, 0, 3, 1]).reverse(1);
    assert_eq!((sliced.injective(), sliced.contiguous()), (Some(true), Some(true)));
    let mut spread = dense.clone();
    spread.dims.iter_mut().for_each(|dim| dim.stride = dim.stride.scale(2));
    assert_eq!((spread.injective(), spread.contiguous()), (Some(true), None));
}

#[test]
fn expansion_keeps_threads_apart() {
    check(|lmad, seed, _, _| {
        // Within a block that starts at 0.
        let Some((low, high)) = lmad.span() else { return true };
        let mut lmad = lmad;
        lmad.offset -= low;
        let (size, width) = (constant(high - low + 1), 2);
        let threads = 2 * (seed % 3 + 1) as i64;
        let expansion = |thread: i64, kind: usize| match kind {
            0 => Expansion::Blocked { thread: constant(thread), size: size.clone() },
            1 => Expansion::Interleaved { thread: constant(thread), threads: constant(threads) },
            _ => Expansion::Mixed {
                group: constant(thread / width),
                lane: constant(thread % width),
                width: constant(width),
                size: size.clone(),
            },
        };
        (0..3).all(|kind| {
            let mut reached = BTreeSet::new();
            (0..threads).all(|thread| {
                let own = set(&number(&lmad.symbolic().expand(&expansion(thread, kind))));
                let inside = own.iter().all(|at| (0..threads * (high - low + 1)).contains(at));
                own.len() == set(&lmad).len() && inside && own.into_iter().all(|at| reached.insert(at))
            })
        })
    });
}

/// The paper's GPU form does not scale the old offset: neighbouring threads then share cells.
#[test]
fn interleaving_scales_the_offset() {
    let at = |offset, thread| {
        let cell = ConcreteLmad { offset, dims: vec![(1, 1)] }.symbolic();
        number(&cell.expand(&Expansion::Interleaved { thread: constant(thread), threads: constant(4) }))
            .offset
    };
    assert_eq!((at(0, 1), at(1, 0)), (1, 4));
}

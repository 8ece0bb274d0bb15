//! Constants that inner loops read from memory stay in vector registers that nothing else needs there: a load is an instruction or a part of one, and
//! the machine has two places for loads and four for operations.

use super::assign::{VECTORS, intervals, positions};
use super::code::{Access, Class, Draft, End, Inst, Operand, Reg, View};
use cranelift_codegen::ir::Block;
use iced_x86::Code;
use std::collections::{BTreeMap, HashMap, HashSet};

/// How many of them are set aside where values go to memory.
const FETCHING: usize = 2;

/// Has constants loaded before the innermost loops that read them, those that are read most, as far as there are registers.
pub(super) fn keep(draft: &mut Draft) {
    let mut loops: BTreeMap<Block, Vec<usize>> = BTreeMap::new();
    for (number, body) in draft.bodies.iter().enumerate() {
        if let Some(first) = body.innermost {
            loops.entry(first).or_default().push(number);
        }
    }
    let read: Vec<(Block, Vec<usize>, Vec<usize>)> = loops
        .into_iter()
        .map(|(first, inside)| (first, constants(draft, &inside), inside))
        .filter(|(_, constants, _)| !constants.is_empty())
        .collect();
    if read.is_empty() {
        return;
    }
    let positions = positions(draft);
    let mut taken = taken(draft, positions.last().map_or(0, |last| last.1 as usize + 1));
    let all = if taken.iter().any(|count| *count > VECTORS) { VECTORS - FETCHING } else { VECTORS };
    let fixed = fixed(draft);
    for (first, constants, inside) in read {
        let Some(before) = entrance(draft, first, &inside) else { continue };
        let from = positions[before].1 as usize;
        let to = inside.iter().map(|number| positions[*number].1 as usize).max().unwrap_or(from);
        let Some(span) = taken.get_mut(from..=to) else { continue };
        let free = all.saturating_sub(span.iter().copied().max().unwrap_or(all));
        let chosen = &constants[..free.min(constants.len())];
        span.iter_mut().for_each(|count| *count += chosen.len());
        load(draft, before, &inside, chosen, &fixed);
    }
}

/// The constants that some blocks read, those that are read most first. A load that need not be counts twice; that of what a product and sum
/// overwrites becomes a move.
fn constants(draft: &Draft, inside: &[usize]) -> Vec<usize> {
    let mut counts: BTreeMap<usize, i32> = BTreeMap::new();
    let insts = || inside.iter().flat_map(|number| &draft.bodies[*number].insts);
    for (inst, next) in insts().zip(insts().skip(1).map(Some).chain([None])) {
        if let Some((_, number)) = loaded(inst)
            && !matches!(next, Some(Inst::Fma { .. }))
        {
            *counts.entry(number).or_default() += 1;
        }
        inst.for_each_operand(&mut |operand| {
            if let Operand::Pool(number) = operand {
                *counts.entry(*number).or_default() += 1;
            }
        });
    }
    let mut numbers: Vec<usize> = counts.keys().copied().collect();
    numbers.sort_by_key(|number| -counts[number]);
    numbers
}

/// How many vector registers are taken at each place in the order of the code.
fn taken(draft: &Draft, places: usize) -> Vec<usize> {
    let mut taken = vec![0; places];
    for interval in intervals(draft) {
        if draft.classes[interval.reg.0 as usize] == Class::Vector {
            let span = taken.get_mut(interval.start as usize..interval.end as usize);
            span.into_iter().flatten().for_each(|count| *count += 1);
        }
    }
    taken
}

/// The block that control comes from when it enters a loop, if there is one and it stands before the loop.
fn entrance(draft: &Draft, first: Block, inside: &[usize]) -> Option<usize> {
    let mut outside =
        draft.bodies.iter().enumerate().filter(|(number, body)| {
            !inside.contains(number) && body.end.edges().any(|edge| edge.to == first)
        });
    let (before, _) = outside.next()?;
    (outside.next().is_none() && inside.iter().all(|number| *number > before)).then_some(before)
}

/// Registers that no other can take the place of: they are changed, written more than once, or read elsewhere than in the block that writes
/// them.
fn fixed(draft: &Draft) -> HashSet<Reg> {
    let mut fixed = HashSet::new();
    let mut written: HashMap<Reg, usize> = HashMap::new();
    for (number, body) in draft.bodies.iter().enumerate() {
        for inst in &body.insts {
            inst.for_each_reg(&mut |reg, access| {
                let keeps = match access {
                    Access::Read => written.get(&reg) == Some(&number),
                    Access::Write => written.insert(reg, number).is_none(),
                    Access::Change => false,
                };
                if !keeps {
                    fixed.insert(reg);
                }
            });
        }
        for edge in body.end.edges() {
            fixed.extend(edge.moves.iter().flat_map(|(to, from, _)| [*to, *from]));
        }
        if let End::Return(reg) = body.end {
            fixed.insert(reg);
        }
    }
    fixed
}

/// Has the chosen constants loaded at the end of a block and read from registers in others.
fn load(draft: &mut Draft, before: usize, inside: &[usize], chosen: &[usize], fixed: &HashSet<Reg>) {
    let mut kept: HashMap<usize, Operand> = HashMap::new();
    for number in chosen {
        draft.classes.push(Class::Vector);
        let reg = Reg(draft.classes.len() as u32 - 1);
        let (code, view) = match draft.pool[*number].len() {
            32 => (Code::VEX_Vmovups_ymm_ymmm256, View::Ymm),
            16 => (Code::VEX_Vmovups_xmm_xmmm128, View::Xmm),
            8 => (Code::VEX_Vmovsd_xmm_m64, View::Xmm),
            _ => (Code::VEX_Vmovss_xmm_m32, View::Xmm),
        };
        // this leaves the flags as they are
        let operands = vec![Operand::Def(reg, view), Operand::Pool(*number)];
        draft.bodies[before].insts.push(Inst::Machine { code, operands });
        kept.insert(*number, Operand::UseOrMemory(reg, view));
    }
    for number in inside {
        // what was loaded for single instructions
        let mut same: HashMap<Reg, Reg> = HashMap::new();
        draft.bodies[*number].insts.retain_mut(|inst| {
            if let Some((to, number)) = loaded(inst)
                && let Some(Operand::UseOrMemory(from, _)) = kept.get(&number)
                && !fixed.contains(&to)
            {
                same.insert(to, *from);
                return false;
            }
            inst.replace(
                &|operand| match operand {
                    Operand::Pool(number) => kept.get(&number).copied().unwrap_or(operand),
                    other => other,
                },
                &|reg| same.get(&reg).copied().unwrap_or(reg),
            );
            true
        });
    }
}

/// The register that an instruction only loads a constant to, and the number of that.
fn loaded(inst: &Inst) -> Option<(Reg, usize)> {
    let Inst::Machine { code, operands } = inst else { return None };
    let is_load = matches!(
        code,
        Code::VEX_Vmovups_ymm_ymmm256
            | Code::VEX_Vmovups_xmm_xmmm128
            | Code::VEX_Vmovsd_xmm_m64
            | Code::VEX_Vmovss_xmm_m32
    );
    match operands[..] {
        [Operand::Def(to, _), Operand::Pool(number)] if is_load => Some((to, number)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::assign::assign;
    use super::super::assign::tests::{holds, random};
    use super::*;
    use fun_base::rng::Rng;
    use std::hash::{DefaultHasher, Hash, Hasher};

    /// What the instructions on a random path compute, each from the values that it reads, and how many constants are read in loops.
    fn computed(draft: &Draft, seed: u64) -> (Vec<u64>, usize) {
        let mut rng = Rng::new(seed);
        let (mut values, mut trace, mut reads): (HashMap<Reg, u64>, _, _) = (HashMap::new(), Vec::new(), 0);
        let mut body = &draft.bodies[0];
        for _ in 0..40 {
            for inst in &body.insts {
                let mut hasher = DefaultHasher::new();
                inst.for_each_operand(&mut |operand| match operand {
                    Operand::Use(reg, _) | Operand::UseOrMemory(reg, _) => values.get(reg).hash(&mut hasher),
                    Operand::Pool(number) => {
                        reads += usize::from(body.innermost.is_some());
                        Some(*number as u64).hash(&mut hasher);
                    }
                    _ => {}
                });
                let constant = loaded(inst);
                if constant.is_none() {
                    trace.push(hasher.finish());
                }
                let value = constant.map_or(hasher.finish(), |(_, number)| number as u64);
                inst.for_each_reg(&mut |reg, access| {
                    if access == Access::Write {
                        values.insert(reg, value);
                    }
                });
            }
            let edges: Vec<_> = body.end.edges().collect();
            if edges.is_empty() {
                break;
            }
            let edge = edges[rng.below(edges.len())];
            let moved: Vec<_> =
                edge.moves.iter().map(|(to, from, _)| (*to, values.get(from).copied())).collect();
            values.extend(moved.into_iter().filter_map(|(to, value)| Some((to, value?))));
            let Some(next) = draft.bodies.iter().find(|body| body.block == edge.to) else { break };
            body = next;
        }
        (trace, reads)
    }

    #[test]
    fn the_same_is_computed_and_nothing_goes_to_memory_for_it() {
        let (mut fewer, mut without_slots) = (0, 0);
        for seed in 0..600 {
            let draft = random(seed);
            let mut kept = draft.clone();
            keep(&mut kept);
            let (before, after) = (assign(&draft), assign(&kept));
            let slots = |places: &[super::super::assign::Place]| {
                places.iter().filter(|place| matches!(place, super::super::assign::Place::Slot(_))).count()
            };
            assert_eq!(slots(&before.places), slots(&after.places), "seed {seed}");
            without_slots += usize::from(slots(&before.places) == 0);
            for path in 0..5 {
                let (expected, reads) = computed(&draft, path);
                let (found, fewer_reads) = computed(&kept, path);
                assert_eq!(expected, found, "seed {seed}");
                fewer += usize::from(fewer_reads < reads);
                assert!(holds(&kept, &after.places, &mut Rng::new(path), 60), "seed {seed}");
            }
        }
        assert!(fewer > 100 && without_slots > 100, "{fewer} paths read less, {without_slots} functions");
    }
}

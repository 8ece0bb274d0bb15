//! Assigning registers by linear scan: each virtual register lives from its first place to its last in the order of the code, and gets a
//! register that no other has in between, or a slot in the frame.
//!
//! A function is first tried without slots. Where that can't be, what is used least, by the depth of loops, goes to memory, and two registers
//! of its kind (three general ones) are set aside for what instructions then fetch.

use super::code::{Access, Class, Draft, Inst, Reg};
use cranelift_codegen::ir::Block;
use std::collections::HashMap;

/// Where a virtual register is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Place {
    /// In the register of this number.
    Register(u8),
    /// In the frame, at this offset.
    Slot(i32),
    /// Never used.
    Nowhere,
}

/// What comes of the assignment.
#[derive(Debug)]
pub(super) struct Assignment {
    pub(super) places: Vec<Place>,
    /// Bytes of the frame, slots included.
    pub(super) frame: i32,
}

/// General registers in the order in which they are taken: those that callers keep for themselves come last. The stack's two are not among them.
const GENERAL: [u8; 14] = [0, 1, 2, 6, 7, 8, 9, 10, 11, 3, 12, 13, 14, 15];
/// General registers for what is fetched from slots.
pub(super) const FETCHED_GENERAL: [u8; 3] = [9, 10, 11];
/// Vector registers for what is fetched from slots.
pub(super) const FETCHED_VECTOR: [u8; 2] = [14, 15];

/// From where to where a virtual register lives.
#[derive(Clone, Debug)]
pub(super) struct Interval {
    pub(super) reg: Reg,
    pub(super) start: u32,
    pub(super) end: u32,
    weight: f64,
}

/// How many vector registers there are.
pub(super) const VECTORS: usize = 16;

/// The registers that the caller gives values in, in order.
const ARGUMENTS: [u8; 2] = [7, 6];

/// Assigns places to all virtual registers.
pub(super) fn assign(draft: &Draft) -> Assignment {
    let intervals = intervals(draft);
    let hints = hints(draft);
    let mut reserved = [false, false];
    loop {
        let (places, frame, spilled) = scan(draft, &intervals, &hints, reserved);
        // what is fetched needs registers that nothing else is in
        let next = [reserved[0] || spilled[0], reserved[1] || spilled[1]];
        if next == reserved {
            return Assignment { places, frame };
        }
        reserved = next;
    }
}

fn scan(
    draft: &Draft,
    intervals: &[Interval],
    hints: &[Vec<Reg>],
    reserved: [bool; 2],
) -> (Vec<Place>, i32, [bool; 2]) {
    let mut places = vec![Place::Nowhere; draft.classes.len()];
    let mut frame = draft.frame;
    let mut spilled = [false, false];
    let mut active: Vec<&Interval> = Vec::new();
    let mut slot = |class: Class| {
        let bytes = if class == Class::Vector { 32 } else { 8 };
        frame = (frame + bytes - 1) / bytes * bytes;
        frame += bytes;
        Place::Slot(frame - bytes)
    };
    for interval in intervals {
        active.retain(|other| other.end > interval.start);
        let class = draft.classes[interval.reg.0 as usize];
        let mut taken = [false; 16];
        for other in &active {
            if let (Place::Register(number), true) =
                (places[other.reg.0 as usize], draft.classes[other.reg.0 as usize] == class)
            {
                taken[number as usize] = true;
            }
        }
        let number = class as usize;
        let aside: &[u8] = match class {
            _ if !reserved[number] => &[],
            Class::General => &FETCHED_GENERAL,
            Class::Vector => &FETCHED_VECTOR,
        };
        aside.iter().for_each(|register| taken[*register as usize] = true);
        let wanted = hints[interval.reg.0 as usize].iter().find_map(|hint| match places[hint.0 as usize] {
            Place::Register(number) if !taken[number as usize] => Some(number),
            _ => None,
        });
        let argument = (interval.start == 0)
            .then(|| draft.bodies[0].params.iter().position(|(reg, _)| *reg == interval.reg))
            .flatten()
            .and_then(|position| ARGUMENTS.get(position).copied())
            .filter(|number| !taken[*number as usize]);
        let mut free = match class {
            Class::General => GENERAL.iter().copied().find(|register| !taken[*register as usize]),
            Class::Vector => (0..VECTORS as u8).find(|register| !taken[*register as usize]),
        };
        free = wanted.or(argument).or(free);
        if let Some(register) = free {
            places[interval.reg.0 as usize] = Place::Register(register);
            active.push(interval);
            continue;
        }
        spilled[number] = true;
        let least = active
            .iter()
            .enumerate()
            .filter(|(_, other)| draft.classes[other.reg.0 as usize] == class)
            .min_by(|(_, x), (_, y)| x.weight.total_cmp(&y.weight));
        match least {
            Some((at, other)) if other.weight < interval.weight => {
                places[interval.reg.0 as usize] = places[other.reg.0 as usize];
                places[other.reg.0 as usize] = slot(class);
                active.remove(at);
                active.push(interval);
            }
            _ => places[interval.reg.0 as usize] = slot(class),
        }
    }
    (places, frame, spilled)
}

/// Which other registers hold the same value before or after, so that one place for both saves a move.
fn hints(draft: &Draft) -> Vec<Vec<Reg>> {
    let mut hints = vec![Vec::new(); draft.classes.len()];
    let mut join = |x: Reg, y: Reg| {
        hints[x.0 as usize].push(y);
        hints[y.0 as usize].push(x);
    };
    for body in &draft.bodies {
        for edge in body.end.edges() {
            edge.moves.iter().for_each(|(to, from, _)| join(*to, *from));
        }
        for inst in &body.insts {
            match inst {
                Inst::Move { to, from, .. } => join(*to, *from),
                Inst::Fma { to, x, z, .. } => {
                    if let super::code::Operand::UseOrMemory(z, _) = z {
                        join(*to, *z);
                    }
                    join(*to, *x);
                }
                Inst::Machine { .. } | Inst::Zero { .. } => {}
            }
        }
    }
    hints
}

/// The first and the last number in the order of the code that belong to each block: two for its parameters, each instruction and its end.
pub(super) fn positions(draft: &Draft) -> Vec<(u32, u32)> {
    let mut at = 0;
    let of = |body: &super::code::Body| {
        let first = at;
        at += 2 * (body.insts.len() as u32 + 2);
        (first, at - 1)
    };
    draft.bodies.iter().map(of).collect()
}

/// The intervals in the order of their starts.
pub(super) fn intervals(draft: &Draft) -> Vec<Interval> {
    let count = draft.classes.len();
    let live_in = live_in(draft);
    let numbers: HashMap<Block, usize> =
        draft.bodies.iter().enumerate().map(|(number, body)| (body.block, number)).collect();
    let mut spans = vec![(u32::MAX, 0u32); count];
    let mut weights = vec![0f64; count];
    let mut widen = |reg: Reg, at: u32| {
        let span = &mut spans[reg.0 as usize];
        *span = (span.0.min(at), span.1.max(at + 1));
    };
    for ((number, body), (first, last)) in draft.bodies.iter().enumerate().zip(positions(draft)) {
        let worth = 10f64.powi(body.depth.min(8) as i32);
        for (reg, _) in &body.params {
            widen(*reg, first);
        }
        let mut at = first + 2;
        for inst in &body.insts {
            inst.for_each_reg(&mut |reg, access| {
                weights[reg.0 as usize] += worth;
                match access {
                    Access::Read => widen(reg, at),
                    Access::Write => widen(reg, at + 1),
                    Access::Change => {
                        widen(reg, at);
                        widen(reg, at + 1);
                    }
                }
            });
            at += 2;
        }
        for edge in body.end.edges() {
            for (to, from, _) in &edge.moves {
                widen(*from, at);
                weights[from.0 as usize] += worth;
                weights[to.0 as usize] += worth;
            }
        }
        if let super::code::End::Return(reg) = &body.end {
            widen(*reg, at);
        }
        for (reg, live) in live_in[number].iter().enumerate() {
            if *live {
                widen(Reg(reg as u32), first);
            }
        }
        for edge in body.end.edges() {
            let next = numbers.get(&edge.to).map(|next| &live_in[*next]);
            for (reg, live) in next.into_iter().flatten().enumerate() {
                if *live {
                    widen(Reg(reg as u32), last);
                }
            }
        }
    }
    let mut intervals: Vec<Interval> = (0..count)
        .filter(|reg| spans[*reg].0 != u32::MAX)
        .map(|reg| {
            let (start, end) = spans[reg];
            Interval { reg: Reg(reg as u32), start, end, weight: weights[reg] / f64::from(end - start + 8) }
        })
        .collect();
    intervals.sort_by_key(|interval| (interval.start, interval.reg));
    intervals
}

/// Which registers hold something that is used later where each block begins; its parameters are not among them.
fn live_in(draft: &Draft) -> Vec<Vec<bool>> {
    let count = draft.classes.len();
    let numbers: HashMap<Block, usize> =
        draft.bodies.iter().enumerate().map(|(number, body)| (body.block, number)).collect();
    let mut live = vec![vec![false; count]; draft.bodies.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (number, body) in draft.bodies.iter().enumerate().rev() {
            let mut now = vec![false; count];
            for edge in body.end.edges() {
                if let Some(next) = numbers.get(&edge.to) {
                    now.iter_mut().zip(&live[*next]).for_each(|(now, next)| *now |= next);
                }
            }
            for edge in body.end.edges() {
                edge.moves.iter().for_each(|(_, from, _)| now[from.0 as usize] = true);
            }
            if let super::code::End::Return(reg) = &body.end {
                now[reg.0 as usize] = true;
            }
            for inst in body.insts.iter().rev() {
                inst.for_each_reg(&mut |reg, access| {
                    if access == Access::Write {
                        now[reg.0 as usize] = false;
                    }
                });
                inst.for_each_reg(&mut |reg, access| {
                    if access != Access::Write {
                        now[reg.0 as usize] = true;
                    }
                });
            }
            body.params.iter().for_each(|(reg, _)| now[reg.0 as usize] = false);
            if now != live[number] {
                live[number] = now;
                changed = true;
            }
        }
    }
    live
}

#[cfg(test)]
pub(super) mod tests;

//! Random functions walked along random paths: whatever an instruction reads, its place holds what was last written to that register, and
//! not so where two places are confused.

use super::super::code::{Body, Condition, Edge, End, Operand, View};
use super::*;
use fun_base::rng::Rng;
use iced_x86::Code;

/// How many constants there are.
const CONSTANTS: usize = 6;

/// Makes functions in which everything is written before it is read.
struct Maker {
    rng: Rng,
    draft: Draft,
    /// What may be read at the current place.
    known: Vec<Reg>,
}

impl Maker {
    fn fresh(&mut self) -> Reg {
        let class = if self.rng.below(3) == 0 { Class::General } else { Class::Vector };
        self.draft.classes.push(class);
        Reg(self.draft.classes.len() as u32 - 1)
    }

    fn view(&self, reg: Reg) -> View {
        if self.draft.classes[reg.0 as usize] == Class::General { View::Quad } else { View::Ymm }
    }

    /// A known register, of a kind if that is given.
    fn any(&mut self, class: Option<Class>) -> Option<Reg> {
        let fitting: Vec<Reg> = self
            .known
            .iter()
            .copied()
            .filter(|reg| class.is_none_or(|class| self.draft.classes[reg.0 as usize] == class))
            .collect();
        if fitting.is_empty() { None } else { Some(fitting[self.rng.below(fitting.len())]) }
    }

    fn begin(&mut self, params: Vec<Reg>, depth: u32) -> usize {
        let block = Block::from_u32(self.draft.bodies.len() as u32);
        let params = params.into_iter().map(|reg| (reg, self.view(reg))).collect();
        let end = End::Return(Reg(0));
        self.draft.bodies.push(Body { block, params, insts: Vec::new(), end, depth, innermost: None });
        self.draft.bodies.len() - 1
    }

    fn insts(&mut self, body: usize) {
        for _ in 0..self.rng.below(30) {
            let mut operands = Vec::new();
            for _ in 0..self.rng.below(3) {
                if let Some(reg) = self.any(None) {
                    operands.push(Operand::Use(reg, self.view(reg)));
                }
            }
            if self.rng.below(4) == 0 {
                operands.push(self.constant(body));
            }
            let to = self.fresh();
            operands.push(Operand::Def(to, self.view(to)));
            self.known.push(to);
            self.draft.bodies[body].insts.push(Inst::Machine { code: Code::INVALID, operands });
        }
    }

    /// A constant of the pool, or the register that one was loaded to just before.
    fn constant(&mut self, body: usize) -> Operand {
        let number = self.rng.below(CONSTANTS);
        if self.rng.below(2) == 0 {
            return Operand::Pool(number);
        }
        self.draft.classes.push(Class::Vector);
        let to = Reg(self.draft.classes.len() as u32 - 1);
        let operands = vec![Operand::Def(to, View::Ymm), Operand::Pool(number)];
        let load = Inst::Machine { code: Code::VEX_Vmovups_ymm_ymmm256, operands };
        self.draft.bodies[body].insts.push(load);
        Operand::Use(to, View::Ymm)
    }

    fn edge(&mut self, to: usize) -> Edge {
        let params: Vec<(Reg, View)> = self.draft.bodies[to].params.clone();
        let moves = params
            .into_iter()
            .map(|(param, view)| (param, self.any(Some(view.class())).unwrap_or(param), view))
            .collect();
        Edge { to: self.draft.bodies[to].block, moves }
    }

    /// Code from a block on; gives the block where it ends.
    fn code(&mut self, mut body: usize, depth: u32) -> usize {
        for _ in 0..1 + self.rng.below(3) {
            self.insts(body);
            if depth < 3 && self.rng.below(2) == 0 {
                let params: Vec<Reg> = (0..self.rng.below(6)).map(|_| self.fresh()).collect();
                // each has a value before, of its kind
                let params: Vec<Reg> = params
                    .into_iter()
                    .filter(|reg| self.any(Some(self.draft.classes[reg.0 as usize])).is_some())
                    .collect();
                let head = self.begin(params.clone(), depth + 1);
                let enter = self.edge(head);
                self.draft.bodies[body].end = End::Jump(enter);
                let outside = self.known.len();
                self.known.extend(params.iter().copied());
                let latch = self.code(head, depth + 1);
                if latch == head {
                    self.draft.bodies[head].innermost = Some(self.draft.bodies[head].block);
                }
                let back = self.edge(head);
                let after = self.begin(Vec::new(), depth);
                let out = self.edge(after);
                self.draft.bodies[latch].end =
                    End::Branch { condition: Condition::NOT_EQUAL, yes: back, no: out };
                self.known.truncate(outside + params.len());
                body = after;
            }
        }
        body
    }
}

/// A function with loops, branches and constants.
pub(in super::super) fn random(seed: u64) -> Draft {
    let mut maker = Maker { rng: Rng::new(seed), draft: Draft::default(), known: Vec::new() };
    maker.draft.pool = vec![vec![0; 32]; CONSTANTS];
    maker.draft.classes = vec![Class::General, Class::Vector];
    maker.known = vec![Reg(0)];
    let first = maker.begin(vec![Reg(0)], 0);
    let last = maker.code(first, 0);
    maker.draft.bodies[last].end = End::Return(Reg(0));
    maker.draft
}

/// Whether all reads on a random path of so many blocks find what was written.
pub(in super::super) fn holds(draft: &Draft, places: &[Place], rng: &mut Rng, blocks: usize) -> bool {
    let mut written = vec![0u64; draft.classes.len()];
    let mut contents: HashMap<(usize, Place), u64> = HashMap::new();
    let mut next = 1;
    let at = |reg: Reg| match places[reg.0 as usize] {
        Place::Register(number) => (draft.classes[reg.0 as usize] as usize, Place::Register(number)),
        place => (2, place),
    };
    for (reg, _) in &draft.bodies[0].params {
        written[reg.0 as usize] = next;
        contents.insert(at(*reg), next);
        next += 1;
    }
    let mut body = &draft.bodies[0];
    for _ in 0..blocks {
        for inst in &body.insts {
            let mut right = true;
            inst.for_each_reg(&mut |reg, access| {
                if access != Access::Write {
                    right &= contents.get(&at(reg)) == Some(&written[reg.0 as usize]);
                }
            });
            if !right {
                return false;
            }
            inst.for_each_reg(&mut |reg, access| {
                if access != Access::Read {
                    written[reg.0 as usize] = next;
                    contents.insert(at(reg), next);
                    next += 1;
                }
            });
        }
        let edges: Vec<&Edge> = body.end.edges().collect();
        if edges.is_empty() {
            return true;
        }
        let edge = edges[rng.below(edges.len())];
        let values: Vec<(Reg, u64, Option<u64>)> = edge
            .moves
            .iter()
            .map(|(to, from, _)| (*to, written[from.0 as usize], contents.get(&at(*from)).copied()))
            .collect();
        for (to, value, content) in values {
            if content != Some(value) {
                return false;
            }
            written[to.0 as usize] = value;
            contents.insert(at(to), value);
        }
        let Some(found) = draft.bodies.iter().find(|body| body.block == edge.to) else { return false };
        body = found;
    }
    true
}

#[test]
fn reads_find_what_was_written() {
    let mut with_slots = 0;
    for seed in 0..400 {
        let draft = random(seed);
        let assignment = assign(&draft);
        with_slots += u32::from(assignment.frame > 0);
        let mut rng = Rng::new(seed);
        for _ in 0..5 {
            assert!(holds(&draft, &assignment.places, &mut rng, 60), "seed {seed}");
        }
    }
    assert!(with_slots > 50, "only {with_slots} functions have slots");
}

/// A value is fetched from the slot of another one.
#[test]
fn wrong_slots_are_noticed() {
    let (mut tried, mut noticed) = (0, 0);
    for seed in 0..400 {
        let draft = random(seed);
        let mut places = assign(&draft).places;
        let in_slots: Vec<usize> =
            (0..places.len()).filter(|reg| matches!(places[*reg], Place::Slot(_))).collect();
        let [.., one, other] = in_slots[..] else { continue };
        places[one] = places[other];
        tried += 1;
        let mut rng = Rng::new(seed);
        noticed += u32::from((0..20).any(|_| !holds(&draft, &places, &mut rng, 60)));
    }
    assert!(tried > 50 && 2 * noticed > tried, "{noticed} of {tried}");
}

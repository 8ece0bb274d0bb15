//! The search for thresholds: each is tuned behind those that it leads to, by runs of all data sets with every choice that differs for them.

use imp::params::Param;
use std::time::Duration;

/// A run of a data set.
pub(super) struct Trial {
    /// How long it took.
    pub(super) time: Duration,
    /// The sizes that were compared with parameters, by their places.
    pub(super) compared: Vec<(usize, i64)>,
}

/// Runs a data set with these numbers for all parameters; `None` where that fails, as a version may need too much memory.
pub(super) type Runner<'r> = dyn FnMut(usize, &[i64]) -> Result<Option<Trial>, String> + 'r;

/// Sizes of one data set that are tried for a threshold: of more, these many spread over them.
const MOST_CUTS: usize = 8;

/// Another number must be better than this part of the time with the one that there is: less is noise.
const WORTH: f64 = 0.98;

/// What a data set says of a threshold: for each number tried, ascending, how long it took, as a multiple of the best.
struct Measured {
    cuts: Vec<(i64, f64)>,
}

impl Measured {
    /// How long the data set takes with a number: as with the next one that was tried.
    fn cost(&self, number: i64) -> f64 {
        let reached = self.cuts.iter().find(|(cut, _)| number <= *cut).or(self.cuts.last());
        reached.map_or(0.0, |(_, cost)| *cost)
    }
}

/// Good numbers for the parameters that are compared, from these on. `tell` hears of each threshold, its number, and how many data sets come to it.
pub(super) fn search(
    params: &[Param],
    data_sets: usize,
    run: &mut Runner<'_>,
    tell: &mut dyn FnMut(&Param, i64, usize),
) -> Result<Vec<i64>, String> {
    let mut numbers: Vec<i64> = params.iter().map(|param| param.usual).collect();
    // what a comparison leads to stands behind it
    for (at, param) in params.iter().enumerate().rev().filter(|(_, param)| param.compared) {
        let mut forced = numbers.clone();
        for (name, reached) in &param.path {
            if let Some(outer) = params.iter().position(|param| param.name == *name) {
                forced[outer] = if *reached { 0 } else { i64::MAX };
            }
        }
        let mut measured = Vec::new();
        for data_set in 0..data_sets {
            measured.extend(measure(at, &forced, data_set, run)?);
        }
        numbers[at] = choose(&measured, numbers[at]);
        tell(param, numbers[at], measured.len());
    }
    Ok(numbers)
}

/// What a data set says of a threshold, if it comes to it.
fn measure(
    at: usize,
    forced: &[i64],
    data_set: usize,
    run: &mut Runner<'_>,
) -> Result<Option<Measured>, String> {
    let Some(first) = run(data_set, forced)? else { return Ok(None) };
    let mut sizes: Vec<i64> =
        first.compared.iter().filter(|(param, _)| *param == at).map(|(_, size)| *size).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let Some(last) = sizes.last().copied() else { return Ok(None) };
    let step = sizes.len().div_ceil(MOST_CUTS);
    let cuts = sizes.into_iter().step_by(step).chain([last.saturating_add(1)]);
    let mut numbers = forced.to_vec();
    let mut times = Vec::new();
    for cut in cuts {
        numbers[at] = cut;
        let time = run(data_set, &numbers)?.map_or(f64::INFINITY, |trial| trial.time.as_secs_f64());
        times.push((cut, time));
    }
    let best = times.iter().map(|(_, time)| *time).fold(f64::INFINITY, f64::min);
    if best.is_infinite() {
        return Ok(None);
    }
    let cost = |time: f64| if best > 0.0 { time / best } else { 1.0 };
    Ok(Some(Measured { cuts: times.into_iter().map(|(cut, time)| (cut, cost(time))).collect() }))
}

/// The number with which the data sets lose least against the best for each. It lies far from the sizes on both sides that it parts; the old one stays
/// where it does as well.
fn choose(measured: &[Measured], old: i64) -> i64 {
    let total = |number: i64| measured.iter().map(|data_set| data_set.cost(number)).sum::<f64>();
    let mut cuts: Vec<i64> =
        measured.iter().flat_map(|data_set| &data_set.cuts).map(|(cut, _)| *cut).collect();
    cuts.sort_unstable();
    cuts.dedup();
    let best = cuts.iter().copied().min_by(|x, y| total(*x).total_cmp(&total(*y)));
    let Some(best) = best.filter(|best| total(*best) < WORTH * total(old)) else { return old };
    let below = cuts.iter().copied().rfind(|cut| *cut < best);
    match below {
        // the sizes below are not to reach it
        Some(below) if below > 0 => {
            let middle = (below as f64 * best as f64).sqrt().round() as i64;
            middle.clamp(below + 1, best)
        }
        _ => best,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fun_base::name::Symbol;

    fn param(name: &str, usual: i64, path: &[(&str, bool)]) -> Param {
        let path = path.iter().map(|(name, reached)| (Symbol::new(name), *reached)).collect();
        Param { name: Symbol::new(name), usual, compared: true, path }
    }

    fn found(params: &[Param], sizes: &[[i64; 2]], cost: impl Fn(i64, i64, bool) -> u64) -> Vec<i64> {
        let mut run = |data_set: usize, numbers: &[i64]| {
            let [length, count] = sizes[data_set];
            let by_block = length >= numbers[0] && count < numbers[1];
            let time = Duration::from_micros(cost(length, count, by_block));
            Ok(Some(Trial { time, compared: vec![(0, length), (1, count)] }))
        };
        search(params, sizes.len(), &mut run, &mut |_, _, _| {}).unwrap()
    }

    fn rows() -> [Param; 2] {
        [param("long", 512, &[]), param("many", 1000, &[("long", true)])]
    }

    #[test]
    fn a_threshold_parts_data_sets() {
        // blocks pay from a length of 50 on
        let cost = |length: i64, _: i64, by_block: bool| if by_block == (length >= 50) { 100 } else { 300 };
        let [long, many] = found(&rows(), &[[10, 10], [90, 10], [2000, 10]], cost)[..] else {
            unreachable!()
        };
        assert!((11..=90).contains(&long), "{long}");
        assert_eq!(many, 1000);
    }

    #[test]
    fn what_is_as_good_stays() {
        assert_eq!(found(&rows(), &[[10, 10], [9000, 10]], |_, _, _| 100), [512, 1000]);
        let cost = |length: i64, _: i64, by_block: bool| if by_block == (length >= 512) { 100 } else { 300 };
        assert_eq!(found(&rows(), &[[10, 10], [9000, 10]], cost), [512, 1000]);
        assert_eq!(found(&rows(), &[], |_, _, _| 100), [512, 1000]);
    }

    #[test]
    fn an_inner_threshold_is_tuned_where_the_outer_one_leads_to_it() {
        // short rows, which no block would take by the usual number: few of them suit blocks
        let cost = |_: i64, count: i64, by_block: bool| if by_block == (count < 40) { 100 } else { 300 };
        let [long, many] = found(&rows(), &[[20, 10], [20, 300], [30, 80]], cost)[..] else { unreachable!() };
        assert!(long <= 20, "{long}");
        assert!((11..=80).contains(&many), "{many}");
    }

    #[test]
    fn versions_that_fail_are_avoided() {
        let params = [param("long", 512, &[])];
        let mut run = |_: usize, numbers: &[i64]| {
            let compared = vec![(0, 600)];
            Ok((600 < numbers[0]).then_some(Trial { time: Duration::from_micros(1), compared }))
        };
        assert_eq!(search(&params, 1, &mut run, &mut |_, _, _| {}).unwrap(), [512]);
        let params = [param("long", 1000, &[])];
        assert_eq!(search(&params, 1, &mut run, &mut |_, _, _| {}).unwrap(), [1000]);
    }
}

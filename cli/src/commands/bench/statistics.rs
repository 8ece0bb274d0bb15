//! What run times say: their mean and median, how sure the mean is, and whether two lists of times differ.

/// A summary of times.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Summary {
    /// Number of times.
    pub(super) runs: usize,
    /// The arithmetic mean.
    pub(super) mean: f64,
    /// The one in the middle, or the mean of the two there.
    pub(super) median: f64,
    /// The least.
    pub(super) min: f64,
    /// Half of the width of the 95 % confidence interval of the mean, over the mean; infinite for fewer than two times.
    pub(super) uncertainty: f64,
}

/// The summary of at least one time.
pub(super) fn summary(times: &[f64]) -> Option<Summary> {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    let runs = sorted.len();
    let min = *sorted.first()?;
    let mean = sorted.iter().sum::<f64>() / runs as f64;
    let median = (sorted[(runs - 1) / 2] + sorted[runs / 2]) / 2.0;
    let uncertainty = if runs < 2 {
        f64::INFINITY
    } else {
        let variance = sorted.iter().map(|time| (time - mean).powi(2)).sum::<f64>() / (runs - 1) as f64;
        student_quantile(runs - 1) * (variance / runs as f64).sqrt() / mean
    };
    Some(Summary { runs, mean, median, min, uncertainty })
}

/// The 97.5 % quantile of Student's distribution with these degrees of freedom: what bounds a 95 % confidence interval. By the expansion
/// of Cornish and Fisher around the normal distribution (Abramowitz and Stegun 26.7.5), which is within 0.1 % from 4 degrees on.
fn student_quantile(degrees: usize) -> f64 {
    const EXACT: [f64; 4] = [12.706_204_736, 4.302_652_730, 3.182_446_305, 2.776_445_105];
    if let Some(quantile) = degrees.checked_sub(1).and_then(|k| EXACT.get(k)) {
        return *quantile;
    }
    let (x, n) = (1.959_963_985_f64, degrees as f64);
    let g1 = (x.powi(3) + x) / 4.0;
    let g2 = (5.0 * x.powi(5) + 16.0 * x.powi(3) + 3.0 * x) / 96.0;
    let g3 = (3.0 * x.powi(7) + 19.0 * x.powi(5) + 17.0 * x.powi(3) - 15.0 * x) / 384.0;
    let g4 = (79.0 * x.powi(9) + 776.0 * x.powi(7) + 1482.0 * x.powi(5) - 1920.0 * x.powi(3) - 945.0 * x)
        / 92160.0;
    x + g1 / n + g2 / n.powi(2) + g3 / n.powi(3) + g4 / n.powi(4)
}

/// The probability that two lists of times of the same distribution differ in rank by at least as much as these do: the test of Mann,
/// Whitney and Wilcoxon by the normal approximation, with ties and a correction for continuity. No assumption about the shape is made, as
/// run times are not normal. 1 where a list is empty.
pub(super) fn same_distribution(left: &[f64], right: &[f64]) -> f64 {
    let (n, m) = (left.len() as f64, right.len() as f64);
    if left.is_empty() || right.is_empty() {
        return 1.0;
    }
    let mut all: Vec<(f64, bool)> =
        left.iter().map(|time| (*time, true)).chain(right.iter().map(|time| (*time, false))).collect();
    all.sort_by(|x, y| x.0.total_cmp(&y.0));
    let (mut rank_sum, mut ties, mut at) = (0.0, 0.0, 0);
    while at < all.len() {
        let end = at + all[at..].iter().take_while(|(time, _)| *time == all[at].0).count();
        // all of one value share the mean of their ranks, which begin at 1
        let rank = (at + 1 + end) as f64 / 2.0;
        rank_sum += rank * all[at..end].iter().filter(|(_, of_left)| *of_left).count() as f64;
        let equal = (end - at) as f64;
        ties += equal.powi(3) - equal;
        at = end;
    }
    let total = n + m;
    let deviation = (rank_sum - n * (n + 1.0) / 2.0 - n * m / 2.0).abs();
    let variance = n * m / 12.0 * (total + 1.0 - ties / (total * (total - 1.0)));
    if variance <= 0.0 {
        return 1.0;
    }
    let z = (deviation - 0.5).max(0.0) / variance.sqrt();
    complementary_error(z / std::f64::consts::SQRT_2)
}

/// `1 - erf(x)` for `x >= 0`, within 1.5e-7 (Abramowitz and Stegun 7.1.26).
fn complementary_error(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let polynomial = t
        * (0.254_829_592
            + t * (-0.284_496_736 + t * (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429))));
    polynomial * (-x * x).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries() {
        assert_eq!(summary(&[]), None);
        let one = summary(&[2.0]).expect("a time");
        assert_eq!((one.mean, one.median, one.min, one.uncertainty), (2.0, 2.0, 2.0, f64::INFINITY));
        let some = summary(&[3.0, 1.0, 2.0, 6.0]).expect("times");
        assert_eq!((some.runs, some.mean, some.median, some.min), (4, 3.0, 2.5, 1.0));
        // variance 14/3, quantile for 3 degrees 3.182: 3.182 * sqrt(14/12) / 3
        assert!((some.uncertainty - 1.145_79).abs() < 1e-4, "{}", some.uncertainty);
        assert_eq!(summary(&[5.0; 9]).expect("times").uncertainty, 0.0);
    }

    #[test]
    fn quantiles_are_those_of_tables() {
        for (degrees, quantile) in
            [(1, 12.706), (4, 2.776), (5, 2.571), (10, 2.228), (30, 2.042), (1000, 1.962)]
        {
            assert!((student_quantile(degrees) - quantile).abs() < 0.003, "{degrees}");
        }
    }

    #[test]
    fn ranks_tell_distributions_apart() {
        let low: Vec<f64> = (0..20).map(f64::from).collect();
        let high: Vec<f64> = (15..35).map(f64::from).collect();
        assert!(same_distribution(&low, &high) < 1e-4);
        assert!(same_distribution(&low, &low) > 0.95);
        assert_eq!(same_distribution(&low, &[]), 1.0);
        assert_eq!(same_distribution(&[1.0, 1.0], &[1.0, 1.0]), 1.0);
        // U = 2 of 9, by hand: |2 - 4.5| - 0.5 = 2 over sqrt(9 * 7 / 12) = 0.8729 deviations
        assert!((same_distribution(&[1.0, 2.0, 5.0], &[3.0, 4.0, 6.0]) - 0.3827).abs() < 1e-3);
    }
}

//! Prices options and blurs an image with kernels by FUN.

#[allow(dead_code)]
mod kernels {
    include!(concat!(env!("OUT_DIR"), "/kernels.rs"));
}

use kernels::{Context, Error, Market, View};

const H: usize = 60;
const W: usize = 80;

/// The mean of a pixel of a part of an image and its neighbours; beyond the border, the border goes on.
fn mean(image: &[f32], top: usize, left: usize, h: usize, w: usize, y: usize, x: usize) -> f64 {
    let near = |at: usize, step: usize, size: usize| (at + step).saturating_sub(1).min(size - 1);
    let mut sum = 0.0;
    for v in 0..3 {
        for u in 0..3 {
            sum += f64::from(image[(top + near(y, v, h)) * W + left + near(x, u, w)]);
        }
    }
    sum / 9.0
}

fn main() -> Result<(), Error> {
    let context = Context::new()?;
    // options: a call less a put of the same strike is worth what the share is, less the strike as of today
    let market = Market::new(&context, 0.03, 0.2)?;
    let strikes: Vec<f64> = (60..=140).map(f64::from).collect();
    let years = vec![0.5; strikes.len()];
    let (prices, total) = kernels::portfolio(&context, &market, 100.0, &strikes, &years)?;
    assert!((prices.iter().sum::<f64>() - total).abs() < 1e-9 && prices.is_sorted_by(|a, b| a > b));
    println!("{} options cost {total:.2}, {} bytes copied", prices.len(), context.copied_bytes());
    let refused = kernels::calls(&context, &market, 100.0, &[-1.0], &[0.5]).expect_err("no strike is below zero");
    println!("a strike below zero: {}", refused.message.lines().next().unwrap_or_default());
    // an image, and a part of it where it lies
    let distance = |k: usize| ((k / W) as f32 - 30.0).hypot((k % W) as f32 - 40.0);
    let image: Vec<f32> = (0..H * W).map(|k| 0.5 + 0.5 * distance(k).sin()).collect();
    let parts = [(0, 0, H, W), (10, 20, 30, 40)];
    for (top, left, h, w) in parts {
        let view = View::strided(&image, top * W + left, [W as isize, 1], [h, w]).expect("a part of the image");
        let blurred = kernels::blur(&context, view)?;
        assert_eq!(blurred.shape(), [h, w]);
        for (k, pixel) in blurred.iter().enumerate() {
            assert!((f64::from(*pixel) - mean(&image, top, left, h, w, k / w, k % w)).abs() < 1e-6);
        }
    }
    println!("blurred; {} bytes copied for the part", context.copied_bytes());
    // an array that is consumed lies in the context
    let whole = View::new(&image, [H, W]).expect("the image");
    let (once, own) = (kernels::blur(&context, whole)?, context.array(whole)?);
    let twice = kernels::blurs(&context, 2, own)?;
    assert_eq!(kernels::blur(&context, &once)?[..], twice[..]);
    Ok(())
}

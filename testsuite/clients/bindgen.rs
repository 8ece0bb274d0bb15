//! Calls a library of `bindgen.fut` by way of what futhark-bindgen makes of its manifest.

include!("kernels.rs");

fn main() {
    let context = Context::new_with_options(Options::new()).unwrap();
    let sorted = ArrayI64D1::new(&context, [7], [1, 2, 3, 4, 5, 7, 8]).unwrap();
    assert_eq!(context.binary_search(&sorted, 6).unwrap(), 5);
    let numbers = ArrayF32D1::new(&context, [3], [1.0, 2.0, 4.0]).unwrap();
    let factor = Number::new(&context, 2.5).unwrap();
    assert_eq!(factor.get_x().unwrap(), 2.5);
    assert_eq!(context.scale(&factor, &numbers).unwrap().get().unwrap(), [2.5, 5.0, 10.0]);
    let range = context.range(&numbers).unwrap();
    assert_eq!((range.get_high().unwrap(), range.get_low().unwrap()), (4.0, 1.0));
    let rows = ArrayI32D2::new(&context, [2, 3], [1, 2, 3, 4, 5, 6]).unwrap();
    let turned = context.turn(&rows).unwrap();
    assert_eq!((turned.get().unwrap(), turned.shape), (vec![1, 4, 2, 5, 3, 6], [3, 2]));
    assert_eq!(context.root(9.0).unwrap(), 3.0);
    assert!(matches!(context.root(-1.0), Err(Error::Code(2))));
    assert!(context.get_error().unwrap().contains("Assertion is false: (x >= 0)"));
    println!("all right");
}

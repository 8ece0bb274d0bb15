//! Compiles the kernels.

fn main() {
    if let Err(error) = fun_build::compile("kernels.fut") {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

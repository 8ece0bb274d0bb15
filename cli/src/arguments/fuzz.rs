//! The flags of `fun fuzz`.

use std::path::PathBuf;

/// `fun fuzz`.
#[derive(clap::Args, Clone)]
#[command(
    after_help = "Without a limit it fuzzes for one minute. Exit status: 0 nothing found, 1 a program breaks a law, 2 wrong usage. With \
                  --mutant: 0 found, 1 not found."
)]
pub(crate) struct FuzzArguments {
    /// The seed of the first program; program k has seed SEED + k.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Stop after this many programs, those of earlier runs with the same corpus included.
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) programs: Option<u64>,
    /// Stop this run after this many seconds.
    #[arg(short, long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time: Option<f64>,
    /// Stop at the first finding instead of looking for others.
    #[arg(long)]
    pub(crate) first: bool,
    /// Use this many processes; as many as there are processors when absent.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) jobs: Option<u32>,
    /// Draw programs of about this many statements a function.
    #[arg(long, default_value_t = fun_verify::fuzz::DEFAULT_SIZE, value_name = "N",
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(0..=1000))]
    pub(crate) size: usize,
    /// Draw only programs of this language (fut, fun, funmem, imp); may be repeated.
    #[arg(short, long, value_name = "LANGUAGE", value_parser = language)]
    pub(crate) language: Vec<fun_verify::generated::Language>,
    /// Run only this pipeline; otherwise the default one, and `none` for one program in eight.
    #[arg(long, value_name = "NAME")]
    pub(crate) pipeline: Option<String>,
    /// Keep what is found, and how far we are, in this folder; a later run with the same folder goes on from there.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) corpus: Option<PathBuf>,
    /// Print how many programs have each construct.
    #[arg(long)]
    pub(crate) coverage: bool,
    /// Put this seeded bug into the pipeline and look for a program that shows it, among 20,000 if nothing else is said. `all` looks for
    /// every one, `list` names them. With --corpus, the smallest programs go to `mutants/` in that folder.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["time", "size", "language", "pipeline", "first", "coverage"])]
    pub(crate) mutant: Option<String>,
    /// Print the results for seeded bugs as a table.
    #[arg(long, requires = "mutant")]
    pub(crate) table: bool,
    /// Check the programs that another process names on standard input.
    #[arg(long, hide = true)]
    pub(crate) worker: bool,
}

fn language(name: &str) -> Result<fun_verify::generated::Language, String> {
    use fun_verify::generated::Language;
    Language::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Language::ALL.iter().map(|language| language.name()).collect();
        format!("there are {}", names.join(", "))
    })
}

fn seconds(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    if number.is_finite() && number >= 0.0 { Ok(number) } else { Err("not a number of seconds".to_owned()) }
}

//! The folder of a campaign: `state.txt` says how far it got, `findings/` holds the smallest programs that break a law.

use super::process::Found;
use super::tally::Tally;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// First line of the state: what it is, and the version of its form.
const HEADER: &str = "fun fuzz state 1";

/// How far a campaign got.
#[derive(Default)]
pub(super) struct State {
    /// All seeds from the first to before this one have been looked at.
    pub(super) next: Option<u64>,
    /// How long it took so far.
    pub(super) time: Duration,
    /// What was counted.
    pub(super) tally: Tally,
}

/// The folder.
pub(super) struct Corpus {
    folder: PathBuf,
    settings: String,
}

impl Corpus {
    /// Opens the folder, or makes it. Refuses one that was begun with other settings.
    pub(super) fn open(folder: &Path, settings: &[String]) -> Result<(Corpus, State), String> {
        let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
        std::fs::create_dir_all(folder.join("findings")).map_err(failed)?;
        let corpus = Corpus { folder: folder.to_owned(), settings: settings.join(" ") };
        let path = corpus.state_path();
        if !path.exists() {
            return Ok((corpus, State::default()));
        }
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let state = corpus.read(&text).map_err(|message| format!("{}: {message}", path.display()))?;
        Ok((corpus, state))
    }

    fn read(&self, text: &str) -> Result<State, String> {
        let mut lines = text.lines();
        if lines.next() != Some(HEADER) {
            return Err("this is no state of `fun fuzz`".to_owned());
        }
        let mut state = State::default();
        for line in lines {
            match line.split_once(' ') {
                Some(("settings", settings)) if settings != self.settings => {
                    return Err(format!(
                        "the corpus was begun with `{settings}`, not with `{}`: use another folder",
                        self.settings
                    ));
                }
                Some(("settings", _)) => {}
                Some(("next", seed)) => state.next = seed.parse().ok(),
                Some(("milliseconds", time)) => {
                    state.time = Duration::from_millis(time.parse().unwrap_or(0));
                }
                _ if state.tally.read(line) => {}
                _ => return Err(format!("unknown line `{line}`")),
            }
        }
        Ok(state)
    }

    /// Writes how far it got, all or nothing.
    pub(super) fn save(&self, state: &State) -> Result<(), String> {
        let (next, time) = (state.next.unwrap_or(0), state.time.as_millis());
        let text = format!(
            "{HEADER}\nsettings {}\nnext {next}\nmilliseconds {time}\n{}",
            self.settings,
            state.tally.lines()
        );
        let (path, new) = (self.state_path(), self.folder.join("state.new"));
        let written = std::fs::write(&new, text).and_then(|()| std::fs::rename(&new, &path));
        written.map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Keeps a finding; gives its path.
    pub(super) fn keep(&self, found: &Found) -> Result<PathBuf, String> {
        let name = format!("{}-{}.{}", slug(&found.key), found.seed, found.language);
        let path = self.folder.join("findings").join(name);
        std::fs::write(&path, &found.case).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(path)
    }

    /// What was found before, as [`slug`] writes it.
    pub(super) fn known(&self) -> BTreeSet<String> {
        let entries = std::fs::read_dir(self.folder.join("findings")).into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.filter_map(|name| Some(name.rsplit_once('-')?.0.to_owned())).collect()
    }

    fn state_path(&self) -> PathBuf {
        self.folder.join("state.txt")
    }
}

/// What is found as part of a file name: its words with dashes between them.
pub(super) fn slug(key: &str) -> String {
    let words = key.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

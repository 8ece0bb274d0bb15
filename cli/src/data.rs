//! Random data of benchmarks on disk, so that they are made once.
//!
//! A folder (`$XDG_CACHE_HOME/fun/data`, or `~/.cache/fun/data`) with a file in Futhark's binary format for each type, sizes and seed. It may be
//! removed at any time, and what is wrong with it is no error: data that can't be kept or read are made again.

use crate::files;
use fun_base::value::{Value, ValueReader, binary};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What all files together take at most.
const LIMIT: u64 = 4 << 30;

/// The folder.
pub(crate) struct Data {
    folder: PathBuf,
    limit: u64,
}

impl Data {
    /// Where the user's caches are; nowhere for who has no home.
    pub(crate) fn of_user() -> Option<Data> {
        let folder = |name: &str| {
            let value = std::env::var_os(name).map(PathBuf::from);
            value.filter(|path| path.is_absolute())
        };
        let caches = folder("XDG_CACHE_HOME").or_else(|| Some(folder("HOME")?.join(".cache")))?;
        Some(Data { folder: caches.join("fun").join("data"), limit: LIMIT })
    }

    /// The value of this name, if it is there whole.
    pub(crate) fn recall(&self, name: &str) -> Option<Value> {
        let path = self.folder.join(name);
        let bytes = fs::read(&path).ok()?;
        let mut values = ValueReader::new(&bytes).read_all().ok()?;
        // those that were not used for long go first
        let _ =
            File::options().append(true).open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        values.pop().filter(|_| values.is_empty())
    }

    /// Keeps a value, unless it takes more than half of the room. Others go for it, those first that were not used for the longest time.
    pub(crate) fn remember(&self, name: &str, value: &Value) {
        let mut bytes = Vec::new();
        if binary::write_binary(value, &mut bytes).is_err() || bytes.len() as u64 > self.limit / 2 {
            return;
        }
        // before it is written, so that there never is more than the limit
        let path = self.folder.join(name);
        self.make_room(bytes.len() as u64, &path);
        let _ = fs::create_dir_all(&self.folder).map(|()| files::write_file(&path, &bytes));
    }

    /// Removes files until so many bytes are free for this one, which may be there already.
    fn make_room(&self, wanted: u64, replaced: &Path) {
        let mut there = files_in(&self.folder);
        there.retain(|(_, _, path)| path != replaced);
        there.sort();
        let mut taken: u64 = there.iter().map(|(_, size, _)| size).sum();
        for (_, size, path) in there {
            if taken + wanted <= self.limit {
                return;
            }
            if fs::remove_file(path).is_ok() {
                taken -= size;
            }
        }
    }
}

/// The files of a folder, with the time of their last use and their sizes.
fn files_in(folder: &Path) -> Vec<(SystemTime, u64, PathBuf)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| {
            let about = entry.metadata().ok().filter(fs::Metadata::is_file)?;
            Some((about.modified().ok()?, about.len(), entry.path()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fun_base::value::{ArrayData, ArrayValue};
    use std::time::Duration;

    fn bytes(count: usize) -> Value {
        ArrayValue::new(vec![count as i64], ArrayData::U8(vec![7; count])).expect("an array").into()
    }

    #[test]
    fn data_are_kept_whole_or_not_at_all() {
        let place = tempfile::tempdir().expect("a folder");
        let data = Data { folder: place.path().join("data"), limit: 4000 };
        assert!(data.recall("a").is_none());
        data.remember("a", &bytes(100));
        assert!(data.recall("a").is_some_and(|value| value.same(&bytes(100))));
        // cut short, or with something behind it
        let path = data.folder.join("a");
        let whole = fs::read(&path).expect("a file");
        fs::write(&path, &whole[..whole.len() - 1]).expect("a file");
        assert!(data.recall("a").is_none());
        fs::write(&path, [whole.clone(), whole].concat()).expect("a file");
        assert!(data.recall("a").is_none());
        data.remember("a", &bytes(100));
        assert!(data.recall("a").is_some());
        // the folder may go, and be a file
        fs::remove_dir_all(&data.folder).expect("it is there");
        assert!(data.recall("a").is_none());
        fs::write(&data.folder, "").expect("a file");
        data.remember("a", &bytes(100));
        assert!(data.recall("a").is_none());
    }

    #[test]
    fn what_was_not_used_for_long_makes_room() {
        let place = tempfile::tempdir().expect("a folder");
        let data = Data { folder: place.path().to_owned(), limit: 4000 };
        for (age, name) in [(3, "a"), (2, "b"), (1, "c")] {
            data.remember(name, &bytes(1000));
            let file = File::options().append(true).open(place.path().join(name)).expect("a file");
            file.set_modified(SystemTime::now() - Duration::from_secs(1000 * age)).expect("its time");
        }
        assert!(data.recall("a").is_some());
        // in its own place
        data.remember("c", &bytes(1500));
        assert!(["a", "b"].map(|name| place.path().join(name).exists()) == [true, true]);
        data.remember("d", &bytes(1000));
        let left = |name: &str| data.recall(name).is_some();
        assert_eq!(["a", "b", "c", "d"].map(left), [true, false, true, true]);
        // too large to be kept at all: nothing goes for it
        data.remember("e", &bytes(2500));
        assert_eq!(["a", "b", "c", "d", "e"].map(left), [true, false, true, true, false]);
    }
}

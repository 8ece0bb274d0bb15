//! The source files that the command line means.

use std::path::{Path, PathBuf};

/// The files among `paths`, and the source files of the folders among them, sorted within each folder.
pub(super) fn programs(paths: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            of_folder(path, &mut found)?;
        } else if path.is_file() {
            found.push(path.clone());
        } else {
            return Err(format!("there is no file {}", path.display()));
        }
    }
    Ok(found)
}

fn of_folder(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("can't read the folder {}: {error}", folder.display());
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        entries.push(entry.map_err(failed)?.path());
    }
    entries.sort();
    for path in entries {
        // a link to a folder may lead back up
        if path.is_dir() && !path.is_symlink() {
            of_folder(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "fut") && path.is_file() {
            found.push(path);
        }
    }
    Ok(())
}

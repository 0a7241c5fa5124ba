//! The gallery, and the table of results in README.md.

use super::rows::{PAPERS, Plot, Row, Status};
use crate::generated;
use crate::page;
use anyhow::{Context, Result, ensure};
use std::fmt::Write;
use std::path::Path;

const COMMAND: &str = "reproduce";
const GALLERY: &str = "docs/results/gallery.md";

/// Writes both files, or compares them with the present ones.
pub(super) fn write(root: &Path, rows: &[Row], check: bool) -> Result<bool> {
    generated::is_repository(root)?;
    for row in rows {
        for file in row.plots.iter().map(|plot| &plot.file).chain((!row.page.is_empty()).then_some(&row.page))
        {
            let path = super::folder(root).join(file.split('#').next().unwrap_or_default());
            ensure!(path.is_file(), "{}: there is no {}", row.id, path.display());
        }
    }
    let readme = root.join("README.md");
    let text = std::fs::read_to_string(&readme).with_context(|| readme.display().to_string())?;
    let readme = page::refreshed(COMMAND, &text, &|_| Ok(table(rows, "docs/results/")))?;
    let files = [("README.md", readme), (GALLERY, gallery(rows))];
    generated::keep(root, files, check, "weft reproduce --pages")
}

/// A line for each paper, with the paper's rows by status.
fn table(rows: &[Row], folder: &str) -> String {
    let mut text = "| paper | results |".to_owned();
    for status in Status::ALL {
        let _ = write!(text, " {} |", status.name());
    }
    text += "\n|---|---|---|---|---|---|\n";
    for (paper, letter, count) in PAPERS {
        let _ = write!(text, "| {paper} | {count} |");
        for status in Status::ALL {
            let of = rows.iter().filter(|row| row.id.starts_with(letter) && row.status == status);
            let _ = write!(text, " {} |", of.map(|row| link(row, folder)).collect::<Vec<_>>().join(" "));
        }
        text += "\n";
    }
    let counts = Status::ALL.map(|status| rows.iter().filter(|row| row.status == status).count().to_string());
    let _ = write!(text, "| all | {} | {} |", rows.len(), counts.join(" | "));
    text
}

/// A link from a page in docs/results, or in `folder` above it.
fn link(row: &Row, folder: &str) -> String {
    match row.page.strip_prefix("../") {
        _ if row.page.is_empty() => row.id.clone(),
        Some(page) if !folder.is_empty() => format!("[{}](docs/{page})", row.id),
        _ => format!("[{}]({folder}{})", row.id, row.page),
    }
}

fn gallery(rows: &[Row]) -> String {
    let mut text = "# Gallery: the papers' results\n\n".to_owned();
    text += "This page lists every result that the four papers report, says whether the result's shape holds here, and shows \
             the drawings. `weft reproduce ID` runs a row again and checks the shapes that the row's page claims; \
             `weft reproduce all --quick` does so for all rows in a short form. The file [`rows.toml`](rows.toml) has rows, \
             commands and claims; `weft reproduce --pages` writes this page.\n\n";
    text += "The *shape* of a result is the order of schemes, their groups, crossing points, and factors where the paper has \
             numbers. A row *holds* if the paper's shape holds here. The pages of the results say what differs.\n\n";
    text += &table(rows, "");
    text += "\n";
    for (paper, letter, _) in PAPERS {
        let _ = write!(
            text,
            "\n## {paper}\n\n| row | figure | what | shape | remarks |\n|---|---|---|---|---|\n"
        );
        let of_paper: Vec<&Row> = rows.iter().filter(|row| row.id.starts_with(letter)).collect();
        for row in &of_paper {
            let [id, status] = [link(row, ""), row.status.name().to_owned()];
            let _ = writeln!(text, "| {id} | {} | {} | {status} | {} |", row.figure, row.what, row.why);
        }
        for row in of_paper {
            for Plot { file, what, .. } in &row.plots {
                let _ = write!(
                    text,
                    "\n![{what}]({file})\n\n*{}, {}: {what}; {}.*\n",
                    link(row, ""),
                    row.what,
                    row.status.name()
                );
            }
        }
    }
    text
}

//! The paper's points beside our bars.

use anyhow::{Context, Result};

/// A value that a paper has for a bar: a number in the unit of the drawing, or a multiple of our mean of another bar.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Point {
    bar: String,
    value: f64,
    times: Option<String>,
}

/// A name without its spaces, as a word of docs/results/rows.toml has no spaces.
fn plain(name: &str) -> String {
    name.split_whitespace().collect()
}

/// Reads NAME=VALUE, or NAME=FACTORxNAME.
pub(super) fn read(text: &str) -> Result<Point, String> {
    let wrong = || format!("{text:?} names no value of a paper; write BAR=VALUE, or BAR=FACTORxBAR");
    let (bar, value) = text.rsplit_once('=').ok_or_else(wrong)?;
    let (value, times) = value.split_once('x').map_or((value, None), |(by, bar)| (by, Some(plain(bar))));
    let value = value.parse().ok().filter(|it: &f64| it.is_finite() && *it >= 0.0).ok_or_else(wrong)?;
    Ok(Point { bar: plain(bar), value, times })
}

impl Point {
    /// The name of the bar and its value, given names and means of the bars.
    pub(super) fn place(&self, names: &[&str], means: &[Option<f64>]) -> Result<(usize, f64)> {
        let at = |bar: &str| {
            let found = names.iter().position(|name| plain(name) == bar);
            found.with_context(|| format!("--paper: there is no bar {bar}; bars are {}", names.join("; ")))
        };
        let Some(times) = &self.times else { return Ok((at(&self.bar)?, self.value)) };
        let mean = means[at(times)?].with_context(|| format!("--paper: no run of {times} has the figure"))?;
        Ok((at(&self.bar)?, self.value * mean))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_a_number_or_a_multiple_of_our_mean() {
        let (names, means) = (["32, ops", "256, ops"], [Some(300.0), Some(200.0)]);
        let place = |text: &str| read(text).expect(text).place(&names, &means).map_err(|it| it.to_string());
        assert_eq!(place("32,ops=317.5"), Ok((0, 317.5)));
        assert_eq!(place("32, ops=1.5x256, ops"), Ok((0, 300.0)));
        assert!(place("64,ops=1").unwrap_err().contains("no bar 64,ops"));
        for text in ["ops", "ops=", "ops=fast", "ops=-1", "ops=x256,ops"] {
            assert!(read(text).unwrap_err().contains("BAR=VALUE"), "{text}");
        }
    }
}

//! The runs of a sweep: all combinations of values, each with all seeds.

use anyhow::{Context, Result, bail, ensure};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use weft_fabric::inputs::sha256;

/// A run.
#[derive(Clone, Debug)]
pub struct Point {
    /// Keys of the combination with their values.
    pub values: Vec<(String, String)>,
    /// The combination as text.
    pub name: String,
    /// Seed of the run.
    pub seed: u64,
    /// All keys of the point, including the seed.
    pub sets: Vec<String>,
    /// File of the result.
    pub file: PathBuf,
}

/// A list of seeds: `5` means 1 to 5, otherwise a list such as `3,7,20-29`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seeds(Vec<u64>);

/// Maximum number of runs of a sweep.
const MOST: usize = 1_000_000;

impl FromStr for Seeds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |word: &str| {
            let read = word.trim().parse::<u64>();
            read.map_err(|_| {
                format!("{word:?} is not a seed; give a number N for 1 to N, or a list such as 3,7,20-29")
            })
        };
        let range = |first: u64, last: u64| match last.checked_sub(first) {
            Some(more) if more < MOST as u64 => Ok(first..=last),
            Some(_) => Err(format!("more than {MOST} seeds")),
            None => Err(format!("{first}-{last} has no seeds; give the smaller number first")),
        };
        if !text.contains([',', '-']) {
            return match number(text)? {
                0 => Err("0 is not possible; use 1 or more".into()),
                last => Ok(Self(range(1, last)?.collect())),
            };
        }
        let mut seeds = Vec::new();
        for part in text.split(',').filter(|part| !part.trim().is_empty()) {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            seeds.extend(range(number(first)?, number(last)?)?);
        }
        let known: BTreeSet<u64> = seeds.iter().copied().collect();
        match known.len() == seeds.len() && !seeds.is_empty() {
            true => Ok(Self(seeds)),
            false => Err("a seed is given twice, or none is given".into()),
        }
    }
}

/// Keys that change together, with their values in each step.
struct Axis {
    keys: Vec<String>,
    steps: Vec<Vec<String>>,
}

impl Axis {
    /// `key=value,value`, or `key+key=value+value,value+value`.
    fn read(over: &str) -> Result<Self> {
        let Some((keys, values)) = over.split_once('=') else {
            bail!("--over {over}: give it as key=value,value");
        };
        let keys: Vec<String> = keys.split('+').map(|key| key.trim().to_owned()).collect();
        ensure!(
            !keys.iter().any(|key| key == "seed"),
            "--over {over}: seeds are given by --seeds, as in --seeds 3,7,20-29"
        );
        let step = |step: &str| {
            let values = if keys.len() > 1 { parts(step, '+') } else { vec![step.to_owned()] };
            ensure!(
                values.len() == keys.len(),
                "--over {over}: {step} has {} values for {} keys; give it as key+key=value+value,value+value",
                values.len(),
                keys.len()
            );
            Ok(values)
        };
        let steps = parts(values, ',').iter().map(|it| step(it)).collect::<Result<Vec<_>>>()?;
        Ok(Self { keys, steps })
    }
}

/// The parts of a text between marks. Marks in quotes, brackets and braces do not count.
fn parts(text: &str, mark: char) -> Vec<String> {
    let (mut found, mut depth, mut quote) = (vec![String::new()], 0usize, None);
    for letter in text.chars() {
        match (quote, letter) {
            (Some(open), letter) if letter == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(letter),
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => depth = depth.saturating_sub(1),
            (None, letter) if letter == mark && depth == 0 => {
                found.push(String::new());
                continue;
            }
            _ => {}
        }
        found.last_mut().expect("there is one").push(letter);
    }
    found
}

/// Maximum number of bytes of a file's name before its seed: the files beside it have longer names.
const LONGEST_NAME: usize = 160;

/// All combinations with all seeds.
pub fn all(overs: &[String], sets: &[String], Seeds(seeds): &Seeds, out: &Path) -> Result<Vec<Point>> {
    let axes = overs.iter().map(|over| Axis::read(over)).collect::<Result<Vec<_>>>()?;
    let mut keys = BTreeSet::new();
    for key in axes.iter().flat_map(|axis| &axis.keys) {
        ensure!(keys.insert(key), "--over: {key} is given twice");
    }
    let count = axes.iter().try_fold(seeds.len(), |count, axis| count.checked_mul(axis.steps.len()));
    ensure!(count.is_some_and(|count| count <= MOST), "more than {MOST} runs");
    let mut combinations: Vec<Vec<(String, String)>> = vec![Vec::new()];
    for Axis { keys, steps } in &axes {
        let with = |combination: &Vec<(String, String)>| {
            let combination = combination.clone();
            steps.iter().map(move |step| {
                let values = keys.iter().cloned().zip(step.iter().cloned());
                combination.iter().cloned().chain(values).collect::<Vec<_>>()
            })
        };
        combinations = combinations.iter().flat_map(with).collect();
    }
    let mut files = BTreeSet::new();
    let mut points = Vec::new();
    for values in combinations {
        let combination: Vec<String> = values.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let name = if combination.is_empty() { "run".to_owned() } else { combination.join(",") };
        let mut file = name.replace('/', "_");
        if file.len() > LONGEST_NAME {
            let end = (0..=LONGEST_NAME).rev().find(|end| file.is_char_boundary(*end)).unwrap_or(0);
            file = format!("{}-{}", &file[..end], &sha256(name.as_bytes())[..12]);
        }
        ensure!(files.insert(file.clone()), "--over: {name} is given twice");
        for &seed in seeds {
            points.push(Point {
                values: values.clone(),
                name: name.clone(),
                seed,
                sets: [sets, &combination, &[format!("seed={seed}")]].concat(),
                file: out.join(format!("{file},seed={seed}.json")),
            });
        }
    }
    points.first().context("there is nothing to run")?;
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seeds(text: &str) -> Result<Vec<u64>, String> {
        text.parse().map(|Seeds(seeds)| seeds)
    }

    #[test]
    fn seeds_are_a_number_or_a_list() {
        assert_eq!(seeds("3"), Ok(vec![1, 2, 3]));
        assert_eq!(seeds("7,"), Ok(vec![7]));
        assert_eq!(seeds("3,20-22,18446744073709551615"), Ok(vec![3, 20, 21, 22, u64::MAX]));
        for wrong in [
            "0",
            "",
            "x",
            "-1",
            "3-1",
            "2,2",
            ",",
            "1-99999999999",
            "18446744073709551616",
            "0-18446744073709551615",
        ] {
            assert!(seeds(wrong).is_err(), "{wrong}");
        }
    }

    fn names(overs: &[&str]) -> Result<Vec<String>> {
        let overs: Vec<String> = overs.iter().map(|it| (*it).to_owned()).collect();
        let points = all(&overs, &[], &Seeds(vec![1]), Path::new("runs"))?;
        Ok(points.into_iter().map(|point| point.name).collect())
    }

    #[test]
    fn keys_are_swept_alone_and_together() {
        assert_eq!(names(&[]).expect("one"), ["run"]);
        let together = "scheme.name+hosts.ev_mode=ecmp+fixed,ofan+reps";
        assert_eq!(
            names(&[together, "x=1,2"]).expect("four"),
            [
                "scheme.name=ecmp,hosts.ev_mode=fixed,x=1",
                "scheme.name=ecmp,hosts.ev_mode=fixed,x=2",
                "scheme.name=ofan,hosts.ev_mode=reps,x=1",
                "scheme.name=ofan,hosts.ev_mode=reps,x=2"
            ]
        );
        // Marks within a value are part of the value.
        assert_eq!(
            names(&["cut=[],[{a=\"x,y\",b='z'}]"]).expect("two"),
            ["cut=[]", "cut=[{a=\"x,y\",b='z'}]"]
        );
        assert_eq!(names(&["x=1e+6"]).expect("one"), ["x=1e+6"]);
        for wrong in
            [&["x"][..], &["x=1,1"], &["x=1", "x=2"], &["x+y=1"], &["x+y=1+2+3"], &["seed=1"], &["f=a/b,a_b"]]
        {
            assert!(names(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_name_is_no_longer_than_a_file_system_takes() {
        let (long, other) = ("y".repeat(300), "y".repeat(301));
        let points = all(&[format!("x={long},{other}")], &[], &Seeds(vec![1]), Path::new("")).expect("two");
        assert!(points.iter().all(|it| it.file.as_os_str().len() < 200) && points[0].file != points[1].file);
    }
}

//! Wrong usage in one line. If a flag belongs to another command, the error names that command, which is
//! looked up in the tree of commands that clap parses with.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};

/// Maximum number of commands that an error names as owners of a flag.
const MOST_OWNERS: usize = 3;

/// The message for an error of clap other than a request for help. `words` are the arguments of the command.
pub(crate) fn line(error: &Error, root: &Command, words: &[String]) -> String {
    let here = Place::of(root, words);
    let unknown = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(flag)) if error.kind() == ErrorKind::UnknownArgument => flag.as_str(),
        _ => "",
    };
    let elsewhere =
        unknown.starts_with("--").then(|| here.as_commands(root).or_else(|| here.owned(root, unknown)));
    elsewhere
        .flatten()
        .unwrap_or_else(|| format!("{}; {} --help says more", said(error), here.path.join(" ")))
}

/// The message of clap, without its usage.
fn said(error: &Error) -> String {
    let text = error.render().to_string();
    let lines = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("For more information"));
    let said = lines.collect::<Vec<_>>().join(" ");
    said.strip_prefix("error: ").unwrap_or(&said).to_owned()
}

/// The deepest command that the words name, and the remaining words.
struct Place<'a> {
    command: &'a Command,
    path: Vec<String>,
    rest: &'a [String],
}

impl<'a> Place<'a> {
    fn of(root: &'a Command, words: &'a [String]) -> Self {
        let mut here = Self { command: root, path: vec![root.get_name().to_owned()], rest: words };
        for (at, word) in words.iter().enumerate() {
            // `weft help` has no help of its own.
            match here.command.find_subcommand(word).filter(|command| command.get_name() != "help") {
                Some(command) => {
                    here = Self { command, rest: &words[at + 1..], ..here };
                    here.path.push(word.clone());
                }
                None if here.takes(word) => {}
                None => break,
            }
        }
        here
    }

    /// Whether the word is a flag of this command that has no value.
    fn takes(&self, word: &str) -> bool {
        let mut own = self.command.get_arguments().filter(|arg| !arg.get_action().takes_values());
        own.any(|arg| {
            arg.get_long().is_some_and(|long| word == format!("--{long}"))
                || arg.get_short().is_some_and(|short| word == format!("-{short}"))
        })
    }

    /// Flags with the name of a subcommand, or with a subcommand as value, as in `weft cosim --block reps`:
    /// the error names the subcommand.
    fn as_commands(&self, root: &Command) -> Option<String> {
        let named = |word: &str| self.command.find_subcommand(word).is_some();
        let items = items(self.rest);
        let is_choice = |item: &[String]| {
            is_flag(&item[0])
                && (named(item[0].trim_start_matches('-')) || item.get(1).is_some_and(|value| named(value)))
        };
        let choices = || items.iter().filter(|item| is_choice(item));
        let mut found = Vec::new();
        for choice in choices() {
            let flag = choice[0].trim_start_matches('-').to_owned();
            let as_command = named(&flag).then(|| [&[flag], &choice[1..]].concat());
            let value_as_command =
                choice.get(1).filter(|value| named(value)).map(|value| vec![value.clone()]);
            for command in [as_command, value_as_command].into_iter().flatten() {
                let others = items.iter().filter(|item| *item != choice);
                let plain = others.clone().filter(|item| !is_choice(item));
                found
                    .push([self.path.clone(), command.clone(), others.flatten().cloned().collect()].concat());
                found.push([self.path.clone(), command, plain.flatten().cloned().collect()].concat());
            }
        }
        let first = choices().next()?[0].clone();
        // The command that keeps most of the words; among equals, the last command.
        let possible = found.iter().filter(|words| is_possible(root, words));
        if let Some(words) = possible.max_by_key(|words| words.len()) {
            return Some(format!("{first} is not a flag: {}", spoken(words)));
        }
        let commands: Vec<&str> =
            self.command.get_subcommands().map(Command::get_name).filter(|name| *name != "help").collect();
        let here = self.path.join(" ");
        Some(format!("{first} is not a flag: {here} has {}; {here} --help says more", commands.join(", ")))
    }

    /// The commands with a flag that this command does not have, the nearest first.
    fn owned(&self, root: &Command, unknown: &str) -> Option<String> {
        let name = unknown.split('=').next().unwrap_or_default();
        let mut owners = owners(root, vec![root.get_name().to_owned()], name.trim_start_matches('-'));
        let near = |owner: &[String]| owner.iter().zip(&self.path).take_while(|(a, b)| a == b).count();
        let nearest = owners.iter().map(|owner| near(owner)).max()?;
        owners.retain(|owner| near(owner) == nearest);
        let items = items(self.rest);
        let given = items.iter().find(|item| item[0] == name)?;
        let commands: Vec<Vec<String>> =
            owners.iter().map(|owner| owner.iter().chain(given).cloned().collect()).collect();
        let best = commands.iter().find(|words| is_possible(root, words)).or(commands.first())?;
        let mut names: Vec<String> =
            owners.iter().take(MOST_OWNERS).map(|owner| format!("`{}`", owner.join(" "))).collect();
        if owners.len() > MOST_OWNERS {
            names.push("others".to_owned());
        }
        let last = names.pop()?;
        let names = if names.is_empty() { last } else { format!("{} and {last}", names.join(", ")) };
        Some(format!("{name} is a flag of {names}: {}", spoken(best)))
    }
}

fn is_flag(word: &str) -> bool {
    word.starts_with('-')
}

/// Splits words: the words before the first flag, then each flag with its words.
fn items(words: &[String]) -> Vec<Vec<String>> {
    let split: Vec<String> = words
        .iter()
        .flat_map(|word| match word.split_once('=') {
            Some((flag, value)) if is_flag(word) => vec![flag.to_owned(), value.to_owned()],
            _ => vec![word.clone()],
        })
        .collect();
    split.chunk_by(|_, next| !is_flag(next)).map(<[String]>::to_vec).collect()
}

/// The paths of all commands that have this flag.
fn owners(command: &Command, path: Vec<String>, flag: &str) -> Vec<Vec<String>> {
    let below = command.get_subcommands().flat_map(|below| {
        let name = below.get_name().to_owned();
        owners(below, [path.clone(), vec![name]].concat(), flag)
    });
    let below: Vec<_> = below.collect();
    let own = command.get_arguments().any(|arg| arg.get_long() == Some(flag) && !arg.is_global_set());
    own.then_some(path).into_iter().chain(below).collect()
}

/// Whether the arguments parse, or only lack a value.
fn is_possible(root: &Command, words: &[String]) -> bool {
    let parsed = root.clone().try_get_matches_from(words);
    parsed.map_or_else(|error| error.kind() == ErrorKind::MissingRequiredArgument, |_| true)
}

/// Words, quoted for a shell.
pub(crate) fn spoken(words: &[String]) -> String {
    let quoted = |word: &String| match word.contains(char::is_whitespace) {
        true => format!("'{word}'"),
        false => word.clone(),
    };
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use crate::Cli;
    use clap::{Command, CommandFactory, Parser};
    use std::fs;
    use std::path::{Path, PathBuf};

    #[test]
    fn the_tree_of_commands_is_sound() {
        Cli::command().debug_assert();
    }

    /// Checks that the line is a command that parses; an output file or a comment may follow.
    fn parses(line: &str, place: &str) {
        let words = line.split(" #").next().unwrap_or_default().split(" > ").next().unwrap_or_default();
        let words = words.split_whitespace();
        if let Err(error) = Cli::try_parse_from(words) {
            panic!("{place}: {line}\n{error}");
        }
    }

    /// The command lines of a text, continued ones joined.
    fn commands(text: &str) -> Vec<String> {
        let joined = text.replace("\\\n", " ");
        joined.lines().map(str::trim).filter(|line| line.starts_with("weft ")).map(str::to_owned).collect()
    }

    fn check_examples(command: &Command, path: &str) -> usize {
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let examples = commands(&help);
        examples.iter().for_each(|line| parses(line, path));
        let below = command.get_subcommands().filter(|below| below.get_name() != "help");
        examples.len()
            + below.map(|below| check_examples(below, &format!("{path} {}", below.get_name()))).sum::<usize>()
    }

    #[test]
    fn examples_of_the_help_parse() {
        assert!(check_examples(&Cli::command(), "weft") > 20);
    }

    #[test]
    fn commands_of_the_pages_parse() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let folders = ["", "docs", "docs/blocks", "traces"].map(|folder| root.join(folder));
        let files =
            |folder: &PathBuf| fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path());
        let pages =
            folders.iter().flat_map(files).filter(|path| path.extension().is_some_and(|it| it == "md"));
        let mut found = 0;
        for page in pages {
            for line in commands(&fs::read_to_string(&page).expect("a page")) {
                parses(&line, &page.display().to_string());
                found += 1;
            }
        }
        assert!(found > 20, "{found} commands");
    }
}

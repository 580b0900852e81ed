//! Notes and remedies in the words of a shell.

use crate::commands::typed_with_k;
use separa::note::codes;
use separa::{Note, NoteKind, Remedy};

/// A remedy, with the option that does it.
pub fn word(remedy: &Remedy) -> String {
    remedy.worded(&|remedy| {
        let option = match remedy {
            Remedy::RaiseMemory => "--memory SIZE".to_owned(),
            Remedy::FewerLandmarks => "--landmarks N".to_owned(),
            Remedy::FewerClusters | Remedy::MoreClusters | Remedy::GiveNumberOfClusters => {
                "-k N".to_owned()
            }
            Remedy::RaiseKMax | Remedy::ChangeKMax => "--k-max N".to_owned(),
            Remedy::AnotherSeed => "--seed N".to_owned(),
            Remedy::AskStability => "--stability 20".to_owned(),
            Remedy::DropColumns => "--drop COLS".to_owned(),
            Remedy::DropTimeLimit => "--time-limit".to_owned(),
            Remedy::FitSegments { k } => {
                let command = typed_with_k(crate::typed_words(), *k);
                return Some(format!("`{command}`"));
            }
            Remedy::MoreTime => "--time-limit 2m".to_owned(),
            Remedy::NameGroups { kind } => format!("--{kind} COL"),
            Remedy::UngroupRows { kind } => return Some(format!("{remedy}, without --{kind}")),
            Remedy::TryMethods { methods } => {
                let tried: Vec<String> = methods.iter().map(|name| format!("-m {name}")).collect();
                return Some(format!(
                    "try {} (`separa compare` ranks methods)",
                    tried.join(" or ")
                ));
            }
            Remedy::ListMethods => return Some("`separa methods` lists them".to_owned()),
            Remedy::FitClustering => "`separa cluster`".to_owned(),
            Remedy::TrainOnLabels => {
                "`separa train TABLE --from-labels MODEL --model rule.separa`".to_owned()
            }
            Remedy::TrainClassifier { .. } => "`separa train`".to_owned(),
            Remedy::RaiseParameter { name }
            | Remedy::LowerParameter { name }
            | Remedy::ChangeParameter { name } => format!("--set {name}=…"),
            Remedy::SetParameter { name, value } => {
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                return Some(format!("use --set {name}={value}"));
            }
            _ => return None,
        };
        Some(format!("{remedy} ({option})"))
    })
}

/// Notices that the verdict says, with the command for it among those to try next.
const IN_VERDICT: [&str; 3] = [codes::NO_CLUSTERS, codes::SEGMENTS, codes::NUMBER_UNCERTAIN];

/// Shows notices on standard error; warnings and what the screen says by itself are not repeated.
pub fn tell(notes: &[Note]) {
    // A choice that changes nothing is for those who look for it: the report and JSON have it.
    let idle = |note: &Note| {
        note.code == codes::SCALING_CHOSEN && note.text.ends_with("the same clusters")
    };
    let said = |note: &Note| {
        separa_report::is_caution(note) || IN_VERDICT.contains(&note.code.as_ref()) || idle(note)
    };
    let told = notes.iter().filter(|note| !note.is_warning() && !said(note));
    told.for_each(|note| crate::text::notice(&note.sentence(word)));
}

/// The notes of one kind, as sentences.
pub fn sentences(notes: &[Note], kind: NoteKind) -> Vec<String> {
    notes.iter().filter(|note| note.kind == kind).map(|note| note.sentence(word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remedy_names_the_option_that_does_it() {
        let remedy = Remedy::set("kernel", "linear").or(Remedy::set("robust", false));
        assert_eq!(
            word(&remedy.or(Remedy::RaiseMemory)),
            "use --set kernel=linear, use --set robust=false, or raise the memory limit (--memory SIZE)"
        );
        assert_eq!(word(&Remedy::FewerClusters), "ask for fewer clusters (-k N)");
        assert_eq!(word(&Remedy::raise("max_iter")), "raise `max_iter` (--set max_iter=…)");
    }
}

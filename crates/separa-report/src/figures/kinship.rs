//! Which clusters are close to which: a tree that merges them by the least MSP between two of their members.

use crate::html::Html;
use crate::number;
use crate::svg::path::Mark;
use crate::svg::{Anchor, Frame, Path, Scale, Sheet, axes::WIDE};
use separa::quality::Pair;

/// Room for a cluster: as much as there is, within these.
const LANE: [f64; 2] = [9.0, 22.0];
const HEIGHT: f64 = 420.0;
/// Above and below the lanes.
const AROUND: f64 = 82.0;
/// Letters need this much; in narrower lanes the numbers of neighbours stand beside each other.
const LETTER: f64 = 18.0;
/// Merges that are told in words.
const TOLD: usize = 12;

/// Two sets of clusters, merged at the MSP of their closest pair.
#[derive(Debug, Clone, PartialEq)]
struct Merge {
    msp: f64,
    sets: [Vec<usize>; 2],
}

/// None for fewer than three clusters: a pair is no tree.
pub fn draw(pairs: &[Pair]) -> Option<Html> {
    let (merges, leaves) = merged(pairs);
    if leaves.len() < 3 {
        return None;
    }
    let lane = (HEIGHT / leaves.len() as f64).clamp(LANE[0], LANE[1]);
    let frame = Frame { width: WIDE, height: AROUND + lane * leaves.len() as f64 };
    let x = Scale::new((0.0, 1.0), frame.across());
    let (bottom, top) = frame.up();
    let y = Scale::new((-0.5, leaves.len() as f64 - 0.5), (top, bottom));
    let mut sheet = Sheet::new(WIDE, frame.height, &says(&merges, leaves.len()));
    frame.draw(&mut sheet, (&x, "MSP of the closest pair"), (&y, ""));
    // Every set by its first cluster: where its line is, and since which MSP.
    let mut lines: Vec<(f64, f64)> = vec![(0.0, 0.0); leaves.iter().max().map_or(0, |c| c + 1)];
    leaves.iter().enumerate().for_each(|(i, c)| lines[*c] = (i as f64, 0.0));
    let mut path = Path::default();
    let mut dots = Vec::new();
    for merge in &merges {
        let [a, b] = merge.sets.each_ref().map(|set| lines[set[0]]);
        for (lane, since) in [a, b] {
            path.to((x.at(since), y.at(lane))).line((x.at(merge.msp), y.at(lane)));
        }
        path.to((x.at(merge.msp), y.at(a.0))).line((x.at(merge.msp), y.at(b.0)));
        let whole = (0.5 * (a.0 + b.0), merge.msp);
        lines[merge.sets[0][0]] = whole;
        dots.push(((x.at(merge.msp), y.at(whole.0)), told(merge)));
    }
    for root in roots(&merges, &leaves) {
        let (lane, since) = lines[root];
        path.to((x.at(since), y.at(lane))).line((x.at(1.0), y.at(lane)));
    }
    sheet.path("course", &path);
    dots.iter().for_each(|(at, says)| sheet.dot_saying("stop", (*at, 3.5), says));
    let columns = (LETTER / lane).ceil().max(1.0) as usize;
    for (i, &c) in leaves.iter().enumerate() {
        let at = (x.at(0.0), y.at(i as f64));
        sheet.coloured(c, |sheet| {
            let mut mark = Path::default();
            mark.mark((at.0 - 6.0, at.1), Mark::of(c));
            sheet.path(Mark::of(c).class(), &mark);
        });
        let beside = at.0 - 13.0 - 24.0 * (i % columns) as f64;
        sheet.label("tick", (beside, at.1 + 5.0), (Anchor::End, 4), &c.to_string());
    }
    Some(sheet.finish())
}

/// Single linkage: the closest pair of two sets merges them, the closest first. The clusters in an order in which
/// sets stand side by side.
fn merged(pairs: &[Pair]) -> (Vec<Merge>, Vec<usize>) {
    let mut order: Vec<&Pair> = pairs.iter().filter(|p| p.a >= 0 && p.b >= 0).collect();
    order.sort_by(|p, q| p.msp.total_cmp(&q.msp).then((p.a, p.b).cmp(&(q.a, q.b))));
    let mut groups: Vec<usize> = order.iter().flat_map(|p| [p.a as usize, p.b as usize]).collect();
    groups.sort_unstable();
    groups.dedup();
    let mut sets: Vec<Vec<usize>> = groups.into_iter().map(|c| vec![c]).collect();
    let mut merges = Vec::new();
    for pair in order {
        let of = |c: i32| sets.iter().position(|set| set.contains(&(c as usize)));
        let (Some(a), Some(b)) = (of(pair.a), of(pair.b)) else { continue };
        if a == b {
            continue;
        }
        let (first, second) = (a.min(b), a.max(b));
        let added = sets.remove(second);
        merges.push(Merge { msp: pair.msp, sets: [sets[first].clone(), added.clone()] });
        sets[first].extend(added);
    }
    (merges, sets.concat())
}

/// The first clusters of the sets that nothing merges.
fn roots(merges: &[Merge], leaves: &[usize]) -> Vec<usize> {
    let gone = |c: &&usize| !merges.iter().any(|merge| merge.sets[1][0] == **c);
    leaves.iter().filter(gone).copied().collect()
}

fn told(merge: &Merge) -> String {
    let set = |set: &Vec<usize>| match set.as_slice() {
        [one] => one.to_string(),
        [first, rest @ ..] => format!("{first} with {} more", rest.len()),
        [] => String::new(),
    };
    let [a, b] = merge.sets.each_ref().map(set);
    format!("{a} and {b} at {}", number::fraction(merge.msp))
}

fn says(merges: &[Merge], k: usize) -> String {
    let words: Vec<String> = merges.iter().take(TOLD).map(told).collect();
    let more = match merges.len().saturating_sub(TOLD) {
        0 => String::new(),
        rest => format!("; and {rest} more"),
    };
    format!(
        "Tree of {} by the MSP of their closest pair. Merged: {}{more}.",
        number::counted(k, "cluster"),
        words.join("; ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(a: i32, b: i32, msp: f64) -> Pair {
        Pair { a, b, msp, p_gauss: None, p_unimodal: None }
    }

    /// 0 and 2 are closest, then 1 and 3; the two are merged by 2 and 3.
    fn four() -> Vec<Pair> {
        let msp = [(0, 1, 0.9), (0, 2, 0.3), (0, 3, 0.8), (1, 2, 0.85), (1, 3, 0.5), (2, 3, 0.7)];
        msp.into_iter().map(|(a, b, msp)| pair(a, b, msp)).collect()
    }

    #[test]
    fn the_closest_pair_of_two_sets_joins_them() {
        let (merges, leaves) = merged(&four());
        let found: Vec<(f64, [Vec<usize>; 2])> =
            merges.into_iter().map(|merge| (merge.msp, merge.sets)).collect();
        let wanted =
            [(0.3, [vec![0], vec![2]]), (0.5, [vec![1], vec![3]]), (0.7, [vec![0, 2], vec![1, 3]])];
        assert_eq!(found, wanted);
        assert_eq!(leaves, [0, 2, 1, 3]);
    }

    #[test]
    fn the_tree_is_told_in_words_and_in_dots() {
        let drawn = draw(&four()).unwrap();
        let says =
            "Merged: 0 and 2 at 0.300; 1 and 3 at 0.500; 0 with 1 more and 1 with 1 more at 0.700.";
        assert!(drawn.as_str().contains(says), "{}", drawn.as_str());
        assert_eq!(drawn.as_str().matches("<circle").count(), 3);
        assert!(draw(&four()[..1]).is_none());
    }

    #[test]
    fn clusters_that_were_not_compared_stay_apart() {
        let pairs = [pair(0, 1, 0.4), pair(2, 3, 0.6)];
        let (merges, leaves) = merged(&pairs);
        assert_eq!((merges.len(), leaves.as_slice()), (2, [0, 1, 2, 3].as_slice()));
        assert_eq!(roots(&merges, &leaves), [0, 2]);
    }
}

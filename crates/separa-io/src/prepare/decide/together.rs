//! Columns beside each other: copies, and the ids that go beside the labels.

use separa::preparation::{ColumnPreparation, ColumnType, Role};

use super::Judge;
use crate::table::Held;

impl Judge<'_> {
    /// Leaves out a column that says the same as one before it.
    pub(super) fn leave_out_copies(&self, columns: &mut [ColumnPreparation]) {
        for j in 1..columns.len() {
            let asked = self.is_asked(&columns[j].name);
            if columns[j].role != Role::Feature || asked || self.keep_constants {
                continue;
            }
            let named =
                |c: &ColumnPreparation| c.kind != ColumnType::Number && c.kind != ColumnType::Date;
            let twin = (0..j).find(|&i| {
                let by_name = named(&columns[i]) && named(&columns[j]);
                columns[i].role == Role::Feature && self.is_copy(i, j, by_name)
            });
            if let Some(i) = twin {
                columns[j].done = "left out".to_owned();
                columns[j].why = format!("it copies \"{}\"", columns[i].name);
                columns[j].role = Role::LeftOut;
                columns[j].encoding = None;
            }
        }
    }

    /// Whether two columns say the same: the same values, or for words (`by_name`) other words in the same rows.
    fn is_copy(&self, i: usize, j: usize, by_name: bool) -> bool {
        match (&self.table.columns[i].held, &self.table.columns[j].held) {
            (Held::Numbers(a), Held::Numbers(b)) | (Held::Booleans(a), Held::Booleans(b)) => {
                self.stats[*a].fingerprint == self.stats[*b].fingerprint
                    && self
                        .table
                        .number(*a)
                        .zip(self.table.number(*b))
                        .all(|(x, y)| x.to_bits() == y.to_bits())
            }
            (Held::Words(a), Held::Words(b)) => {
                let (a, b) = (&self.table.words[*a], &self.table.words[*b]);
                // Codes go by first appearance, so other words for the same rows have the same codes.
                a.codes == b.codes && (by_name || a.levels == b.levels)
            }
            _ => false,
        }
    }

    /// All ids go beside the labels, unless the user named the one that does. In a table of nothing else they stay what
    /// they are: it is refused with that word.
    pub(super) fn keep_named_id(&self, columns: &mut [ColumnPreparation]) {
        let Some(chosen) = &self.options.id else { return };
        if columns.iter().all(|c| c.role != Role::Feature) {
            return;
        }
        for column in columns.iter_mut().filter(|c| c.role == Role::Id && c.name != *chosen) {
            column.role = Role::LeftOut;
            column.done = "left out".to_owned();
        }
    }
}

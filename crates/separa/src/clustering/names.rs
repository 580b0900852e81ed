//! Names that a user gives to clusters. They are kept in the model file and shown beside the numbers.

use super::Clustering;
use crate::error::{Error, Result};
use std::collections::BTreeMap;

/// Names by the number of their cluster.
pub type ClusterNames = BTreeMap<usize, String>;

impl Clustering {
    /// The names that were given to clusters.
    pub fn names(&self) -> &ClusterNames {
        &self.names
    }

    /// A cluster as a person reads it: `premium (1)`, or its number if it has no name.
    pub fn called(&self, cluster: i32) -> String {
        let name = usize::try_from(cluster).ok().and_then(|c| self.names.get(&c));
        name.map_or_else(|| cluster.to_string(), |name| format!("{name} ({cluster})"))
    }

    /// Names clusters. The names replace all earlier ones; a cluster without a name keeps its number.
    pub fn rename<S: Into<String>>(
        &mut self,
        names: impl IntoIterator<Item = (usize, S)>,
    ) -> Result<()> {
        self.names = Self::checked_names(self.k(), names)?;
        Ok(())
    }

    /// Names that k clusters can have: of clusters that exist, one line each, none twice.
    pub fn checked_names<S: Into<String>>(
        k: usize,
        names: impl IntoIterator<Item = (usize, S)>,
    ) -> Result<ClusterNames> {
        let mut all = ClusterNames::new();
        for (cluster, name) in names {
            let name = name.into().trim().to_owned();
            if cluster >= k {
                return Err(Error::NameOfNoCluster { cluster, k, name });
            }
            if name.is_empty() || name.chars().any(char::is_control) {
                return Err(Error::NotAName { cluster, name });
            }
            if all.values().any(|other| *other == name) || all.contains_key(&cluster) {
                return Err(Error::NamedTwice { cluster, name });
            }
            all.insert(cluster, name);
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    fn two() -> Clustering {
        Mspc::new(2)
            .fit(&[[0.0, 1.0], [0.1, 1.1], [0.2, 0.9], [5.0, 7.0], [5.1, 7.2], [5.2, 6.9]])
            .unwrap()
    }

    #[test]
    fn names_are_kept_in_the_model_file_and_the_labels_stay_numbers() {
        let mut found = two();
        found.rename([(1, " premium ")]).unwrap();
        assert_eq!(found.called(1), "premium (1)");
        assert_eq!(found.called(0), "0");
        assert_eq!(found.called(-1), "-1");
        let loaded = crate::model_file::from_bytes(&found.to_bytes().unwrap()).unwrap();
        assert_eq!(loaded.clustering().unwrap().names(), found.names());
        found.rename([(0, "bulk")]).unwrap();
        assert_eq!(found.names().len(), 1, "new names replace the earlier ones");
    }

    #[test]
    fn names_that_make_no_sense_are_refused_and_change_nothing() {
        let mut found = two();
        found.rename([(0, "bulk")]).unwrap();
        for (names, code) in [
            (vec![(2, "x")], "name-of-no-cluster"),
            (vec![(0, " ")], "not-a-name"),
            (vec![(0, "a\nb")], "not-a-name"),
            (vec![(0, "x"), (1, "x")], "named-twice"),
            (vec![(0, "x"), (0, "y")], "named-twice"),
        ] {
            assert_eq!(found.rename(names).unwrap_err().code(), code);
            assert_eq!(found.called(0), "bulk (0)");
        }
    }
}

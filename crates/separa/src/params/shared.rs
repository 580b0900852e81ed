//! Parameters that several methods share: documentation, type, range.

/// The table: `(name column) => { column!(documentation, type, rules) }`.
///
/// A room with more of them has its own table, which ends by asking this one.
macro_rules! shared {
    (n_clusters $get:ident) => {
        $get!("Number of clusters.", usize, at_least(1.0))
    };
    (scaling $get:ident) => {
        $get!(
            "Column scaling: standard divides every column by its standard deviation, contraharmonic by the contraharmonic mean of its absolute deviations, auto tries both and keeps the one whose clusters separate better, none takes the table as it is.",
            $crate::params::Scaling
        )
    };
    (init $get:ident) => {
        $get!(
            "Initial centres: auto and greedy are greedy k-means++, random draws rows, labels give the means of their rows.",
            $crate::params::Init,
            or_words(&["auto", "greedy", "k-means++", "random"])
        )
    };
    (n_init $get:ident) => {
        $get!(
            "Restarts, of which the one with the lowest objective is kept; given labels are one.",
            usize,
            at_least(1.0),
            at_most(10_000.0)
        )
    };
    (max_iter $get:ident) => {
        $get!("Iterations of one restart at most.", usize, at_least(1.0))
    };
    (tol $get:ident) => {
        $get!(
            "Stop when the squared shift of the centres is at most this fraction of the embedding's mean variance.",
            f64,
            at_least(0.0)
        )
    };
    (min_cluster_size $get:ident) => {
        $get!(
            "Smallest cluster allowed, in rows (1 or more) or as a fraction of the rows (below 1): an initialization that ends with a smaller one is refused.",
            $crate::params::ClusterSize
        )
    };
    (kernel $get:ident) => {
        $get!(
            "Similarity of two rows; precomputed takes the table as the kernel matrix.",
            $crate::params::KernelChoice
        )
    };
    (gamma $get:ident) => {
        $get!(
            "Factor of rbf, laplacian, poly and tanh; median is 1 over the median squared distance (rbf), over the median distance (laplacian), over the number of columns (poly, tanh).",
            $crate::params::Gamma
        )
    };
    (degree $get:ident) => {
        $get!("Degree of poly.", u32, at_least(1.0), at_most(20.0))
    };
    (coef0 $get:ident) => {
        $get!("Constant of poly and tanh.", f64)
    };
    (landmarks $get:ident) => {
        $get!("Rows that approximate the kernel (Nyström).", usize, at_least(0.0))
    };
}

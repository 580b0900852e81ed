//! One definition per parameter: everything else is derived from it.

/// Defines the parameters of a method.
///
/// ```text
/// params! {
///     /// Rustdoc of the struct.
///     pub struct Mspc("mspc", "MSPC", "one line for lists of methods") with shared {
///         n_clusters = 2;                       // type, documentation and range from the table `shared`
///         /// Weight λ of the regulariser.      // documentation of its own
///         reg: f64 = 1.0, at_least(0.0);        // type, default, range: methods of `Domain`
///         solver: Solver = Solver::Mpm;         // a type made by `choices!` knows its words
///     }
///     check Mspc::consistent;                   // optional: what parameters must be together
/// }
/// ```
///
/// It writes the struct with serde, `Default`, [`Params`](crate::params::Params) (specs and check), setters to chain, `new(k)` and
/// [`ClusterParams`](crate::params::ClusterParams) if the first parameter is `n_clusters`.
macro_rules! params {
    (
        $(#[doc = $struct_doc:literal])*
        pub struct $Params:ident $(<$L:ident: $Link:path>)?
            ($name:expr, $class:expr, $about:expr $(,)?) with $shared:ident
        {
            $(
                $(#[doc = $doc:literal])*
                $field:ident $(: $ty:ty)? = $default:expr $(, $rule:ident($($arg:expr),*))*;
            )*
        }
        $(check $check:path;)?
    ) => {
        $(#[doc = $struct_doc])*
        #[derive(serde::Serialize, serde::Deserialize)]
        #[serde(default, deny_unknown_fields, bound = "")]
        pub struct $Params $(<$L>)? {
            $(
                #[doc = param_doc!($shared $field $($doc)*)]
                pub $field: param_type!($shared $field $($ty)?),
            )*
            $(
                /// The kind of model, known to the compiler alone.
                #[serde(skip)]
                pub link: std::marker::PhantomData<$L>,
            )?
        }

        impl $(<$L>)? Default for $Params $(<$L>)? {
            fn default() -> Self {
                Self { $($field: $default,)* $(link: std::marker::PhantomData::<$L>)? }
            }
        }

        // By hand, because `derive` takes no type that a macro writes.
        impl $(<$L>)? Clone for $Params $(<$L>)? {
            fn clone(&self) -> Self {
                Self {
                    $($field: self.$field.clone(),)*
                    $(link: std::marker::PhantomData::<$L>)?
                }
            }
        }
        impl $(<$L>)? PartialEq for $Params $(<$L>)? {
            fn eq(&self, other: &Self) -> bool {
                $(self.$field == other.$field)&&*
            }
        }
        impl $(<$L>)? std::fmt::Debug for $Params $(<$L>)? {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($Params))
                    $(.field(stringify!($field), &self.$field))*
                    .finish()
            }
        }

        impl $(<$L>)? $Params $(<$L>)? {
            $(setter!($field, param_type!($shared $field $($ty)?));)*
        }

        impl $(<$L: $Link>)? $crate::params::Params for $Params $(<$L>)? {
            const NAME: &'static str = $name;
            const CLASS: &'static str = $class;
            const ABOUT: &'static str = $about;
            const SPECS: &'static [$crate::params::ParamSpec] = &[$(
                $crate::params::ParamSpec {
                    name: stringify!($field),
                    doc: param_doc!($shared $field $($doc)*).trim_ascii(),
                    domain: param_domain!($shared $field $($ty)? $(, $rule($($arg),*))*),
                    default: || {
                        let default: param_type!($shared $field $($ty)?) = $default;
                        $crate::params::to_value(&default)
                    },
                },
            )*];

            fn check(&self) -> $crate::Result<()> {
                $(
                    param_domain!($shared $field $($ty)? $(, $rule($($arg),*))*)
                        .check::<Self>(stringify!($field), &self.$field)?;
                )*
                $($check(self)?;)?
                Ok(())
            }

            $(scaling_of!($field);)*
        }

        cluster_params!([$(<$L>)?] $Params $(<$L>)?: $($field)*);
    };
}

/// The type of a parameter: its own, or that of the table.
macro_rules! param_type {
    ($shared:ident $field:ident) => { $shared!($field type_of) };
    ($shared:ident $field:ident $ty:ty) => { $ty };
}

/// The documentation of a parameter: its own, or that of the table.
macro_rules! param_doc {
    ($shared:ident $field:ident) => { $shared!($field doc_of) };
    ($shared:ident $field:ident $($doc:literal)+) => { concat!($($doc),+) };
}

/// The domain of a parameter: by its own type and rules, or as in the table.
macro_rules! param_domain {
    ($shared:ident $field:ident) => { $shared!($field domain_of) };
    ($shared:ident $field:ident $(, $rule:ident($($arg:expr),*))+) => {
        <$shared!($field type_of) as $crate::params::ParamValue>::DOMAIN $(.$rule($($arg),*))+
    };
    ($shared:ident $field:ident $ty:ty $(, $rule:ident($($arg:expr),*))*) => {
        <$ty as $crate::params::ParamValue>::DOMAIN $(.$rule($($arg),*))*
    };
}

// The columns of a table of shared parameters.
macro_rules! doc_of {
    ($doc:literal, $($rest:tt)*) => {
        $doc
    };
}
macro_rules! type_of {
    ($doc:literal, $ty:ty $(, $($rest:tt)*)?) => {
        $ty
    };
}
macro_rules! domain_of {
    ($doc:literal, $ty:ty $(, $rule:ident($($arg:expr),*))*) => {
        <$ty as $crate::params::ParamValue>::DOMAIN $(.$rule($($arg),*))*
    };
}

/// The method of [`Params`](crate::params::Params) that the field `scaling` answers.
macro_rules! scaling_of {
    (scaling) => {
        fn scaling(&self) -> $crate::params::Scaling {
            self.scaling
        }
    };
    ($other:ident) => {};
}

macro_rules! setter {
    (n_clusters, $ty:ty) => {
        /// The defaults, for this number of clusters.
        pub fn new(n_clusters: usize) -> Self {
            Self { n_clusters, ..Self::default() }
        }
    };
    ($field:ident, $ty:ty) => {
        #[doc = concat!("Sets `", stringify!($field), "`.")]
        #[must_use]
        pub fn $field(mut self, $field: $ty) -> Self {
            self.$field = $field;
            self
        }
    };
}

/// Defines an enum whose variants are the words that a parameter takes.
macro_rules! choices {
    (
        $(#[$enum_attr:meta])*
        pub enum $Choice:ident { $($(#[$attr:meta])* $Variant:ident = $word:literal,)+ }
    ) => {
        $(#[$enum_attr])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub enum $Choice { $($(#[$attr])* #[serde(rename = $word)] $Variant,)+ }

        impl $Choice {
            /// The word that stands for it.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$Variant => $word,)+ }
            }
        }

        impl $crate::params::ParamValue for $Choice {
            const DOMAIN: $crate::params::Domain = $crate::params::Domain::words(&[$($word),+]);
            fn word(&self) -> Option<&str> {
                Some(self.name())
            }
        }
    };
}

/// Defines an enum for a parameter that is a number (the first variant) or one of a few words.
macro_rules! word_or_number {
    (
        $(#[$enum_attr:meta])*
        pub enum $Choice:ident {
            $(#[$number_attr:meta])*
            $Number:ident(f64) $(, $rule:ident($($arg:expr),*))*;
            $($(#[$attr:meta])* $Variant:ident = $word:literal,)+
        }
    ) => {
        $(#[$enum_attr])*
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub enum $Choice { $(#[$number_attr])* $Number(f64), $($(#[$attr])* $Variant,)+ }

        impl $crate::params::ParamValue for $Choice {
            const DOMAIN: $crate::params::Domain =
                $crate::params::Domain::REAL $(.$rule($($arg),*))* .or_words(&[$($word),+]);
            fn number(&self) -> Option<f64> {
                match self { Self::$Number(v) => Some(*v), _ => None }
            }
            fn word(&self) -> Option<&str> {
                match self { $(Self::$Variant => Some($word),)+ _ => None }
            }
        }

        impl std::fmt::Display for $Choice {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self { $(Self::$Variant => f.write_str($word),)+ Self::$Number(v) => v.fmt(f) }
            }
        }

        impl serde::Serialize for $Choice {
            fn serialize<S: serde::Serializer>(&self, out: S) -> std::result::Result<S::Ok, S::Error> {
                match self {
                    $(Self::$Variant => out.serialize_str($word),)+
                    Self::$Number(v) => $crate::params::serialize_number(*v, out),
                }
            }
        }

        impl<'de> serde::Deserialize<'de> for $Choice {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
                match <$crate::params::NumberOrWord as serde::Deserialize>::deserialize(from)? {
                    $crate::params::NumberOrWord::Number(v) => Ok(Self::$Number(v)),
                    $crate::params::NumberOrWord::Word(word) => match word.as_str() {
                        $($word => Ok(Self::$Variant),)+
                        _ => Err(serde::de::Error::custom(
                            <Self as $crate::params::ParamValue>::DOMAIN,
                        )),
                    },
                }
            }
        }
    };
}

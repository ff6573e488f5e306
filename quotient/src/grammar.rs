//! A compiled grammar: rules as small automata over symbols, and the facts that follow from them alone.
//!
//! Reading order: `description`, `body`, `rule_compiler`, `states`, `nonterminal_set`, `edge_lists`, `rules`, `families`,
//! `insertions`, `same`, `emission_sets`, `costs`, `first_bytes`, `remainders`, `tables`, `language`.

mod body;
mod costs;
mod description;
mod edge_lists;
mod emission_sets;
mod families;
mod first_bytes;
mod insertions;
mod language;
mod nonterminal_set;
mod remainders;
mod rule_compiler;
mod rules;
mod same;
mod states;
mod tables;

pub(crate) use self::costs::{BYTE, CostsAt, IMPOSSIBLE};
pub use self::description::{
    Body, GrammarDescription, GrammarError, RuleDescription, SameDescription,
};
pub(crate) use self::families::{
    ChildEdge, Copies, Families, Family, FamilyState, Knowing, LastEdge,
};
pub(crate) use self::first_bytes::{Origin, OriginSets, begins_name, sets_of};
pub(crate) use self::insertions::Inserted;
pub use self::language::Language;
pub(crate) use self::nonterminal_set::contains;
pub use self::rules::Rules;
pub(crate) use self::same::Same;
pub use self::states::{BodyState, EdgeLabel, Nonterminal};
pub(crate) use self::tables::Tables;

//! Laws beside a grammar: demands of a language on a whole text that no grammar can say.
//!
//! Such a law says that names exist, that no key is defined twice, that a jump has its label. It is asked only about
//! texts that the grammar has let through. A language's law implements [`Law`], in a room of its own; recognizers
//! hold it as a [`HeldLaw`] and know no more of it. [`NameLaw`] is the interface of a law of names, with more
//! questions so that masks with names are fast: [`ByNames`] makes a law of each that implements it, compiled for it
//! alone. [`LawOfSymbols`] does so for laws that read symbols and need nothing else ([`SymbolLaw`]).
//!
//! Reading order: `law`, `other_words`, `name_law`, `known_masks`, `masking`, `by_names`; `symbol_law`, `by_symbols`,
//! `symbol_contexts`.

mod by_names;
mod by_symbols;
mod known_masks;
mod law;
mod masking;
mod name_law;
mod other_words;
mod symbol_contexts;
mod symbol_law;

pub(crate) use self::by_names::ByNames;
pub(crate) use self::by_symbols::read_alone;
pub use self::law::Reason;
pub(crate) use self::law::{Contexts, ContextsRead, HeldLaw, Law, Violation};
pub(crate) use self::masking::clear_ends;
pub(crate) use self::name_law::{NameLaw, Verdict, behind};
pub(crate) use self::other_words::with_other_words;
pub(crate) use self::symbol_contexts::LawOfSymbols;
pub(crate) use self::symbol_law::{SymbolFault, SymbolLaw};

//! Keys and tables that are defined once: the law of TOML, and of JSON where the user asks for it.
//!
//! TOML's is its own (sections "Keys", "Table", "Array of Tables" and "Inline Table" of its specification), JSON's that of
//! "names within an object SHOULD be unique" (RFC 8259, 4). A key is refused as soon as nothing that follows can make
//! it another one or put it elsewhere, and both contexts count. A fault of the contexts whatever the
//! hole's text is, is their author's.
//!
//! Reading order: `key_text`, `tables`, `toml_statements`, `toml`, `json`.

mod json;
mod key_text;
mod tables;
mod toml;
mod toml_statements;

use std::sync::Arc;

use crate::grammar::Language;
use crate::laws::{Law, LawOfSymbols, Reason, SymbolFault};

/// The law of a language of keys; none of others.
pub(crate) fn law(language: &Language) -> Option<Arc<dyn Law>> {
    match &*language.name {
        "toml" => Some(Arc::new(LawOfSymbols::new(toml::Toml::new(&language.lexer)))),
        "json" => Some(Arc::new(LawOfSymbols::new(json::Json::new(&language.lexer)))),
        _ => None,
    }
}

/// A key, without what spells it.
type Key = Arc<[u8]>;

/// The fault of a key that is there already.
fn twice(key: &[Key]) -> SymbolFault {
    let reason = Reason("`{}` is defined already");
    SymbolFault { name: key.join(&b'.'), reason }
}

/// The fault where the right context defines a key again.
fn twice_behind() -> SymbolFault {
    let reason = Reason("what stands behind would define a key again");
    SymbolFault { name: Vec::new(), reason }
}

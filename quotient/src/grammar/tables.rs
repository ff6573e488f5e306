//! Tables of a language that both directions need.

use fim_lexer::Lexer;
use fim_lexer::reach::Reach;
use fim_lexer::scanner::Adjacency;

use super::costs::Costs;
use super::first_bytes::FirstBytes;
use super::rules::Rules;

/// The tables that reading a text needs.
pub(crate) struct Tables<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) lexer: &'a Lexer,
    pub(crate) reach: &'a Reach,
    pub(crate) costs: &'a Costs,
    pub(crate) first_bytes: &'a FirstBytes,
    /// The symbols that may begin behind each symbol, in languages without lines.
    pub(crate) adjacency: Option<&'a Adjacency>,
}

//! What a root asks of f-strings that a plan, which knows the parser's symbols only, leaves open.
//!
//! The parser does not ask for fields in a specification, though a doubled brace is text only behind one.
//!
//! ```text
//! |'{{a}'    f'{a:{a}\ must be written, not f'{a:\
//! ```

use fim_lexer::Columns;
use fim_lexer::fstring::Frame;

use super::plan::{Plan, Planned};
use crate::grammar::Language;
use crate::right_side::RightSide;

/// The plans to try: as it is, and with the field that the root may ask for.
pub(crate) fn spellings(language: &Language, right: &RightSide, plan: &Plan) -> Vec<Plan> {
    let mut plans = vec![plan.clone()];
    let root = right.roots[usize::from(plan.root.0)];
    if matches!(root.mode.frame, Some(Frame::LaterSpecification(_))) {
        // The symbol that straddles the cut leaves a specification a specification.
        plans.push(with_field(language, plan));
    }
    plans
}

/// The plan with a field at its end.
fn with_field(language: &Language, plan: &Plan) -> Plan {
    let mut plan = plan.clone();
    let terminals = ["FIELD_OPEN", "NAME", "FIELD_CLOSE"];
    let terminals = terminals.map(|name| language.lexer.description.terminal(name));
    let planned = |terminal| Planned { terminal, columns: Columns::ALL };
    plan.symbols.extend(terminals.into_iter().flatten().map(planned));
    plan
}

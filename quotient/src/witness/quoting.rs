//! The needs of a root in f-strings, which a plan leaves open, since it knows the parser's symbols only.
//!
//! The parser does not ask for fields in a specification, though a doubled brace is text only behind one.
//!
//! ```text
//! |'{{a}'    f'{a:{a}\ must be written, not f'{a:\
//! ```

use fim_lexer::frames::{Frame, FrameChange};
use fim_lexer::{Column, TerminalId};

use super::plan::{Plan, Planned, spell_between};
use crate::charts::Marks;
use crate::grammar::Language;
use crate::right_side::RightSide;

/// The plans to try: the plan as it is, and the plan with the field that the root may need.
pub(crate) fn plans_to_try(language: &Language, right: &RightSide, plan: &Plan) -> Vec<Plan> {
    let mut plans = vec![plan.clone()];
    let root = right.roots[usize::from(plan.root.0)];
    if matches!(root.mode.frame, Some(Frame::LaterSpecification(_))) {
        // The symbol that straddles the cut does not end a specification.
        plans.extend(cheapest_field(language).map(|field| {
            let mut plan = plan.clone();
            plan.symbols.extend(field);
            plan
        }));
    }
    plans
}

/// The cheapest field that the rules allow.
fn cheapest_field(language: &Language) -> Option<Vec<Planned>> {
    let rules = &language.rules;
    let costs = language.costs.at(rules, Column::ZERO);
    let (opening, closing) = (
        terminal_with(language, FrameChange::BeginField)?,
        terminal_with(language, FrameChange::EndField)?,
    );
    let fields = rules.begun_by_terminal(opening).iter().flat_map(|&(nonterminal, inside)| {
        let ends = rules.finals(nonterminal).iter();
        let ends = ends.flat_map(|&last| rules.before_terminal(last, closing));
        ends.map(move |&end| (inside, end))
    });
    let inside = fields.min_by_key(|&(from, to)| costs.between(from, to))?;
    let planned = |terminal| Planned { terminal, marks: Marks::ALL };
    let mut field = vec![planned(opening)];
    spell_between(costs, inside, Marks::ALL, &mut field);
    field.push(planned(closing));
    Some(field)
}

/// The terminal that has this effect on the frames.
fn terminal_with(language: &Language, change: FrameChange) -> Option<TerminalId> {
    let mut emissions = language.lexer.scanner.emissions().iter();
    emissions.find(|emission| emission.change == change)?.symbols.first().copied()
}

//! What a root asks of f-strings that a plan, which knows the parser's symbols only, leaves open.
//!
//! To the parser all beginnings of f-strings are one symbol. Which of them the right context goes on
//! from is known to its root: in `f"{` the text `a\n}'` reads otherwise than in `f'{`. Nor does the
//! parser ask for fields in a specification, though a doubled brace is text only behind one.
//!
//! ```text
//! |a⏎}'      f'{ must be written, not f"{
//! |'{{a}'    f'{a:{a}\ must be written, not f'{a:\
//! ```

use fim_lexer::Columns;
use fim_lexer::fstring::{Context, FStringRules, Frame, FrameChange, Quotes};

use crate::language::Language;
use crate::plan::{Plan, Planned};
use crate::right_side::{Entrance, RightSide};

/// The plans to try: with the quotes that the root asks for, as it is, and with the field that the
/// root may ask for.
pub(crate) fn spellings(language: &Language, right: &RightSide, plan: &Plan) -> Vec<Plan> {
    let mut plans = quoted(language, right, plan);
    plans.push(plan.clone());
    let root = right.roots[usize::from(plan.root.0)];
    let innermost = right.frames[usize::from(root.frames)].last();
    if matches!(innermost, Some(Frame::LaterSpecification(_))) {
        // The symbol that straddles the cut leaves a specification a specification.
        let with_field: Vec<Plan> = plans.iter().map(|plan| with_field(language, plan)).collect();
        plans.extend(with_field);
    }
    plans
}

/// The plan with a field at its end.
fn with_field(language: &Language, plan: &Plan) -> Plan {
    let mut plan = plan.clone();
    let terminals = ["FIELD_OPEN", "NAME", "FIELD_CLOSE"];
    let terminals = terminals.map(|name| language.lexer.description.terminal(name));
    let planned = |terminal| Planned { terminal, columns: Columns::ALL, context: None };
    plan.symbols.extend(terminals.into_iter().flatten().map(planned));
    plan
}

/// The plan with the quotes that its root asks for; several plans where the root leaves a choice,
/// none where the plan leaves no f-string open.
fn quoted(language: &Language, right: &RightSide, plan: &Plan) -> Vec<Plan> {
    let open = open_beginnings(language, plan);
    if open.is_empty() || language.lexer.description.dialect.fstrings != FStringRules::Free {
        return Vec::new();
    }
    let root = right.roots[usize::from(plan.root.0)];
    let change = match root.entrance {
        Entrance::Straddle(emission, _) => language.lexer.scanner.emission(emission).change,
        _ => FrameChange::Keep,
    };
    let contexts = right.frames[usize::from(root.frames)].iter().filter_map(|frame| match frame {
        Frame::Text(context) => Some(*context),
        _ => None,
    });
    let mut contexts: Vec<Option<Context>> = contexts.map(Some).collect();
    match change {
        FrameChange::EndText => contexts.push(None),
        FrameChange::BeginText(..) => drop(contexts.pop()),
        _ => {}
    }
    let Some(n_outer) = contexts.len().checked_sub(open.len()) else { return Vec::new() };
    let known = Context::all(FStringRules::Free);
    let choices: Vec<Context> =
        if contexts.last().is_some_and(Option::is_none) { known.collect() } else { ANY.to_vec() };
    let quoted = |choice: &Context| {
        let mut plan = plan.clone();
        for (&index, context) in open.iter().zip(&contexts[n_outer..]) {
            plan.symbols[index].context = Some(context.unwrap_or(*choice));
        }
        plan
    };
    choices.iter().map(quoted).collect()
}

/// Where there is nothing to choose, one choice stands for all.
const ANY: [Context; 1] =
    [Context { quote: fim_lexer::fstring::Quote::Double, is_raw: false, outer: Quotes::FREE }];

/// The indices of the symbols that begin an f-string and do not end it.
fn open_beginnings(language: &Language, plan: &Plan) -> Vec<usize> {
    let terminal = |name| language.lexer.description.terminal(name);
    let beginnings = [terminal("FSTRING_START"), terminal("TSTRING_START")];
    let end = terminal("FSTRING_END");
    let mut open = Vec::new();
    for (index, planned) in plan.symbols.iter().enumerate() {
        let found = Some(planned.terminal);
        if beginnings.contains(&found) {
            open.push(index);
        } else if found == end {
            open.pop();
        }
    }
    open
}

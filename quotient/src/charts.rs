//! Charts: the item sets of Earley's algorithm, which reads a text forward and backward over the same body states.

mod both;
mod chart_index;
mod left;
mod marks;
mod paged;
mod parsing;
mod prediction;
mod right;
mod spellings;

pub(crate) use self::both::Charts;
pub(crate) use self::left::Taken;
pub use self::left::{LeftChart, LeftCharts, LeftItem};
pub use self::marks::{Mark, Marks};
pub(crate) use self::paged::PagedMap;
pub(crate) use self::parsing::Parsing;
pub(crate) use self::right::{CutName, StepFault, Waiting};
pub use self::right::{LineBreak, RightChart, RightCharts, RightItem};
pub use self::spellings::SpellingIdx;
pub(crate) use self::spellings::{KnownName, Spelling, Spellings};

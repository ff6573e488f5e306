//! Names in patterns: the names of groups, and Unicode's properties as ECMAScript has them.

use std::sync::OnceLock;

use regex_syntax::hir::{Class, ClassUnicode, HirKind};
use rustc_hash::FxHashSet;

/// Which letters a parser knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Alphabet {
    /// Unicode 17: acorn's and V8's.
    Newest,
    /// Unicode 15.1: TypeScript's.
    Typed,
}

/// Whether a character may stand in a name of JavaScript's, or begin one.
pub(crate) fn is_name_part(code: u32, is_first: bool, alphabet: Alphabet) -> bool {
    let Some(sign) = char::from_u32(code) else { return false };
    if sign.is_ascii() {
        return sign.is_ascii_alphabetic()
            || matches!(sign, '$' | '_')
            || !is_first && sign.is_ascii_digit();
    }
    let (first, others) = letters(alphabet);
    let class = if is_first { first } else { others };
    has(class, sign) || !is_first && matches!(sign, '\u{200c}' | '\u{200d}')
}

fn has(class: &ClassUnicode, sign: char) -> bool {
    let ranges = class.ranges();
    let index = ranges.partition_point(|range| range.end() < sign);
    ranges.get(index).is_some_and(|range| range.start() <= sign)
}

/// The letters that begin names, and those that go on in them; `grammars/letters.lark` says the same.
fn letters(alphabet: Alphabet) -> &'static (ClassUnicode, ClassUnicode) {
    static LETTERS: [OnceLock<(ClassUnicode, ClassUnicode)>; 2] =
        [OnceLock::new(), OnceLock::new()];
    let of = |age: &str, first: &str, others: &str| {
        (
            class(&format!(r"[[\p{{ID_Start}}&&\p{{Age={age}}}]{first}]")),
            class(&format!(r"[[\p{{ID_Continue}}&&\p{{Age={age}}}]{first}{others}]")),
        )
    };
    LETTERS[alphabet as usize].get_or_init(|| match alphabet {
        Alphabet::Newest => of("16.0", FIRST_OF_17, OTHERS_OF_17),
        Alphabet::Typed => of("15.1", "", ""),
    })
}

/// The letters of Unicode 17 that begin names and are new.
const FIRST_OF_17: &str = "\u{88F}\u{C5C}\u{CDC}\u{A7CE}-\u{A7CF}\u{A7D2}\u{A7D4}\u{A7F1}\u{10940}-\u{10959}\
    \u{10EC5}-\u{10EC7}\u{11DB0}-\u{11DDB}\u{16EA0}-\u{16EB8}\u{16EBB}-\u{16ED3}\
    \u{16FF2}-\u{16FF6}\u{187F8}-\u{187FF}\u{18D09}-\u{18D1E}\u{18D80}-\u{18DF2}\
    \u{1E6C0}-\u{1E6DE}\u{1E6E0}-\u{1E6E2}\u{1E6E4}-\u{1E6E5}\u{1E6E7}-\u{1E6ED}\
    \u{1E6F0}-\u{1E6F4}\u{1E6FE}-\u{1E6FF}\u{2B73A}-\u{2B73F}\u{2CEA2}-\u{2CEAD}\
    \u{323B0}-\u{33479}";

/// The characters of Unicode 17 that only go on in names and are new.
const OTHERS_OF_17: &str = "\u{1ACF}-\u{1ADD}\u{1AE0}-\u{1AEB}\u{10EFA}-\u{10EFB}\u{11B60}-\u{11B67}\
    \u{11DE0}-\u{11DE9}\u{1E6E0}-\u{1E6F5}";

fn class(pattern: &str) -> ClassUnicode {
    match regex_syntax::parse(pattern).map(regex_syntax::hir::Hir::into_kind) {
        Ok(HirKind::Class(Class::Unicode(class))) => class,
        // No name is refused for a property that is not known here.
        _ => ClassUnicode::new([regex_syntax::hir::ClassUnicodeRange::new('\0', char::MAX)]),
    }
}

/// Whether there is a property of characters with this name, or this value.
pub(super) fn is_property(name: &str, value: Option<&str>) -> bool {
    static WORDS: OnceLock<[FxHashSet<&str>; 3]> = OnceLock::new();
    let words = |text: &'static str| text.split(' ').collect();
    let [binary, categories, scripts] =
        WORDS.get_or_init(|| [BINARY, CATEGORIES, SCRIPTS].map(words));
    match (name, value) {
        (_, None) => binary.contains(name) || categories.contains(name),
        ("General_Category" | "gc", Some(value)) => categories.contains(value),
        ("Script" | "sc" | "Script_Extensions" | "scx", Some(value)) => scripts.contains(value),
        _ => false,
    }
}

/// Whether it is one of strings, which is there with `v`.
pub(super) fn is_property_of_strings(name: &str) -> bool {
    OF_STRINGS.contains(&name)
}

const OF_STRINGS: [&str; 7] = [
    "Basic_Emoji",
    "Emoji_Keycap_Sequence",
    "RGI_Emoji_Modifier_Sequence",
    "RGI_Emoji_Flag_Sequence",
    "RGI_Emoji_Tag_Sequence",
    "RGI_Emoji_ZWJ_Sequence",
    "RGI_Emoji",
];

/// Properties that characters have or not.
const BINARY: &str = "\
    ASCII ASCII_Hex_Digit AHex Alphabetic Alpha Any Assigned Bidi_Control Bidi_C Bidi_Mirrored \
    Bidi_M Case_Ignorable CI Cased Changes_When_Casefolded CWCF Changes_When_Casemapped CWCM \
    Changes_When_Lowercased CWL Changes_When_NFKC_Casefolded CWKCF Changes_When_Titlecased CWT \
    Changes_When_Uppercased CWU Dash Default_Ignorable_Code_Point DI Deprecated Dep Diacritic \
    Dia Emoji Emoji_Component EComp Emoji_Modifier EMod Emoji_Modifier_Base EBase \
    Emoji_Presentation EPres Extended_Pictographic ExtPict Extender Ext Grapheme_Base Gr_Base \
    Grapheme_Extend Gr_Ext Hex_Digit Hex IDS_Binary_Operator IDSB IDS_Trinary_Operator IDST \
    ID_Continue IDC ID_Start IDS Ideographic Ideo Join_Control Join_C Logical_Order_Exception \
    LOE Lowercase Lower Math Noncharacter_Code_Point NChar Pattern_Syntax Pat_Syn \
    Pattern_White_Space Pat_WS Quotation_Mark QMark Radical Regional_Indicator RI \
    Sentence_Terminal STerm Soft_Dotted SD Terminal_Punctuation Term Unified_Ideograph UIdeo \
    Uppercase Upper Variation_Selector VS White_Space space XID_Continue XIDC XID_Start XIDS";

/// General categories, by their names and short names.
const CATEGORIES: &str = "\
    C Cased_Letter Cc Cf Close_Punctuation Cn Co Combining_Mark Connector_Punctuation Control Cs \
    Currency_Symbol Dash_Punctuation Decimal_Number Enclosing_Mark Final_Punctuation Format \
    Initial_Punctuation L LC Letter Letter_Number Line_Separator Ll Lm Lo Lowercase_Letter Lt Lu \
    M Mark Math_Symbol Mc Me Mn Modifier_Letter Modifier_Symbol N Nd Nl No Nonspacing_Mark \
    Number Open_Punctuation Other Other_Letter Other_Number Other_Punctuation Other_Symbol P \
    Paragraph_Separator Pc Pd Pe Pf Pi Po Private_Use Ps Punctuation S Sc Separator Sk Sm So \
    Space_Separator Spacing_Mark Surrogate Symbol Titlecase_Letter Unassigned Uppercase_Letter Z \
    Zl Zp Zs cntrl digit punct";

/// Scripts of Unicode 17, by their names and short names.
const SCRIPTS: &str = "\
    Adlam Adlm Aghb Ahom Anatolian_Hieroglyphs Arab Arabic Armenian Armi Armn Avestan Avst Bali \
    Balinese Bamu Bamum Bass Bassa_Vah Batak Batk Beng Bengali Berf Beria_Erfe Bhaiksuki Bhks \
    Bopo Bopomofo Brah Brahmi Brai Braille Bugi Buginese Buhd Buhid Cakm Canadian_Aboriginal \
    Cans Cari Carian Caucasian_Albanian Chakma Cham Cher Cherokee Chorasmian Chrs Common Copt \
    Coptic Cpmn Cprt Cuneiform Cypriot Cypro_Minoan Cyrillic Cyrl Deseret Deva Devanagari Diak \
    Dives_Akuru Dogr Dogra Dsrt Dupl Duployan Egyp Egyptian_Hieroglyphs Elba Elbasan Elym \
    Elymaic Ethi Ethiopic Gara Garay Geor Georgian Glag Glagolitic Gong Gonm Goth Gothic Gran \
    Grantha Greek Grek Gujarati Gujr Gukh Gunjala_Gondi Gurmukhi Guru Gurung_Khema Han Hang \
    Hangul Hani Hanifi_Rohingya Hano Hanunoo Hatr Hatran Hebr Hebrew Hira Hiragana Hluw Hmng \
    Hmnp Hung Imperial_Aramaic Inherited Inscriptional_Pahlavi Inscriptional_Parthian Ital Java \
    Javanese Kaithi Kali Kana Kannada Katakana Kawi Kayah_Li Khar Kharoshthi Khitan_Small_Script \
    Khmer Khmr Khoj Khojki Khudawadi Kirat_Rai Kits Knda Krai Kthi Lana Lao Laoo Latin Latn Lepc \
    Lepcha Limb Limbu Lina Linb Linear_A Linear_B Lisu Lyci Lycian Lydi Lydian Mahajani Mahj \
    Maka Makasar Malayalam Mand Mandaic Mani Manichaean Marc Marchen Masaram_Gondi Medefaidrin \
    Medf Meetei_Mayek Mend Mende_Kikakui Merc Mero Meroitic_Cursive Meroitic_Hieroglyphs Miao \
    Mlym Modi Mong Mongolian Mro Mroo Mtei Mult Multani Myanmar Mymr Nabataean Nag_Mundari Nagm \
    Nand Nandinagari Narb Nbat New_Tai_Lue Newa Nko Nkoo Nshu Nushu Nyiakeng_Puachue_Hmong Ogam \
    Ogham Ol_Chiki Ol_Onal Olck Old_Hungarian Old_Italic Old_North_Arabian Old_Permic \
    Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic Old_Uyghur Onao Oriya Orkh Orya Osage \
    Osge Osma Osmanya Ougr Pahawh_Hmong Palm Palmyrene Pau_Cin_Hau Pauc Perm Phag Phags_Pa Phli \
    Phlp Phnx Phoenician Plrd Prti Psalter_Pahlavi Qaac Qaai Rejang Rjng Rohg Runic Runr \
    Samaritan Samr Sarb Saur Saurashtra Sgnw Sharada Shavian Shaw Shrd Sidd Siddham Sidetic Sidt \
    SignWriting Sind Sinh Sinhala Sogd Sogdian Sogo Sora Sora_Sompeng Soyo Soyombo Sund \
    Sundanese Sunu Sunuwar Sylo Syloti_Nagri Syrc Syriac Tagalog Tagb Tagbanwa Tai_Le Tai_Tham \
    Tai_Viet Tai_Yo Takr Takri Tale Talu Tamil Taml Tang Tangsa Tangut Tavt Tayo Telu Telugu \
    Tfng Tglg Thaa Thaana Thai Tibetan Tibt Tifinagh Tirh Tirhuta Tnsa Todhri Todr Tolong_Siki \
    Tols Toto Tulu_Tigalari Tutg Ugar Ugaritic Unknown Vai Vaii Vith Vithkuqi Wancho Wara \
    Warang_Citi Wcho Xpeo Xsux Yezi Yezidi Yi Yiii Zanabazar_Square Zanb Zinh Zyyy Zzzz";

// What somebody typed, as the index and the pages look for it. Folds texts and finds words as fold_text and text_tokens do
// in the database (migration 0026): search-terms.test.ts compares them.

/** How a word has to stand in a text: alone, at the beginning of a word, or anywhere inside one. */
export type WordMatch = 'whole' | 'start' | 'part';

/** One word that was typed, or several that have to follow each other: quoted, or with a sign between them ('Na/K', '3.8'). */
export interface SearchTerm {
  readonly tokens: readonly string[];
  /** Of the last word; those before it stand alone. */
  readonly match: WordMatch;
  /** As it was typed, folded: for names and titles, which are not looked up word by word. */
  readonly text: string;
}

/** Words of two letters and fewer are clinical terms (K, Na, Hb, pH): they are found as whole words only. */
const LONGEST_WHOLE = 2;
/** From here on a part inside a word is found too; search_keys has no shorter ends of tokens. */
const SHORTEST_PART = 4;
/** Of longer words search_keys knows the beginning. */
const LONGEST_KEY = 40;

const LETTERS = { ø: 'o', ł: 'l', đ: 'd', ð: 'd', ı: 'i', ς: 'σ', ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th' } as const;
const isLetter = (sign: string): sign is keyof typeof LETTERS => Object.hasOwn(LETTERS, sign);

/** A text as searches compare it: without case and accents. */
export function foldText(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase();
  return plain.replaceAll(/[øłđðıςßæœþ]/g, (sign) => (isLetter(sign) ? LETTERS[sign] : sign));
}

const TOKENS = /[\p{L}\p{Nd}]+/gu;

/** The words of a text that is folded, with where each begins. */
export function tokenize(folded: string): { readonly word: string; readonly at: number }[] {
  return [...folded.matchAll(TOKENS)].map(({ 0: word, index: at }) => ({ word, at }));
}

const QUOTED_OR_PLAIN = /"([^"]*)"|\S+/g;

/** What has to be found, in the order typed; each once. */
export function toTerms(typed: string): SearchTerm[] {
  const terms = new Map<string, SearchTerm>();
  for (const [part, quoted] of typed.replaceAll(/[“”„«»]/g, '"').matchAll(QUOTED_OR_PLAIN)) {
    const text = foldText(quoted ?? part).trim();
    const tokens = tokenize(text).map(({ word }) => word);
    const last = tokens.at(-1);
    if (last === undefined) continue;
    const match = quoted === undefined ? matchOf(last, tokens.length) : 'whole';
    terms.set(`${match} ${tokens.join(' ')}`, { tokens, match, text });
  }
  return [...terms.values()];
}

function matchOf({ length }: string, count: number): WordMatch {
  if (length <= LONGEST_WHOLE) return 'whole';
  return length < SHORTEST_PART || count > 1 ? 'start' : 'part';
}

/** What stands for the part of a chat in `keyQuery`, as search_messages knows it: no letter or digit, so that no word has it. */
const CHAT_KEY = '@';

/** The terms as a tsquery over the keys of one chat. Words are letters and digits, so none has a sign of the query's language. */
export function keyQuery(terms: readonly SearchTerm[]): string {
  const keys = terms.flatMap(({ tokens, match }) =>
    tokens.map((word, at) => keyOf(word.slice(0, LONGEST_KEY), at === tokens.length - 1 ? match : 'whole')),
  );
  return [...new Set(keys)].join(' & ');
}

function keyOf(word: string, match: WordMatch): string {
  const whole = `'${CHAT_KEY}=${word}'`;
  if (match === 'whole') return whole;
  return match === 'start' ? `${whole}:*` : `(${whole}:* | '${CHAT_KEY}~${word}':*)`;
}

/** What has to stand in a message's words, each with a space before and after it, where words have to follow each other. */
export function sequencesOf(terms: readonly SearchTerm[]): string[] {
  return terms
    .filter(({ tokens }) => tokens.length > 1)
    .map(({ tokens, match }) => ` ${tokens.join(' ')}${match === 'whole' ? ' ' : ''}`);
}

import { invalid } from './scim-error.ts';

/** One comparison: an attribute by its name in lower case, and the text it has to have. */
export interface Comparison {
  readonly attribute: string;
  readonly value: string;
}

const SCHEMA_PREFIX = /^urn:ietf:params:scim:schemas:[\w:.]*?(?:user|group):/;
const COMPARISON =
  /^\s*([a-z][\w$:.-]*?(?:\[[^\]]*\](?:\.\w+)?)?)\s+eq\s+("(?:[^"\\]|\\["\\/bfnrt]|\\u[\da-f]{4})*")\s*/i;
const MOST_COMPARISONS = 4;

/**
 * Reads the part of SCIM's filters that directories send: `userName eq "…"`, more of them joined by `and`. An address of a kind
 * (`emails[type eq "work"].value`) is the address. Throws invalidFilter for all else.
 */
export function parseFilter(text: string): Comparison[] {
  const found: Comparison[] = [];
  let rest = text;
  for (;;) {
    const [whole, attribute, quoted] = COMPARISON.exec(rest) ?? [];
    if (whole === undefined || attribute === undefined || quoted === undefined || found.length === MOST_COMPARISONS) {
      throw invalid('invalidFilter', 'This server takes attribute eq "value", joined by and.');
    }
    found.push({ attribute: attributeName(attribute), value: String(JSON.parse(quoted)) });
    rest = rest.slice(whole.length);
    if (rest === '') return found;
    const [and] = /^and\s+/i.exec(rest) ?? [];
    if (and === undefined) throw invalid('invalidFilter', 'Comparisons are joined by and.');
    rest = rest.slice(and.length);
  }
}

/** The name of an attribute in lower case, without the schema before it and without the kind of an address. */
export function attributeName(path: string): string {
  return path
    .toLowerCase()
    .replace(SCHEMA_PREFIX, '')
    .replace(/\[[^\]]*\]/, '')
    .replace(/^emails\.value$/, 'emails');
}

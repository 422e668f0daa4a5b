/**
 * The titles of test and it in a test file, read from its text: without running it, and also for files that need a
 * browser. The title of a describe is no test's, and is not read.
 */
export function testTitles(source) {
  const titles = [];
  for (const match of source.matchAll(/(?<![\w.'"`])(?:test|it)\b/g)) {
    const title = titleAfter(source, match.index + match[0].length);
    if (title !== null) titles.push(title);
  }
  return titles;
}

/** Steps over `.each`, `.skipIf(…)` and tables up to the call whose first argument is a text. */
function titleAfter(source, start) {
  let at = start;
  for (;;) {
    at = skip(source, at, /\s*\.\w+|\s*<[^(]*>(?=\()/y);
    const open = skip(source, at, /\s*\(\s*/y);
    if (open === at) {
      // A tagged table: test.each`…`('title', …).
      if (source[at] !== '`') return null;
      at = endOfText(source, at);
      continue;
    }
    if (/['"`]/.test(source[open] ?? '')) return unquote(source.slice(open + 1, endOfText(source, open) - 1));
    at = endOfBrackets(source, source.indexOf('(', at));
    if (at >= source.length) return null;
  }
}

function skip(source, start, pattern) {
  let at = start;
  for (;;) {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match === null || match[0] === '') return at;
    at += match[0].length;
    if (pattern.source.includes('\\(\\s*')) return at;
  }
}

function endOfText(source, start) {
  const quote = source[start];
  let at = start + 1;
  while (at < source.length && source[at] !== quote) at += source[at] === '\\' ? 2 : 1;
  return at + 1;
}

function endOfBrackets(source, start) {
  let depth = 0;
  for (let at = start; at < source.length; at += 1) {
    const sign = source[at];
    if (/['"`]/.test(sign)) at = endOfText(source, at) - 1;
    else if (sign === '(') depth += 1;
    else if (sign === ')') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return source.length;
}

const unquote = (text) => text.replace(/\\(.)/gs, '$1').replace(/\s+/g, ' ');

// Sentences that look like an id and are none.
const NO_ID = /^(UTF|SHA|ISO|RFC|CVE|ECMA|ES|HTTP|IPv|WCAG|AES|MSH|F|P|C|T|S|L|X|U|E|V|W|Q|B|D)-?\d+$/;

const ID = /(?<![\w-])(?:CEN-R\d{1,2}|F-[A-Z]\d{1,2}|[A-Z]{2,7}-G?\d{1,3}|[A-Z]\d{1,2})\b/g;

/**
 * Ids such as CHAT-1, RT-G1, A16, R5, I1 and F-S1; HTTP-1 to HTTP-9 are ours, HTTP-404 is not. R1 to R23 are goals of
 * reliability, CEN-R1 to CEN-R20 refusals of the census. A fixture's number, named as one, is no id.
 */
export function requirementIds(title) {
  const found = title.replace(/\bfixtures? [A-Z0-9, ]+/g, '').match(ID) ?? [];
  return [...new Set(found.filter((id) => /^HTTP-\d$/.test(id) || !NO_ID.test(id)))];
}

/** Where dates, times and numbers are written for people; everything else asks it. */
const HOME = /^packages\/format\//;
const CODE = /^(apps\/[^/]+\/(src|seeds)|packages\/[^/]+\/(src|gallery))\/.*\.tsx?$/;
const TESTS = /\.test\.tsx?$|\/testing\//;

/** Comments; strings stay, since a template is how a per cent is written by hand. */
const COMMENTS = /\/\*[\s\S]*?\*\/|(?<![:'"`/])\/\/[^\n]*/g;

const BY_HAND = [
  [/\bIntl\.\w+Format\b/, 'dates.ts, times.ts, counts.ts or numbers.ts; of zones zone.ts'],
  [/\.toLocale(Date|Time)?String\(/, 'formatCount, formatDay, formatTime'],
  [/\.to(Fixed|Precision)\(/, 'formatRounded'],
  [/\.to(Date|Time|GMT|UTC)String\(/, 'formatDay, formatTime'],
  [/\.padStart\(2,/, 'formatTime, formatTimeOfDay'],
  [/['"](Jan(uary)?|Feb(ruary)?|Mon(day)?|Tue(sday)?)['"]/, 'shortMonth, formatMonth, weekdayNames'],
  [/[`'"][^`'"\n]*\} ?%|\{[^{}\n]+\} ?%<?|\d ?% of\b/, 'formatPercent'],
];

/** A length in a style, which no person reads, and a pattern of the database. */
const NOT_READ = /translate[XY]?\(|:\s*`\$\{[^`]*\}%`|=> `\$\{[^`]*\}%`|`%\$\{/;

/** Lines of a file that write a date, a time or a number past the one place for it: `{ line, text, instead }`. */
export function findFormats(file, code) {
  if (!CODE.test(file) || HOME.test(file) || TESTS.test(file)) return [];
  const lines = code.replace(COMMENTS, (text) => text.replace(/[^\n]/g, ' ')).split('\n');
  return lines.flatMap((text, index) => {
    const hit = BY_HAND.find(([pattern]) => pattern.test(text));
    return hit && !(hit[1] === 'formatPercent' && NOT_READ.test(text))
      ? [{ line: index + 1, text: text.trim(), instead: hit[1] }]
      : [];
  });
}

import { expect, test } from 'vitest';
import { applyMutant, mutantsOf } from './mutants.mjs';

const broken = (source) =>
  mutantsOf(source).map(({ start, end, text }) => source.slice(0, start) + text + source.slice(end));

test.each([
  ['a bound', 'const a = b < 2;', ['const a = b <= 2;', 'const a = b < (3);']],
  ['a condition', 'if (a) b();', ['if (true) b();', 'if (false) b();', 'if (a) ;']],
  [
    'each half of a condition',
    'const a = b && c;',
    ['const a = true && c;', 'const a = b || c;', 'const a = b && true;'],
  ],
  ['a call that is waited for', 'await save();', [';', 'void save();']],
  ['a call in a chain', 'const a = b.toSorted(c).map(d);', ['const a = b.map(d);']],
  [
    'a lock in SQL',
    'sql`select 1 from a where b = 1 for update`;',
    [';', 'sql`select 1 from a where b <> 1 for update`;', 'sql`select 1 from a where b = 1 `;'],
  ],
])('breaks %s', (_what, source, mutants) => {
  expect(broken(source).toSorted()).toEqual(mutants.toSorted());
});

test.each([
  ['types', 'type A = 1 | true; const a = b as { c: true };'],
  ['imports, names of properties and texts', "import a from 'a'; const b = { 1: 'c' + d };"],
  ['what only logs', "ctx.log.warn('a'); await log.info('b');"],
])('leaves %s alone', (_what, source) => {
  expect(broken(source)).toEqual([]);
});

test('ends a loop that a mutant lets turn forever', () => {
  const source = 'let n = 0; while (n < 3) n++;\nfor (const a of [n]) { n += a; }\nout.n = n;';
  const run = (text) => {
    const out = {};
    new Function('out', text)(out);
    return out.n;
  };
  expect(run(applyMutant(source, null))).toBe(6);
  const backwards = mutantsOf(source).find(({ text }) => text === '--');
  expect(() => run(applyMutant(source, backwards))).toThrow('loops forever');
});

test('applies a mutant within the body of a loop, around it, and where there is none', () => {
  const source = 'for (const a of b) { if (a > 1) c(a); }';
  for (const mutant of mutantsOf(source)) expect(() => mutantsOf(applyMutant(source, mutant))).not.toThrow();
  expect(applyMutant('const a = 1;', null)).toBe('const a = 1;');
});

import { expect, test } from 'vitest';
import { applyMutant, functionOf, mutantsOf, withReports } from './mutants.mjs';

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
  [
    'what is refused',
    'if (a) throw new AppError(b);',
    ['if (true) throw new AppError(b);', 'if (false) throw new AppError(b);'],
  ],
  ['a call that is waited for', 'await save();', [';', 'void save();']],
  ['a call in a transaction', 'await save(tx);', [';']],
  ['a call in a chain', 'const a = b.toSorted(c).map(d);', ['const a = b.map(d);']],
  [
    'a lock in SQL',
    'sql`select 1 from a where b = 1 for update`;',
    [';', 'sql`select 1 from a where b <> 1 for update`;', 'sql`select 1 from a where b = 1 `;'],
  ],
  ['a bound in SQL', 'a(sql`b < 2`);', [';', 'a(sql`b <= 2`);']],
  [
    'what is over by now',
    'a(sql`b > now()`, sql`now() - c >= b`);',
    [';', 'a(sql`b < now()`, sql`now() - c >= b`);', 'a(sql`b > now()`, sql`now() - c > b`);'],
  ],
])('breaks %s', (_what, source, mutants) => {
  expect(broken(source).toSorted()).toEqual(mutants.toSorted());
});

test.each([
  ['a method that every object has', 'const a = b.toString();'],
  ['types', 'type A = 1 | true; const a = b as { c: true };'],
  ['imports, names of properties and texts', "import a from 'a'; const b = { 1: 'c' + d };"],
  ['what holds always', "if (a) throw new Error('b'); if (c) { throw new Error('d'); }"],
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

test('functions say where they begin when they are called, whatever their form', () => {
  const source = [
    'const add = (a) => ({ sum: a + 1 });',
    'function outer() { return () => (b) => b as number; }',
    'class Ward { get beds() { return 2; } }',
    'out.values = [add(1).sum, outer()()(3), new Ward().beds];',
  ].join('\n');
  const out = {};
  globalThis.$reached = new Set();
  new Function('out', withReports('a.ts', source).replace(' as number', ''))(out);
  const reached = [...globalThis.$reached];
  delete globalThis.$reached;
  expect(out.values).toEqual([2, 3, 2]);
  expect(reached).toEqual(
    ['{ sum', '{ return () =>', '(b) =>', 'b as', '{ return 2'].map((body) => `a.ts:${source.indexOf(body)}`),
  );
});

test('a mutant belongs to the innermost function that holds it, or to none', () => {
  const source = 'const a = 1 < 2; function b() { return c.map((d) => d + 1); }';
  const starts = mutantsOf(source).map((mutant) => functionOf(source, mutant));
  expect([...new Set(starts)]).toEqual([undefined, source.indexOf('d + 1')]);
});

import { expect, test } from 'vitest';
import { findLockFileProblems, namesIn } from './lock-file-problems.mjs';

const entry = (fields = {}) => ({ version: '1.2.3', integrity: 'sha512-of-it', ...fields });
const agreed = { reviewed: new Set(['kept', '@scope/kept']), allowScripts: { '@scope/kept': true } };
const usual = {
  '': { name: 'ours', workspaces: ['packages/*'] },
  'packages/ours': { version: '0.1.0' },
  'node_modules/ours': { resolved: 'packages/ours', link: true },
  'node_modules/kept': entry(),
  'node_modules/@scope/kept': entry({ hasInstallScript: true }),
  'packages/ours/node_modules/kept': entry({ resolved: 'https://registry.example/kept/-/kept-1.2.3.tgz' }),
};
const problemsWith = (packages) => findLockFileProblems({ packages: { ...usual, ...packages } }, agreed);

test('A50 packages that were reviewed, of a registry, with a hash, are no problem; ours are not looked at', () => {
  expect(problemsWith({})).toEqual([]);
  expect(namesIn({ packages: usual })).toEqual(['@scope/kept', 'kept']);
});

test('A50 a package that a newer version of another one brings along is told of, however deep it lies', () => {
  const deep = { 'node_modules/kept/node_modules/flatmap-stream': entry() };
  expect(problemsWith(deep)).toEqual(['flatmap-stream is new here: nobody has looked at it yet.']);
});

test('A50 another package under the name of a reviewed one is told of', () => {
  expect(problemsWith({ 'node_modules/kept': entry({ name: 'kepd' }) })).toEqual([
    'kepd is new here: nobody has looked at it yet.',
  ]);
});

test('A50 a script at installation that nobody agreed to is told of', () => {
  expect(problemsWith({ 'node_modules/kept': entry({ hasInstallScript: true }) })).toEqual([
    'kept runs a script when it is installed, which allowScripts of package.json does not name.',
  ]);
});

test.each([
  ['git', { version: '1.2.3', resolved: 'git+ssh://git@host.example/kept.git#abcdef0' }],
  ['a page', { version: '1.2.3', resolved: 'https://host.example/kept.tgz' }],
  ['no TLS', { version: '1.2.3', resolved: 'http://registry.example/kept/-/kept-1.2.3.tgz' }],
  ['an archive on the disk', { version: '1.2.3', resolved: 'file:../kept-1.2.3.tgz' }],
  ['a folder beside the project', { version: undefined, integrity: undefined, resolved: '../kept', link: true }],
])('A50 a package from %s is told of', (_where, fields) => {
  const problems = problemsWith({ 'node_modules/kept': entry(fields) });
  expect(problems).toEqual([
    expect.stringMatching(/^kept \(node_modules\/kept\) comes from .*, which is no registry\.$/),
  ]);
});

test('A50 no name of a package is taken for one that may run scripts because every object has such a property', () => {
  const packages = { ...usual, 'node_modules/constructor': entry({ hasInstallScript: true }) };
  const reviewed = new Set([...agreed.reviewed, 'constructor']);
  expect(findLockFileProblems({ packages }, { ...agreed, reviewed })).toHaveLength(1);
});

test('A50 a package without a hash is told of, unless it lies in the archive of another', () => {
  expect(problemsWith({ 'node_modules/kept': entry({ integrity: undefined }) })).toEqual([
    'kept (node_modules/kept) has no hash.',
  ]);
  expect(problemsWith({ 'node_modules/kept': entry({ integrity: undefined, inBundle: true }) })).toEqual([]);
});

test('A50 the list holds nothing that is no longer needed', () => {
  const { 'node_modules/@scope/kept': _gone, ...packages } = usual;
  expect(findLockFileProblems({ packages }, agreed)).toEqual(['@scope/kept is in the list and no longer needed.']);
});

import { existsSync } from 'node:fs';
import { inRoot } from '../paths.mjs';
import { run } from '../run.mjs';

/** The files that differ from this commit, those unknown to git included and deleted ones not: paths from the root. */
export async function changedFiles(base) {
  const lists = await Promise.all([
    git(['diff', '--name-only', '--relative', '-z', base, '--']),
    git(['ls-files', '--others', '--exclude-standard', '-z']),
  ]);
  return [...new Set(lists.flat())].filter((file) => existsSync(inRoot(file))).sort();
}

async function git(args) {
  const { code, output } = await run('git', args);
  if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}:\n${output.trim()}`);
  return output.split('\0').filter((file) => file !== '');
}

import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';
import { inRoot } from '../paths.mjs';

/**
 * What takes longest, so that it does not start last and run alone. By name, because a fresh clone has no times of an
 * earlier run; the others follow by size, which is near enough for files of a second.
 */
export const LONGEST = [
  'backup-commands.test.ts',
  'start.test.ts',
  'crash.test.ts',
  'embedded.test.ts',
  'receive-adt.test.ts',
  'access-matrix.test.ts',
  'random-acts.test.ts',
  'wrong-input-fuzz.test.ts',
  'csrf.test.ts',
  'wrong-input.test.ts',
  'run-as.test.ts',
  'file-reader.test.ts',
  'failing-jobs.test.ts',
  'board-screen.test.tsx',
  'unit-report-page.test.tsx',
  'settings-page.test.tsx',
  'unit-dialog.test.tsx',
  'report-outcomes.test.tsx',
  'day-summary.test.tsx',
  'proposals-card.test.tsx',
  'calendar.test.ts',
];

/**
 * Files of one project and environment stand together: a worker that shares its modules between files goes on only with
 * one of the same kind, and is ended before any other. With WARDLINE_ORDER=anything in a random order, the same each time:
 * what a file leaves for the next is found by another order.
 */
export class TestOrder extends BaseSequencer {
  async sort(specifications) {
    const kinds = new Map();
    for (const specification of specifications) {
      const file = { specification, weight: weightOf(specification.moduleId) };
      const kind = `${specification.project.name} ${environmentOf(specification.moduleId)}`;
      kinds.set(kind, [...(kinds.get(kind) ?? []), file]);
    }
    const heaviestFirst = [...kinds.values()].map((files) => files.sort((one, other) => other.weight - one.weight));
    return heaviestFirst.flat().map(({ specification }) => specification);
  }
}

function weightOf(path) {
  const seed = process.env.WARDLINE_ORDER;
  if (seed) return randomOf(`${seed} ${relative(inRoot('.'), path)}`);
  const rank = LONGEST.findIndex((name) => path.endsWith(`/${name}`));
  return rank === -1 ? statSync(path).size : 1e9 - rank;
}

function randomOf(text) {
  return createHash('sha256').update(text).digest().readUInt32BE();
}

function environmentOf(path) {
  return /^\/\/ @vitest-environment (\S+)/.exec(readFileSync(path, 'utf8'))?.[1] ?? 'node';
}

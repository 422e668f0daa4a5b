import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCallRecords } from './call-records.mjs';

const SOURCE = 'send.ts';
const OTHER = 'edit.ts';
const TEST = 'send.test.ts';

describe('the records of what tests call', () => {
  let folder;
  let texts;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'wardline-calls-'));
    texts = { [SOURCE]: 'one', [OTHER]: 'two', [TEST]: 'three' };
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const open = () => openCallRecords(join(folder, 'calls.json'), (file) => texts[file]);
  const run = (reached) => ({ test: TEST, isGreen: true, durationMs: 7, reached });
  const keep = (...runs) => {
    const records = open();
    for (const [reached, files] of runs) records.add(run(reached), files);
    records.save();
  };

  it('are there for the next run, also of what was not called', () => {
    keep([
      [`${SOURCE}:12`, `${SOURCE}:40`],
      [SOURCE, OTHER],
    ]);
    const records = open();
    expect(records.runOf(TEST)).toMatchObject({ isGreen: true, durationMs: 7 });
    expect(records.callsOf(TEST, SOURCE)).toEqual(new Set(['12', '40']));
    expect(records.has(TEST, OTHER)).toBe(true);
    expect(records.callsOf(TEST, OTHER)).toEqual(new Set());
  });

  it('of a source hold until it has another text, those of the others go on', () => {
    keep([
      [`${SOURCE}:12`, `${OTHER}:3`],
      [SOURCE, OTHER],
    ]);
    texts[SOURCE] = 'another';
    expect(open().has(TEST, SOURCE)).toBe(false);
    expect(open().has(TEST, OTHER)).toBe(true);
    keep([[`${SOURCE}:15`], [SOURCE]]);
    expect(open().callsOf(TEST, SOURCE)).toEqual(new Set(['15']));
    expect(open().callsOf(TEST, OTHER)).toEqual(new Set(['3']));
  });

  it('of tests that have another text are all gone', () => {
    keep([[`${SOURCE}:12`], [SOURCE]]);
    texts[TEST] = 'another';
    expect(open().has(TEST, SOURCE)).toBe(false);
    expect(open().runOf(TEST)).toBeUndefined();
    expect(open().callsOf(TEST, SOURCE)).toEqual(new Set());
  });
});

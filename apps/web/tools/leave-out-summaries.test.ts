import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CONTRACT_FILE, withoutSummaries } from './leave-out-summaries.ts';

describe('PERF-4 the sentences of endpoints', () => {
  it('PERF-4 no sentence of an endpoint is left, and nothing else is lost', () => {
    const file = new URL('../../../packages/contract/src/account/account.ts', import.meta.url);
    const code = readFileSync(file, 'utf8');
    const left = withoutSummaries(code);
    const summaries = code.match(/summary:/g)?.length ?? 0;
    expect(summaries).toBeGreaterThan(0);
    expect(left.match(/summary:\s*'',/g)).toHaveLength(summaries);
    expect(left.length).toBeLessThan(code.length);
    expect(left.match(/path: '[^']+'/g)).toEqual(code.match(/path: '[^']+'/g));
  });

  it('PERF-4 it is done in every file that describes an endpoint', () => {
    const folder = new URL('../../../packages/contract/src/', import.meta.url);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(
      (file) => new URL(file, folder).pathname,
    );
    const describing = files.filter((file) => file.endsWith('.ts') && /\bsummary: '/.test(readFileSync(file, 'utf8')));
    expect(describing.length).toBeGreaterThan(20);
    expect(describing.filter((file) => !CONTRACT_FILE.test(file))).toEqual([]);
  });

  it('PERF-4 a quotation in a sentence does not end it', () => {
    expect(withoutSummaries("{ summary: 'The person\\'s own.', method: 'GET' }")).toBe(
      "{ summary: '', method: 'GET' }",
    );
  });
});

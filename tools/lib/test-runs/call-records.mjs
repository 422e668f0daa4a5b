import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, inRoot } from '../paths.mjs';

/**
 * Which functions of a source each file of tests called, as runs before have seen it. A record holds as long as neither the
 * tests nor the source have another text; what a third file changes about it is not noticed.
 */
export function openCallRecords(
  path = join(cacheFolder('mutation'), 'calls.json'),
  read = (file) => readFileSync(inRoot(file), 'utf8'),
) {
  const records = new Map(existsSync(path) ? Object.entries(JSON.parse(readFileSync(path, 'utf8'))) : []);
  const hashes = new Map();
  const hashOf = (file) => {
    if (!hashes.has(file)) hashes.set(file, createHash('sha256').update(read(file)).digest('base64url').slice(0, 16));
    return hashes.get(file);
  };
  const recordOf = (test) => {
    const record = records.get(test);
    return record?.hash === hashOf(test) ? record : undefined;
  };

  return {
    has: (test, file) => recordOf(test)?.calls[file]?.hash === hashOf(file),
    /** `{ isGreen, durationMs }` of the run that was seen last. */
    runOf: (test) => recordOf(test),
    /** Where in the source the functions begin that these tests called; as text, in no order. */
    callsOf: (test, file) => new Set(recordOf(test)?.calls[file]?.places),
    /** Puts down a run in which these files told of their calls: `reached` holds `file:place`. */
    add({ test, isGreen, durationMs, reached }, files) {
      const calls = { ...recordOf(test)?.calls };
      for (const file of files) calls[file] = { hash: hashOf(file), places: [] };
      for (const call of reached) {
        const colon = call.lastIndexOf(':');
        calls[call.slice(0, colon)].places.push(call.slice(colon + 1));
      }
      records.set(test, { hash: hashOf(test), isGreen, durationMs, calls });
    },
    save: () => writeFileSync(path, JSON.stringify(Object.fromEntries(records))),
  };
}

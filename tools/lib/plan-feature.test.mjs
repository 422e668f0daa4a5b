import { expect, it } from 'vitest';
import { planFeature } from './plan-feature.mjs';

it('plans a feature whole: every template filled, and registered wherever features are', () => {
  const files = planFeature('bed-requests', 'bed-request');
  expect(files.size).toBe(22);
  expect([...files].filter(([, content]) => content.includes('{{')).map(([file]) => file)).toEqual([]);
  expect(files.get('apps/server/src/features/bed-requests/create-bed-request.ts')).toContain(
    "ctx.write('bed_request.create'",
  );
  expect(files.get('packages/contract/src/endpoints.ts')).toContain('...bedRequestEndpoints,\n];');
  expect(files.get('apps/server/src/app/features.ts')).toContain(
    '    icons,\n    bedRequests,\n    { close: images.close },',
  );
  const [migration] = [...files.keys()].filter((file) => /\d{4}_bed_requests\.sql$/.test(file));
  const last = files.get('apps/server/db/migrations/checksums.txt').trim().split('\n').at(-1);
  expect(last).toMatch(new RegExp(`^[0-9a-f]{64}  ${migration.split('/').at(-1)}$`));
});

it('refuses a name that is no path, and one that stands for one and many', () => {
  expect(() => planFeature('Bed requests', 'bed-request')).toThrow('words with hyphens');
  expect(() => planFeature('staff', 'staff')).toThrow('words with hyphens');
});

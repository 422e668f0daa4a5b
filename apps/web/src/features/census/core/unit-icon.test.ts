import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { unitIcon } from './unit-icon.ts';

const { icons, aliases } = createRequire(import.meta.url)('@iconify-json/lucide/icons.json');

it.each(['ward', 'Emergency', ' day ', 'intensive care', 'maternity', 'surgical', 'orthopaedic', 'psychiatric'])(
  'ICON-1 units of the kind %j have an icon of their own, of a name that exists',
  (kind) => {
    expect(unitIcon(kind)).not.toBe(unitIcon(''));
    expect({ ...icons, ...aliases }).toHaveProperty(unitIcon(kind).replace('lucide:', ''));
  },
);

it('ICON-1 units of any other kind have a bed', () => {
  expect(['', 'observatory', 'constructor'].map(unitIcon)).toEqual(['lucide:bed', 'lucide:bed', 'lucide:bed']);
  expect(icons).toHaveProperty('bed');
});

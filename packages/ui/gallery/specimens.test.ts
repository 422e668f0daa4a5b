import { expect, it } from 'vitest';

const kit = import.meta.glob<string>('../src/**/*.tsx', { query: '?raw', import: 'default', eager: true });
const gallery = import.meta.glob<string>(['./specimens/**/*.tsx', './gallery.tsx'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Resources that nobody places by themselves, and what they are seen in. */
const PARTS: Readonly<Record<string, string>> = {
  BackArrow: 'TopBar',
  FieldNote: 'Field',
  GridTable: 'HeatMap',
  ControlPoints: 'ControlChart',
  LineAxes: 'TrendChart',
  LineKey: 'TrendChart',
  LineLabels: 'TrendChart',
  RailNav: 'AppFrame',
  SkeletonFrame: 'Skeleton',
  SkeletonLines: 'Skeleton',
  SkeletonRows: 'Skeleton',
};

const specimens = Object.values(gallery).join('\n');
const isShown = (name: string) => new RegExp(`<${name}[\\s/>]`).test(specimens);

const exported = Object.entries(kit)
  .filter(([file]) => !file.includes('.test.'))
  .flatMap(([, source]) => [...source.matchAll(/^export function ([A-Z]\w*)/gm)].map(([, name]) => name ?? ''));

it('UI-1 every component of the kit stands in the gallery', () => {
  expect(exported.length).toBeGreaterThan(60);
  expect(exported.filter((name) => !isShown(PARTS[name] ?? name))).toEqual([]);
});

it('UI-1 every specimen is a section of its own, and no part hides from the gallery without need', () => {
  const ids = Object.values(gallery).flatMap((source) => /^ {2}id: '([\w-]+)',$/m.exec(source)?.[1] ?? []);
  expect(ids.length).toBe(Object.keys(gallery).length - 1);
  expect(new Set(ids).size).toBe(ids.length);
  expect(Object.keys(PARTS).filter((part) => !exported.includes(part) || isShown(part))).toEqual([]);
});

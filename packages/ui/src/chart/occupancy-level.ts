/** How full is too full, in per cent of the beds. */
export type OccupancyBands = { readonly target: number; readonly high: number; readonly full: number };

/** A step of the occupancy scale: 1 to 3 lie under the target, 4 to 6 from it on. */
export type OccupancyLevel = 1 | 2 | 3 | 4 | 5 | 6;

/** The bounds of the steps 2 to 6; the two under the target stand 25 and 10 points below it. */
function bounds({ target, high, full }: OccupancyBands): readonly [number, number, number, number, number] {
  return [target - 25, target - 10, target, high, full];
}

/** The step of the scale that an occupancy in per cent has. */
export function occupancyLevel(percent: number, bands: OccupancyBands): OccupancyLevel {
  const passed = bounds(bands).filter((bound) => percent >= bound).length;
  return (passed + 1) as OccupancyLevel;
}

/** The steps in words, from the emptiest on: 'under 60', '60–74', …, '100 +'. A step that the bands leave empty is null. */
export function formatLevel(bands: OccupancyBands): readonly (string | null)[] {
  const [first, ...others] = bounds(bands);
  const starts = [first, ...others];
  return [
    `under ${first}`,
    ...starts.map((from, index) => {
      const next = starts[index + 1];
      if (next === undefined) return `${from} +`;
      if (next <= from) return null;
      return next - 1 === from ? `${from}` : `${from}–${next - 1}`;
    }),
  ];
}

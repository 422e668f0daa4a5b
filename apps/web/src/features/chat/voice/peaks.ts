const BARS = 48;
/** Quieter than this it is noise, and not made to look like speech. */
const LOUD = 8;

/** The shape of a recording: how loud it is, 0 to 100, in equal steps, the loudest at the top. Null where nothing was measured. */
export function peaksOf(levels: readonly number[]): number[] | null {
  if (levels.length === 0) return null;
  const most = Math.max(LOUD, ...levels.slice(0, 10_000));
  return Array.from({ length: BARS }, (_, bar) => {
    const from = Math.floor((bar * levels.length) / BARS);
    const to = Math.max(from + 1, Math.floor(((bar + 1) * levels.length) / BARS));
    const loudest = Math.max(...levels.slice(from, to));
    return Math.max(0, Math.min(100, Math.round((loudest / most) * 100)));
  });
}

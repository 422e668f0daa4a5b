/** A small generator with a fixed seed (mulberry32): the demo hospital is the same on every machine. */
export interface Random {
  /** From 0 up to, but not including, 1. */
  next(): number;
  below(limit: number): number;
  pick<T>(options: readonly T[]): T;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    pick(options) {
      const picked = options[below(options.length)];
      if (picked === undefined) throw new Error('nothing to pick from');
      return picked;
    },
  };
}

import type { ShareNumbers, TellNumber } from '#/platform/http/rate-limit.ts';

/** Two servers that tell each other numbers at once. */
export function sharedByTwo(): readonly [ShareNumbers, ShareNumbers] {
  const [atA, atB] = [new Map<string, TellNumber>(), new Map<string, TellNumber>()];
  const shareOf =
    (here: Map<string, TellNumber>, there: ReadonlyMap<string, TellNumber>): ShareNumbers =>
    (name, hear) => {
      here.set(name, hear);
      return (key, number) => there.get(name)?.(key, number);
    };
  return [shareOf(atA, atB), shareOf(atB, atA)];
}

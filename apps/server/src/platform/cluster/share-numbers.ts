import * as z from 'zod/mini';
import type { ShareNumbers, TellNumber } from '#/platform/http/rate-limit.ts';
import type { Bus } from './bus.ts';

const Numbers = z.array(z.tuple([z.string(), z.string(), z.number()]));

/** Over the bus, those of one turn of the loop at once. What is lost is lost: whoever counts by them counts less. */
export function createShareNumbers(bus: Bus): ShareNumbers {
  const hearers = new Map<string, TellNumber>();
  let numbers: z.output<typeof Numbers> = [];

  function tellAll(): void {
    bus.tell({ kind: 'numbers' }, Buffer.from(JSON.stringify(numbers)));
    numbers = [];
  }

  bus.onTold((told, bytes) => {
    if (told.kind !== 'numbers') return;
    for (const [name, key, number] of Numbers.safeParse(JSON.parse(bytes.toString())).data ?? [])
      hearers.get(name)?.(key, number);
  });

  return (name, hear) => {
    hearers.set(name, hear);
    return (key, number) => {
      if (numbers.length === 0) setImmediate(tellAll);
      numbers.push([name, key, number]);
    };
  };
}

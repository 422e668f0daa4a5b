import { expect, it } from 'vitest';
import { createGate } from './concurrency-gate.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));
const busy = { code: 'unavailable', retryAfterS: 1 };

/** A gate, its clock, and tasks that go on until they are told to end. */
function gateWith(options: Parameters<typeof createGate>[0]) {
  const clock = { ms: 0 };
  const gate = createGate(options, () => clock.ms);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const enter = (name: string) =>
    gate.run(async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      return name;
    });
  return { clock, begun, enter, end: (name: string) => ends.get(name)?.() };
}

it('R10 so many run at once, and the others in the order in which they came', async () => {
  const { begun, enter, end } = gateWith({ atOnce: 1 });
  const all = ['first', 'second', 'third'].map(enter);
  await settled();
  expect(begun).toEqual(['first']);
  for (const name of ['first', 'second', 'third']) {
    end(name);
    await settled();
  }
  expect(await Promise.all(all)).toEqual(['first', 'second', 'third']);
  expect(begun).toEqual(['first', 'second', 'third']);
});

it('R10 while the first in the queue has waited too long nobody else may wait', async () => {
  const { clock, enter, end } = gateWith({ atOnce: 1, longestWaitMs: 500 });
  const [first, second] = [enter('first'), enter('second')];
  clock.ms = 500;
  const third = enter('third');
  clock.ms = 501;
  await expect(enter('refused')).rejects.toMatchObject(busy);
  end('first');
  await expect(second).rejects.toMatchObject(busy);
  await settled();
  end('third');
  expect(await Promise.all([first, third])).toEqual(['first', 'third']);
});

it('R10 no more wait than may, and a task that fails leaves its place to the next', async () => {
  const { enter, end } = gateWith({ atOnce: 1, waiting: 1 });
  const gate = createGate({ atOnce: 1, waiting: 0 });
  const [first, second] = [enter('first'), enter('second')];
  await expect(enter('refused')).rejects.toMatchObject(busy);
  end('first');
  await settled();
  end('second');
  expect(await Promise.all([first, second])).toEqual(['first', 'second']);
  await expect(gate.run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await gate.run(async () => 'next')).toBe('next');
});

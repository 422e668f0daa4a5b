import { expect, test } from 'vitest';
import { assertDurable } from './durability.ts';

function serverWith(settings: Record<string, string>) {
  const rows = Object.entries(settings).map(([name, setting]) => ({ name, setting }));
  return { query: async () => ({ rows }) };
}

const durable = { synchronous_commit: 'on', fsync: 'on', full_page_writes: 'on' };

test.each(Object.keys(durable))('R1 R2 a server with %s off is refused by name', async (name) => {
  await expect(assertDurable(serverWith({ ...durable, [name]: 'off' }))).rejects.toThrow(`${name} = off`);
});

test.each(['on', 'local', 'remote_write', 'remote_apply'])('R1 synchronous_commit = %s is accepted', async (level) => {
  await expect(assertDurable(serverWith({ ...durable, synchronous_commit: level }))).resolves.toBeUndefined();
});

test('R1 a server that does not tell is refused', async () => {
  await expect(assertDurable(serverWith({}))).rejects.toThrow(/synchronous_commit, fsync, full_page_writes = off/);
});

import { wipeCache } from './apply-change.ts';
import { type CopyOf, databaseName, openDatabase } from './database.ts';
import type { EndOptions } from './device-store.ts';

/**
 * Ends a person's copy on this device: no cache, no key, no sign of who it was but the ids of unsent work and of what was typed, whose
 * ciphertext stays with the files that go with it. A key that only this device has stays with them, which would otherwise be lost for
 * ever. What was typed into something that waits to be sent goes with that.
 */
export async function endDeviceCopy(
  copy: CopyOf,
  { discardUnsent = false, discardTyped = discardUnsent }: EndOptions = {},
): Promise<void> {
  const database = await openDatabase(copy);
  try {
    const tx = database.transaction(['outbox', 'chats', 'messages', 'files', 'meta'], 'readwrite', {
      durability: 'strict',
    });
    await wipeCache(tx);
    if (discardUnsent) await tx.objectStore('outbox').clear();
    const waiting = await tx.objectStore('outbox').getAll();
    for (const { id, clientId } of await tx.objectStore('files').getAll()) {
      if (!waiting.some((row) => row.clientId === clientId)) await tx.objectStore('files').delete(id);
    }
    const rows = await tx.objectStore('meta').getAll();
    const typed = rows.filter(
      (row) => 'sealed' in row && (!discardTyped || waiting.some(({ lane }) => lane === row.name)),
    );
    const isKeyNeeded = waiting.length > 0 || typed.length > 0;
    for (const row of rows) {
      const isOnlyKey = 'key' in row && row.source === 'device' && isKeyNeeded;
      if (!isOnlyKey && !typed.includes(row)) await tx.objectStore('meta').delete(row.name);
    }
    await tx.done;
  } finally {
    database.close();
  }
}

/** Ends the copies of everybody else on this device (user switch). Where a browser does not list databases, `known` helps. */
export async function endOtherCopies({ prefix, userId }: CopyOf, known: readonly string[] = []): Promise<void> {
  const begin = databaseName({ prefix, userId: '' });
  const listed = (await indexedDB.databases?.()) ?? [];
  const names = listed.flatMap(({ name }) => (name?.startsWith(begin) === true ? [name.slice(begin.length)] : []));
  for (const other of new Set([...names, ...known])) {
    if (other !== userId) await endDeviceCopy({ prefix, userId: other });
  }
}

import type { Log } from '#/log.ts';
import { makeReady, place, type ReadyChange, sealOutboxRow, type WriteTransaction } from './apply-change.ts';
import { type Database, messagesOf, openDatabase, toStoreError } from './database.ts';
import {
  type DeviceStore,
  isCacheChange,
  type KeptFile,
  type OutboxRow,
  type StoreChange,
  StoreError,
} from './device-store.ts';
import { endDeviceCopy } from './end-device-copy.ts';
import type { RowCipher, Sealed } from './row-cipher.ts';

interface IndexedStoreDeps {
  readonly prefix: string;
  readonly userId: string;
  readonly database: Database;
  readonly cipher: RowCipher;
  readonly isCaching: boolean;
  readonly log: Log;
}

/** A person's copy in IndexedDB. */
export function createIndexedStore({
  prefix,
  userId,
  database,
  cipher,
  isCaching,
  log,
}: IndexedStoreDeps): DeviceStore {
  const connection = createConnection({ prefix, userId, database, log });
  const { use, inTurn } = connection;

  const write = (changes: readonly StoreChange[]): Promise<void> => {
    const kept = isCaching ? changes : changes.filter((change) => !isCacheChange(change));
    if (kept.length === 0) return Promise.resolve();
    return inTurn(Promise.all(kept.map((change) => makeReady(change, cipher))), (ready) =>
      use((current) => applyAll(current, ready)),
    );
  };

  return {
    prefix,
    userId,
    isDurable: true,
    isCaching,
    write,
    ...createReads(use, { cipher, log }),
    ...createFiles(connection, { cipher, log }),
    addOutbox(row) {
      return inTurn(cipher.seal(place.outbox(row), row.content), (sealed) =>
        use(async (current) => {
          const tx = current.transaction('outbox', 'readwrite', { durability: 'strict' });
          const [order] = await Promise.all([tx.store.add(sealOutboxRow(row, sealed)), tx.done]);
          return order;
        }),
      );
    },
    confirm: () =>
      use(async (current) => {
        await current.put('meta', { name: 'device', isOwn: isCaching, confirmedAt: Date.now() });
      }),
    wipeChat: (chatId) => write([{ type: 'wipe-chat', chatId }]),
    wipeFacility: (facilityId) => write([{ type: 'wipe-facility', facilityId }]),
    async wipe(options) {
      const current = await connection.end();
      current.close();
      await endDeviceCopy({ prefix, userId }, options);
    },
    close() {
      // Swallowed: a connection that never opened needs no closing.
      void connection.end().then(
        (current) => current.close(),
        () => undefined,
      );
    },
  };
}

type Files = Pick<DeviceStore, 'keepFile' | 'assignFiles' | 'files' | 'file' | 'dropFiles'>;

function createFiles(
  { use, inTurn }: ReturnType<typeof createConnection>,
  { cipher, log }: Pick<IndexedStoreDeps, 'cipher' | 'log'>,
): Files {
  return {
    keepFile: (file, bytes) =>
      inTurn(cipher.sealBytes(place.file(file.id), bytes), (sealed) =>
        use(async (current) => void (await current.put('files', { ...file, sealed }))),
      ),
    assignFiles: (ids, clientId) =>
      inTurn(Promise.resolve(), () =>
        use(async (current) => {
          const tx = current.transaction('files', 'readwrite');
          for (const id of ids) {
            const row = await tx.store.get(id);
            if (row !== undefined) await tx.store.put({ ...row, clientId });
          }
          await tx.done;
        }),
      ),
    files: () =>
      use(async (current) => (await current.getAll('files')).map(({ sealed: _bytes, ...file }): KeptFile => file)),
    async file(id) {
      const row = await use((current) => current.get('files', id));
      if (row === undefined) return null;
      try {
        return await cipher.openBytes(place.file(id), row.sealed);
      } catch {
        log.error("A file on this device cannot be read with this person's key");
        return null;
      }
    },
    dropFiles: (ids) =>
      inTurn(Promise.resolve(), () =>
        use(async (current) => {
          const tx = current.transaction('files', 'readwrite');
          await Promise.all([...ids.map((id) => tx.store.delete(id)), tx.done]);
        }),
      ),
  };
}

type Use = <Answer>(work: (database: Database) => Promise<Answer>) => Promise<Answer>;

/** The database while it is used; once ended, all use of it is refused. */
function createConnection({ prefix, userId, database, log }: Omit<IndexedStoreDeps, 'cipher' | 'isCaching'>) {
  let connection: Promise<Database> = Promise.resolve(database);
  let isClosed = false;
  let turn: Promise<unknown> = Promise.resolve();

  /** Browsers drop connections (storage pressure, a sleeping phone); one new connection is tried before giving up. */
  const use: Use = async (work) => {
    if (isClosed) throw new StoreError('closed');
    try {
      return await work(await connection);
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'InvalidStateError' || isClosed) throw toStoreError(error);
      log.warn('The connection to the device store was lost and is opened again');
      const lost = connection;
      const opened = openDatabase({ prefix, userId });
      connection = opened;
      // Where that fails too, the next use tries anew.
      opened.catch(() => {
        if (connection === opened) connection = lost;
      });
      return await opened.then(work).catch((again) => Promise.reject(toStoreError(again)));
    }
  };

  /** Runs in the order of the calls, though sealing one change may take longer than sealing the next. */
  const inTurn = <Ready, Answer>(ready: Promise<Ready>, work: (ready: Ready) => Promise<Answer>): Promise<Answer> => {
    const answer = turn.then(() => ready).then(work);
    turn = answer.catch(() => undefined);
    ready.catch(() => undefined);
    return answer;
  };

  return {
    use,
    inTurn,
    /** Refuses what comes from now on; resolves with the connection once the last write is through. */
    async end(): Promise<Database> {
      isClosed = true;
      await turn;
      return await connection;
    },
  };
}

type Reads = Pick<DeviceStore, 'outbox' | 'chats' | 'messages' | 'meta' | 'metaWithPrefix'>;

function createReads(use: Use, { cipher, log }: Pick<IndexedStoreDeps, 'cipher' | 'log'>): Reads {
  const { open, openAll } = createOpener(cipher, log);
  return {
    async outbox() {
      const rows = await use((current) => current.getAll('outbox'));
      return await openAll(rows, place.outbox, (row, content): OutboxRow => {
        const { order = 0, clientId, lane, writtenAt } = row;
        return { order, clientId, userId: row.userId, lane, writtenAt, content };
      });
    },
    async chats() {
      const rows = await use((current) => current.getAll('chats'));
      return await openAll(
        rows,
        (row) => place.chat(row.chatId),
        (_row, content) => content,
      );
    },
    async messages(chatId, { before, limit }) {
      const rows = await use(async (current) => {
        const newestFirst = [];
        const tx = current.transaction('messages');
        for await (const cursor of tx.store.iterate(messagesOf(chatId, before), 'prev')) {
          newestFirst.push(cursor.value);
          if (newestFirst.length >= limit) break;
        }
        return newestFirst.reverse();
      });
      return await openAll(
        rows,
        (row) => place.message(row.chatId, row.seq),
        (_row, content) => content,
      );
    },
    async meta(name) {
      const row = await use((current) => current.get('meta', name));
      return row !== undefined && 'sealed' in row ? (await open(place.meta(name), row.sealed))?.content : undefined;
    },
    async metaWithPrefix(prefix) {
      const rows = await use((current) => current.getAll('meta', IDBKeyRange.bound(prefix, `${prefix}\uffff`)));
      const sealed = rows.flatMap((row) => ('sealed' in row ? [row] : []));
      const opened = await openAll(
        sealed,
        (row) => place.meta(row.name),
        (row, content) => [row.name, content] as const,
      );
      return new Map(opened);
    },
  };
}

/** Opens sealed rows; one that this person's key does not open is left out, and said in the log. */
function createOpener(cipher: RowCipher, log: Log) {
  const open = async (where: string, sealed: Sealed): Promise<{ readonly content: unknown } | null> => {
    try {
      return { content: await cipher.open(where, sealed) };
    } catch {
      log.error(`A row of ${where.split('/')[0]} on this device cannot be read with this person's key`);
      return null;
    }
  };
  const openAll = async <Row extends { readonly sealed: Sealed }, Answer>(
    rows: readonly Row[],
    where: (row: Row) => string,
    make: (row: Row, content: unknown) => Answer,
  ): Promise<Answer[]> => {
    const opened = await Promise.all(
      rows.map(async (row) => {
        const result = await open(where(row), row.sealed);
        return result === null ? [] : [make(row, result.content)];
      }),
    );
    return opened.flat();
  };
  return { open, openAll };
}

async function applyAll(database: Database, changes: readonly ReadyChange[]): Promise<void> {
  const stores = [...new Set(changes.flatMap((change) => change.stores))];
  // A cache can be fetched again; unsent work cannot, so it waits for the disk.
  const durability = stores.includes('outbox') ? 'strict' : 'relaxed';
  const tx: WriteTransaction = database.transaction(stores, 'readwrite', { durability });
  try {
    for (const change of changes) await change.apply(tx);
    await tx.done;
  } catch (error) {
    tx.done.catch(() => undefined);
    try {
      tx.abort();
    } catch {
      // Aborted already, by the failure itself.
    }
    throw error;
  }
}

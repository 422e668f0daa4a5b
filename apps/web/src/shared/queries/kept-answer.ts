import { isTemporary } from '@wardline/client/http/api-error.ts';
import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import * as z from 'zod/mini';

/** What the server said, or what this device kept of it. */
export interface Copy<Value> {
  readonly value: Value;
  readonly isFromDevice: boolean;
}

export interface CopyOptions<Value> {
  readonly store: DeviceStore;
  readonly name: string;
  /** The chat with whose copy it goes, as the answer says it where it does; left out where it is of none. */
  readonly chatId?: string | ((value: Value) => string);
  readonly shape: z.ZodMiniType<Value>;
  readonly ask: () => Promise<Value>;
  /** Makes of what an earlier build kept what this one understands. */
  readonly read?: (kept: unknown) => unknown;
}

/** Keeps what the server said, on a device that keeps what was read. */
export async function keepAnswer<Value>(
  { store, name, chatId }: Pick<CopyOptions<Value>, 'store' | 'name' | 'chatId'>,
  value: Value,
): Promise<void> {
  const chat = typeof chatId === 'function' ? chatId(value) : chatId;
  // The copy is for another day: that there is no room for it does not matter now.
  await store
    .write([{ type: 'put-meta', name, value, isCache: true, ...(chat && { chatId: chat }) }])
    .catch(() => undefined);
}

/** Asks the server and keeps its answer; what it refuses to tell is kept no longer. */
export async function askAndKeep<Value>({ ask, ...copy }: Omit<CopyOptions<Value>, 'shape' | 'read'>): Promise<Value> {
  const { store, name } = copy;
  try {
    const value = await ask();
    await keepAnswer(copy, value);
    return value;
  } catch (error) {
    if (!isTemporary(error)) await store.write([{ type: 'remove-meta', name }]).catch(() => undefined);
    throw error;
  }
}

/** The same; without a network the answer before is read from the device. */
export async function askOrRead<Value>({
  shape,
  read = (kept) => kept,
  ...options
}: CopyOptions<Value>): Promise<Copy<Value>> {
  try {
    return { value: await askAndKeep(options), isFromDevice: false };
  } catch (error) {
    if (!isTemporary(error)) throw error;
    const kept = z.safeParse(shape, read(await options.store.meta(options.name).catch(() => undefined)));
    if (!kept.success) throw error;
    return { value: kept.data, isFromDevice: true };
  }
}

import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { listUnitHandovers } from '@wardline/contract/examinations/handovers.ts';
import * as z from 'zod/mini';
import { unitKey } from './handover-list-labels.ts';

type Page = ReplyOf<typeof listUnitHandovers>;

const headName = (facilityId: string) => `handover-list/${facilityId}`;
const rowPrefix = (facilityId: string) => `${headName(facilityId)}/`;
const Head = z.object({ order: z.array(z.string()) });

/**
 * Keeps the list that was loaded last of a facility, where this device is the person's own. Each patient is kept beside their chat and
 * goes with it, whatever takes the chat away.
 */
export async function keepList(store: DeviceStore, facilityId: string, { data, ...head }: Page): Promise<void> {
  const prefix = rowPrefix(facilityId);
  const rows = data.map((row) => ({
    ...({ type: 'put-meta', isCache: true } as const),
    ...{ name: `${prefix}${row.chat_id}`, value: row, chatId: row.chat_id },
  }));
  const before = await store.metaWithPrefix(prefix).catch(() => new Map<string, unknown>());
  const gone = [...before.keys()].filter((name) => rows.every((row) => row.name !== name));
  const order = data.map(({ chat_id }) => chat_id);
  // The copy is for another hour: that there is no room for it does not matter now.
  await store
    .write([
      ...gone.map((name) => ({ type: 'remove-meta', name }) as const),
      { type: 'put-meta', name: headName(facilityId), value: { ...head, order }, isCache: true },
      ...rows,
    ])
    .catch(() => undefined);
}

/** What was kept of it; null where there is none, or of another unit. */
export async function readList(store: DeviceStore, facilityId: string, unit: string | null): Promise<Page | null> {
  const prefix = rowPrefix(facilityId);
  const [head, rows] = await Promise.all([store.meta(headName(facilityId)), store.metaWithPrefix(prefix)]).catch(
    () => [null, new Map<string, unknown>()] as const,
  );
  const ordered = z.safeParse(Head, head);
  if (!ordered.success) return null;
  const data = ordered.data.order.flatMap((chatId) => rows.get(`${prefix}${chatId}`) ?? []);
  // What came after the first page was not kept.
  const kept = z.safeParse(listUnitHandovers.reply, { ...(head as object), data, next_cursor: null });
  return kept.success && (unit === null || unitKey(kept.data.unit_id) === unit) ? kept.data : null;
}

/** What the server refuses to tell is kept no longer. */
export async function forgetList(store: DeviceStore, facilityId: string): Promise<void> {
  const rows = await store.metaWithPrefix(rowPrefix(facilityId)).catch(() => new Map<string, unknown>());
  const names = [headName(facilityId), ...rows.keys()];
  await store.write(names.map((name) => ({ type: 'remove-meta', name }))).catch(() => undefined);
}

import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import type { Examination } from '@wardline/contract/examinations/examinations.ts';
import * as z from 'zod/mini';
import { typedNames } from '#/shared/contexts/typed-names.ts';
import { TypedValues } from './typed-values.ts';

const Kept = z.object({ typed: TypedValues });

/** What was typed into an examination on this device and is not stored on the server; nothing where it cannot be read. */
export async function readTyped(store: DeviceStore, examinationId: string): Promise<TypedValues> {
  const read = z.safeParse(Kept, await store.meta(typedNames.examination(examinationId)).catch(() => undefined));
  return read.success ? read.data.typed : {};
}

/** Keeps it, with every key; it goes with the chat's copy. A notice over the page says when this device keeps nothing. */
export async function keepTyped(
  store: DeviceStore,
  { id, chat_id: chatId }: Pick<Examination, 'id' | 'chat_id'>,
  typed: TypedValues,
): Promise<void> {
  const name = typedNames.examination(id);
  const isEmpty = Object.keys(typed).length === 0;
  const change = isEmpty
    ? ({ type: 'remove-meta', name } as const)
    : ({ type: 'put-meta', name, value: { typed }, chatId, isCache: false } as const);
  await store.write([change]).catch(() => undefined);
}

const open = new Map<string, number>();

/** From now on a form of this tab stores what is typed in it. Answers the end of that. */
export function openForm(examinationId: string): () => void {
  open.set(examinationId, (open.get(examinationId) ?? 0) + 1);
  return () => {
    const left = (open.get(examinationId) ?? 1) - 1;
    if (left > 0) open.set(examinationId, left);
    else open.delete(examinationId);
  };
}

export function isFormOpen(examinationId: string): boolean {
  return open.has(examinationId);
}

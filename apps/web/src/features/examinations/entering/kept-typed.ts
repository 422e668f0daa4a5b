import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import { Examination } from '@wardline/contract/examinations/examinations.ts';
import * as z from 'zod/mini';
import { useDevice } from '#/shared/contexts/device-context.ts';
import { typedNames } from '#/shared/contexts/typed-names.ts';
import { useQuery } from '#/shared/queries/use-query.ts';
import { TypedValues } from './typed-values.ts';

const Kept = z.object({ typed: TypedValues });
const KeptSeen = z.object({ seen: Examination });

/** What was typed into an examination on this device and is not stored on the server; nothing where it cannot be read. */
export async function readTyped(store: DeviceStore, examinationId: string): Promise<TypedValues> {
  const read = z.safeParse(Kept, await store.meta(typedNames.examination(examinationId)).catch(() => undefined));
  return read.success ? read.data.typed : {};
}

/**
 * The examination into which something was typed on this device, as it stood then; null where nothing was. On every device: what was
 * typed can be read and gone on with only in its form.
 */
export function useTypedInto(examinationId: string, isWanted: boolean) {
  const { store } = useDevice();
  return useQuery({
    queryKey: ['typed-into', examinationId],
    queryFn: async () => {
      const read = z.safeParse(KeptSeen, await store.meta(typedNames.examination(examinationId)));
      return read.success ? read.data.seen : null;
    },
    enabled: isWanted,
    networkMode: 'always',
    gcTime: 0,
  });
}

/** Keeps it, with every key, beside what it was typed into; it goes with the chat's copy. A notice over the page says when this device keeps nothing. */
export async function keepTyped(store: DeviceStore, seen: Examination, typed: TypedValues): Promise<void> {
  const { id, chat_id: chatId } = seen;
  const name = typedNames.examination(id);
  const isEmpty = Object.keys(typed).length === 0;
  const change = isEmpty
    ? ({ type: 'remove-meta', name } as const)
    : ({ type: 'put-meta', name, value: { typed, seen }, chatId, isCache: false } as const);
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

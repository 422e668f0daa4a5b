import { isTemporary } from '@wardline/client/http/api-error.ts';
import type { Call } from '@wardline/client/http/call.ts';
import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import { type Examination, updateExamination } from '@wardline/contract/examinations/examinations.ts';
import { isEditable } from '@wardline/examination/transition.ts';
import { isFormOpen, keepTyped, readTyped } from './kept-typed.ts';
import { sendable, withoutSent } from './typed-values.ts';

interface SendTypedDeps {
  readonly call: Call;
  readonly store: DeviceStore;
}

/**
 * After the last of what waited has arrived: what was typed meanwhile follows, where no open form sends it. What is refused stays typed,
 * and is told at its field when the examination is opened. Answers how it stands; rejects where there is no answer.
 */
export async function sendTyped(
  { call, store }: SendTypedDeps,
  examination: Examination,
  request: { readonly headers: Readonly<Record<string, string>>; readonly signal?: AbortSignal },
): Promise<Examination> {
  const { id, template, state } = examination;
  if (isFormOpen(id) || !isEditable(state)) return examination;
  const change = sendable(template.fields, await readTyped(store, id));
  if (change === null) return examination;
  try {
    const body = { expected_version: change.base, entries: change.entries };
    const stored = await call(updateExamination, { ...request, params: { examination: id }, body });
    await keepTyped(store, stored, withoutSent(await readTyped(store, id), change.entries, stored.version));
    return stored;
  } catch (error) {
    if (isTemporary(error)) throw error;
    return examination;
  }
}

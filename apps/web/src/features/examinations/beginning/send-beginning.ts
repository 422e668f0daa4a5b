import { ApiError } from '@wardline/client/http/api-error.ts';
import type { Call } from '@wardline/client/http/call.ts';
import type { OutboxItem } from '@wardline/client/outbox/outbox-item.ts';
import type { UnsentTexts } from '@wardline/client/outbox/shared-outbox.ts';
import { createExamination, type Examination } from '@wardline/contract/examinations/examinations.ts';
import type { BeginPayload } from './begin-payload.ts';

type Begun = Pick<OutboxItem<BeginPayload>, 'clientId' | 'payload'>;

/** Begins it on the server, by the version of the form that was filled in; a repeat with the same client id is answered as the first time. */
export function sendBeginning(
  call: Call,
  { clientId, payload: { seen } }: Begun,
  request: { readonly headers: Readonly<Record<string, string>>; readonly signal?: AbortSignal },
): Promise<Examination> {
  const { chat_id, template } = seen;
  const body = { client_id: clientId, template_id: template.id, template_version: template.version };
  return call(createExamination, { ...request, params: { chat: chat_id }, body });
}

const KEPT = 'What you typed is still here.';

/** Why it was not begun, in words for who began it. */
export function describeRefusal(error: unknown): string {
  if (!(error instanceof ApiError)) return `This could not be sent. ${KEPT}`;
  if (error.status === 404) return 'You are no longer in this chat. Ask somebody who is, then discard it.';
  if (error.status === 403)
    return `You can’t begin examinations in this chat any more: it was closed, or your rights changed. ${KEPT}`;
  if (error.fieldErrors['template_id'])
    return `This form is not in use any more. Begin another examination and copy what you typed. ${KEPT}`;
  return `${[error.message, ...Object.values(error.fieldErrors).flat()].at(-1)} ${KEPT}`;
}

/** One in the list of what waits. */
export function describeBeginning({ seen }: BeginPayload): UnsentTexts {
  return {
    title: [seen.title, seen.patient?.name].filter(Boolean).join(', '),
    text: 'New examination',
    href: `/chat/f-${seen.facility_id}/c-${seen.chat_id}/e-${seen.id}`,
  };
}

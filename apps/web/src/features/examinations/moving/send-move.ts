import { ApiError } from '@wardline/client/http/api-error.ts';
import type { Call } from '@wardline/client/http/call.ts';
import type { OutboxItem } from '@wardline/client/outbox/outbox-item.ts';
import type { UnsentTexts } from '@wardline/client/outbox/shared-outbox.ts';
import { acknowledgeReport, type Examination, moveExamination } from '@wardline/contract/examinations/examinations.ts';
import { sendable } from '#/features/examinations/entering/typed-values.ts';
import { MOVE_TITLES, type MovePayload } from './move-payload.ts';

type Pressed = Pick<OutboxItem<MovePayload>, 'clientId' | 'payload'>;

/** Hands a move to the server; a repeat with the same client id is answered as the first time. */
export async function sendMove(
  call: Call,
  { clientId, payload }: Pressed,
  request: { readonly headers: Readonly<Record<string, string>>; readonly signal?: AbortSignal },
): Promise<Examination | null> {
  const { seen, to, expectedVersion, after, reason, typed, critical } = payload;
  const rest = { ...request, params: { examination: seen.id } };
  if (to === null) {
    await call(acknowledgeReport, { ...rest, body: { version: expectedVersion, is_acknowledged: true } });
    return null;
  }
  const entries = sendable(seen.template.fields, typed)?.entries;
  const body = {
    ...{ client_id: clientId, to, expected_version: expectedVersion },
    ...(after !== null && { after }),
    ...(reason !== null && { reason }),
    ...(entries && { entries }),
    ...(critical !== null && { critical }),
  };
  return call(moveExamination, { ...rest, body });
}

const ANEW = 'See what changed, then do it again or discard it.';

/** Why a move was refused, what happened meanwhile, and what can be done, in words for who pressed it. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof ApiError)) return `This could not be sent. ${ANEW}`;
  if (error.code === 'client_id_reused') return `This was sent before with something else in it. ${ANEW}`;
  if (error.status === 403) return 'You are no longer allowed to do this. Ask somebody who is, then discard it.';
  if (error.status === 404) return 'You are no longer in this chat. Ask somebody who is, then discard it.';
  if (error.status === 409) return `${error.message} ${ANEW}`;
  const sentences = Object.values(error.fieldErrors).flat();
  return `${sentences.length > 0 ? sentences.join(' ') : error.message} ${ANEW}`;
}

/** A move in the list of what waits; a critical value says that nobody has been alerted. */
export function describeMove({ seen, event, unalerted, reason }: MovePayload): UnsentTexts {
  const about = [MOVE_TITLES[event], reason].filter(Boolean).join(': ');
  const alarm = unalerted.length > 0 ? ` · Nobody has been alerted yet: ${unalerted.join('; ')}` : '';
  return {
    title: [seen.title, seen.patient?.name].filter(Boolean).join(', '),
    text: `${about}${alarm}`,
    href: `/chat/f-${seen.facility_id}/c-${seen.chat_id}/e-${seen.id}`,
  };
}

import { ApiError } from '@wardline/client/http/api-error.ts';
import type { Call } from '@wardline/client/http/call.ts';
import type { OutboxItem } from '@wardline/client/outbox/outbox-item.ts';
import {
  type Chat,
  sendMessage as endpoint,
  type Forwarded,
  isMentionKind,
  type Mention,
  type Message,
} from '@wardline/contract/chat/chat.ts';
import type { Citation } from '@wardline/contract/chat/citations.ts';
import type { UrgentPayload } from '#/features/chat/core/chat-view.ts';
import type { DirectPlace, FileRef } from '#/features/chat/core/file-ref.ts';

/** What an unsent message carries beside its ids. */
export interface MessagePayload {
  readonly body: string;
  /** The message that it answers; absent also in what was kept before there were answers. */
  readonly replyTo?: { readonly id: string; readonly seq: number } | null | undefined;
  /** Whom it calls, with the names that stand in it. */
  readonly mentions?: readonly Mention[];
  /** To whom the first message of a direct chat goes, which makes it. */
  readonly direct?: DirectTarget;
  /** Said again what was said elsewhere. The body is empty then: a build that does not know this must not send it as mine. */
  readonly forward?: ForwardPayload;
  /** With what is said beside them. The body is empty then: a build that does not know this must not send the words alone. */
  readonly files?: { readonly body: string; readonly list: readonly FileRef[] };
  /** Asks for acknowledgement. The body is empty here too: sent without this it would call nobody. */
  readonly urgent?: UrgentPayload;
  /** Findings that it talks about, as they were read. The body is empty here too: the words alone would say less. */
  readonly cites?: { readonly body: string; readonly list: readonly Citation[] };
}

export interface ForwardPayload {
  readonly source: { readonly chat: string; readonly message: string };
  /** Both as this device shows them until it is sent. */
  readonly body: string;
  readonly forwarded: Forwarded;
}

/** To whom, by name; a role with the address of the chat that the message is to make. */
export type DirectTarget = DirectPlace & { readonly name: string } & (
    | { readonly userId: string }
    | { readonly roleId: string; readonly path: string }
  );

/** Hands an unsent message to the server, with its files where they are there; a repeat is answered with the stored one. */
export function sendMessage(
  call: Call,
  item: OutboxItem<MessagePayload>,
  signal: AbortSignal,
  attachments?: readonly string[],
): Promise<Message> {
  const { clientId: client_id, writtenAt: device_time } = item;
  const { replyTo = null, mentions = [], files, cites } = item.payload;
  // One of a kind that this build does not know is text, as it is shown.
  const targets = mentions.flatMap(({ kind, id }) => (isMentionKind(kind) ? [{ kind, id }] : []));
  return call(endpoint, {
    params: { chat: item.lane },
    body: {
      client_id,
      body: (files ?? cites ?? item.payload).body,
      device_time,
      ...(attachments && { attachments: [...attachments] }),
      ...(replyTo && { reply_to: replyTo.id }),
      ...(targets[0] && { mentions: targets }),
      ...(cites && {
        cites: cites.list.map(({ examination_id, field, report_version }) => ({
          examination_id,
          field,
          report_version,
        })),
      }),
    },
    // Where another person signed in meanwhile in this browser, a server that compares refuses (A34).
    headers: { 'X-Wardline-User': item.userId },
    signal,
  });
}

/** Whom a message has to be sent to as a person, since their chat with me is not there yet, or was closed with their leaving. */
export function directTargetOf(payload: MessagePayload, chat: Chat | null): DirectTarget | null {
  if (chat === null) return payload.direct ?? null;
  if (!chat.direct || chat.state === 'open') return null;
  return { facilityId: chat.facility_id, userId: chat.direct.user_id, name: chat.direct.name };
}

/** Why a message was refused, in words for its sender. */
export function describeSendFailure(error: unknown): string {
  if (!(error instanceof ApiError)) return 'This message could not be sent.';
  if (error.code === 'facility_closed') return error.message;
  if (error.status === 403) return 'You can’t write in this chat.';
  if (error.status === 404) return 'You are no longer in this chat, or whom you write to has left.';
  if (error.code === 'client_id_reused') return 'This message was stored before with another text.';
  if (error.status === 413) return 'This message is too large.';
  const sentences = Object.values(error.fieldErrors).flat();
  return sentences.length > 0 ? sentences.join(' ') : error.message;
}

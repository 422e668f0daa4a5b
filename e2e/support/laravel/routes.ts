import { randomBytes } from 'node:crypto';
import { createToken, getUser, signIn, signOut } from '@wardline/contract/account/auth.ts';
import { answerTwoFactorChallenge } from '@wardline/contract/account/second-factor.ts';
import {
  getChat,
  listChats,
  listMessages,
  listParticipants,
  raiseMarkers,
  sendMessage,
  sync,
} from '@wardline/contract/chat/chat.ts';
import { listDrafts, saveDraft } from '@wardline/contract/chat/drafts.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { listFacilities } from '@wardline/contract/facilities/facilities.ts';
import { authorizeChannel } from '@wardline/contract/realtime.ts';
import type { Accounts } from './accounts.ts';
import type { Hospital } from './hospital.ts';
import { refuse } from './refusal.ts';
import type { Reverb } from './reverb.ts';
import { type Route, route } from './route.ts';

/** The code of everybody's second step. */
export const TWO_FACTOR_CODE = '246810';

interface Deps {
  readonly hospital: Hospital;
  readonly reverb: Reverb;
  readonly accounts: Accounts;
  /** Whose each is. */
  readonly tokens: Map<string, string>;
}

/** Everything this application has; what else Wardline has is a route that could not be found. */
export function createRoutes({ hospital, reverb, accounts, tokens }: Deps): readonly Route[] {
  const myChat = (id: string) => {
    if (id !== hospital.chatId) throw refuse.noModel(id);
    return hospital.chat();
  };
  return [
    route(
      signIn,
      ({ body, caller }) => {
        caller.signIn(accounts.check(body).id, body.remember === true);
        return undefined;
      },
      { isPublic: true, status: 204 },
    ),
    // Fortify's, behind a login that a test lets answer that it wants one.
    route(
      answerTwoFactorChallenge,
      ({ body, caller }) => {
        if (body.code !== TWO_FACTOR_CODE)
          throw refuse.invalid({ code: ['The provided two factor authentication code was invalid.'] });
        caller.signIn(hospital.user.id, false);
        return undefined;
      },
      { isPublic: true },
    ),
    route(
      createToken,
      ({ body }) => {
        const { id } = accounts.check(body);
        const token = `${tokens.size + 1}|${randomBytes(20).toString('hex')}`;
        tokens.set(token, id);
        return { token };
      },
      { isPublic: true },
    ),
    route(signOut, ({ caller }) => {
      caller.signOut();
      return undefined;
    }),
    route(getUser, ({ caller }) => accounts.find(caller.userId ?? '') ?? hospital.user),
    ...accounts.routes,
    route(listFacilities, () => ({ data: [hospital.facility] })),
    route(listChats, () => ({ data: [hospital.chat()], next_cursor: null })),
    route(getChat, ({ params }) => myChat(params.chat)),
    route(listParticipants, ({ params }) => {
      myChat(params.chat);
      return { data: hospital.participants(), next_cursor: null };
    }),
    route(listMessages, ({ params, query }) => {
      myChat(params.chat);
      const { after = 0, limit = 50 } = query;
      const later = hospital.messages().filter(({ seq }) => seq > after);
      return { data: after > 0 ? later.slice(0, limit) : later.slice(-limit), head_seq: hospital.messages().length };
    }),
    route(sendMessage, ({ params, body, caller }) => {
      myChat(params.chat);
      const message = hospital.store('ana', body);
      broadcastMessage(hospital, reverb, message, caller.socketId);
      return message;
    }),
    route(listDrafts, () => ({ data: [] })),
    route(saveDraft, ({ params, body }) => {
      myChat(params.chat);
      return { version: body.seen_version + 1 };
    }),
    route(raiseMarkers, ({ params, body }) => {
      myChat(params.chat);
      return hospital.raise(body);
    }),
    route(sync, ({ query }) => {
      const cursor = String(hospital.messages().length);
      const chats = query.cursor === cursor ? [] : [hospital.chat()];
      return { chats, removed_chat_ids: [], reset: false, cursor, has_more: false };
    }),
    route(authorizeChannel, ({ body: { socket_id, channel_name }, caller }) => {
      const { id, name, memberships } = accounts.find(caller.userId ?? '') ?? hospital.user;
      if (
        channel_name === `private-App.Models.User.${id}` ||
        channel_name === `private-facility.${hospital.facility.id}`
      ) {
        return { auth: reverb.signature(socket_id, channel_name) };
      }
      if (channel_name !== `presence-chat.${hospital.chatId}`) throw refuse.forbidden();
      const channel_data = JSON.stringify({ user_id: id, user_info: { name, title: memberships[0]?.title ?? null } });
      return { auth: reverb.signature(socket_id, channel_name, channel_data), channel_data };
    }),
  ];
}

/** What Laravel broadcasts of a stored message: to the chat, and to Ana's own channel. */
export function broadcastMessage(
  hospital: Hospital,
  reverb: Reverb,
  message: ReplyOf<typeof sendMessage>,
  exceptSocketId = '',
): void {
  reverb.broadcast(`presence-chat.${hospital.chatId}`, 'App\\Events\\MessageSent', { message }, exceptSocketId);
  const { id, facility_id, head_seq, version, last_message } = hospital.chat();
  const changed = { chat_id: id, facility_id, head_seq, version, last_message };
  reverb.broadcast(`private-App.Models.User.${hospital.user.id}`, 'App\\Events\\ChatChanged', changed);
}

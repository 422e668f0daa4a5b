import { CHAT_STATES, type Chat, type ParticipantAccess } from '@wardline/contract/chat/chat.ts';
import { describe, expect, test } from 'vitest';
import type { Actor } from '#/platform/http/actor.ts';
import { can } from '#/platform/http/authorization/authorize.ts';
import {
  type ChatContext,
  createChatIn,
  manageChat,
  readChat,
  removeFromChat,
  seeChatsOf,
  writeMessage,
} from './policy.ts';

const HERE = 'facility-a';
const ACCESSES: readonly ParticipantAccess[] = ['read', 'write', 'manage'];

function actor({ userId = 'ana', at = HERE, permissions = [] as string[] } = {}): Actor {
  const membership = {
    id: 'm',
    facilityId: at,
    facilityName: at,
    title: null,
    roles: [],
    permissions: new Set(permissions),
  };
  const credential = { kind: 'session', key: '', abilities: ['*'] } as const;
  return {
    userId,
    name: userId,
    email: '',
    emailVerifiedAt: null,
    isOperator: true,
    avatarKey: null,
    memberships: [membership],
    credential,
  };
}

function chat(
  access: ParticipantAccess,
  state: ChatContext['state'] = 'open',
): ChatContext & { kind: Chat['kind']; isEmergency: boolean } {
  return { facilityId: HERE, kind: 'group', state, isEmergency: false, participant: { userId: 'ana', access } };
}

describe('who may do what in a chat', () => {
  test.each(ACCESSES)(
    'A16 a participant with %s access reads; somebody else, or a member of another place, does not',
    (access) => {
      expect(can(actor(), readChat, chat(access))).toBe(true);
      expect(can(actor({ userId: 'leila' }), readChat, chat(access))).toBe(false);
      expect(can(actor({ at: 'facility-b' }), readChat, chat(access))).toBe(false);
    },
  );

  test('CHAT-7 writing needs the access and a chat that still goes on', () => {
    const allowed = ACCESSES.flatMap((access) =>
      CHAT_STATES.filter((state) => can(actor(), writeMessage, chat(access, state))).map(
        (state) => `${access} ${state}`,
      ),
    );
    expect(allowed).toEqual(['write open', 'write handed_over', 'manage open', 'manage handed_over']);
  });

  test('managing is given in the chat, or by chats.manage to somebody who is in it', () => {
    expect(ACCESSES.filter((access) => can(actor(), manageChat, chat(access)))).toEqual(['manage']);
    expect(can(actor({ permissions: ['chats.manage'] }), manageChat, chat('read'))).toBe(true);
    expect(can(actor({ userId: 'leila', permissions: ['chats.manage'] }), manageChat, chat('read'))).toBe(false);
    expect(can(actor({ at: 'facility-b', permissions: ['chats.manage'] }), manageChat, chat('manage'))).toBe(false);
  });

  test('PERM-4 who opened a chat in an emergency reads and writes, and decides about nobody in it', () => {
    const opened = { ...chat('manage'), isEmergency: true };
    const anyone = actor({ permissions: ['chats.manage'] });
    expect(can(anyone, writeMessage, opened)).toBe(true);
    expect(can(anyone, manageChat, opened)).toBe(false);
    expect(can(anyone, removeFromChat, { chat: opened, userId: 'leila' })).toBe(false);
    expect(can(anyone, removeFromChat, { chat: opened, userId: 'ana' })).toBe(true);
  });

  test('everybody may leave; only who manages may remove another', () => {
    expect(can(actor(), removeFromChat, { chat: chat('read'), userId: 'ana' })).toBe(true);
    expect(can(actor(), removeFromChat, { chat: chat('write'), userId: 'leila' })).toBe(false);
    expect(can(actor(), removeFromChat, { chat: chat('manage'), userId: 'leila' })).toBe(true);
  });

  test('CHAT-17 a direct chat stays with its two: nobody manages it, and nobody leaves it', () => {
    const direct = { ...chat('manage'), kind: 'direct' } as const;
    const anyone = actor({ permissions: ['chats.manage'] });
    expect(can(anyone, manageChat, direct)).toBe(false);
    expect(can(anyone, removeFromChat, { chat: direct, userId: 'ana' })).toBe(false);
    expect(can(anyone, removeFromChat, { chat: direct, userId: 'leila' })).toBe(false);
    expect(can(anyone, writeMessage, direct)).toBe(true);
  });

  test('a facility is for its members, and a new chat for those with chats.create; being an operator gives neither', () => {
    expect(can(actor(), seeChatsOf, { facilityId: 'facility-b' })).toBe(false);
    expect(can(actor(), createChatIn, { facilityId: HERE })).toBe(false);
    expect(can(actor({ permissions: ['chats.create'] }), createChatIn, { facilityId: HERE })).toBe(true);
    expect(can(actor({ permissions: ['chats.create'] }), createChatIn, { facilityId: 'facility-b' })).toBe(false);
  });
});

import type { AskedUrgent, Chat, Message } from '@wardline/contract/chat/chat.ts';
import { createChat } from '#/features/chat/chats/create-chat.ts';
import { createMessageGroup } from '#/features/chat/messages/message-group.ts';
import { type SendMessageDeps, sendMessage } from '#/features/chat/messages/send-message.ts';
import type { Ringing } from '#/features/chat/urgent/who-to-call.ts';
import type { Database } from '#/platform/db/database.ts';
import type { Actor } from '#/platform/http/actor.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import { createNoteReads } from '#/platform/http/note-reads.ts';
import type { Publication } from '#/platform/http/publish.ts';
import { createWrite } from '#/platform/http/writes/write.ts';
import { createLog } from '#/platform/log.ts';
import { newId } from '#/platform/new-id.ts';
import { actorOf } from '#/testing/actor-of.ts';
import { type MadeFacility, makeFacility, makeMembership } from '#/testing/factories/facilities.ts';
import { type MadeUser, makeUser } from '#/testing/factories/users.ts';
import { testDatabase } from '#/testing/test-database.ts';

export interface Person extends MadeUser, SendMessageDeps {
  /** A request of this person, with what they are now read from the database as for every request. */
  ask(): Promise<RequestContext>;
}

export interface Ward {
  readonly db: Database;
  readonly connectionString: string;
  readonly facility: MadeFacility;
  /** Everything that was published, oldest first. */
  readonly published: Publication[];
  /** Whose devices were told of urgent messages, oldest first. */
  readonly rung: Ringing[];
  person(name?: string, facility?: MadeFacility | null): Promise<Person>;
  otherFacility(): Promise<MadeFacility>;
  endMembership(person: Person): Promise<void>;
  close(): Promise<void>;
}

const log = createLog('silent');

/** A facility over a database of its own, whose people call the verbs as the binder would. */
export async function openChatFixture(poolSize = 12): Promise<Ward> {
  const { db, connectionString, close } = await testDatabase(poolSize);
  const facility = await makeFacility(db, { name: 'St. Brigid General' });
  const published: Publication[] = [];
  const publish = (publications: readonly Publication[]) => void published.push(...publications);
  const rung: Ringing[] = [];
  const sending: SendMessageDeps = {
    group: createMessageGroup(db),
    ring: async (_tx, called) => void rung.push(called),
    // Examinations stand beside chats, and none beside these.
    cite: async () => [],
  };
  return {
    db,
    connectionString,
    facility,
    published,
    rung,
    close,
    otherFacility: () => makeFacility(db),
    async person(name, place = facility) {
      const user = await makeUser(db, name === undefined ? {} : { name });
      if (place) await makeMembership(db, { userId: user.id, facility: place, roles: ['clinician'], title: 'Nurse' });
      return { ...user, ...sending, ask: async () => contextOf({ db, actor: await actorOf(db, user), publish }) };
    },
    async endMembership({ id }) {
      await db.updateTable('memberships').set({ ended_at: new Date() }).where('user_id', '=', id).execute();
    },
  };
}

function contextOf({
  db,
  actor,
  publish,
}: {
  db: Database;
  actor: Actor;
  publish: (publications: readonly Publication[]) => void;
}): RequestContext {
  const http = {
    requestId: newId(),
    ip: '127.0.0.1',
    isFromHere: false,
    userAgent: null,
    socketId: null,
    sessionId: null,
    startSession: () => undefined,
    startGuestSession: () => undefined,
    followedLink: null,
    noteFollowedLink: () => undefined,
    device: null,
    noteDevice: () => undefined,
    noteQuota: () => undefined,
    noteHeaders: () => undefined,
    isGone: () => false,
  };
  const context = { actor, db, http, log };
  const notes = createNoteReads(db, log);
  return {
    ...context,
    write: createWrite(context, publish),
    noteReads: (action, subjects) => notes({ actor, http }, action, subjects),
  };
}

/** A group chat that `maker` opened with `others`. Its first message is the system line. */
export async function openChat(ward: Ward, maker: Person, others: readonly Person[] = []): Promise<Chat> {
  return createChat(await maker.ask(), {
    params: { facility: ward.facility.id },
    query: {},
    body: { client_id: newId(), kind: 'group', title: 'Night team', participant_ids: others.map(({ id }) => id) },
  });
}

export interface Said {
  readonly body?: string;
  readonly client_id?: string;
  readonly reply_to?: string | null;
  readonly urgent?: AskedUrgent;
}

export async function say(person: Person, chat: { id: string }, said: Said = {}): Promise<Message> {
  const { body = 'Bed 9 is clean.', client_id = newId(), reply_to, urgent } = said;
  return sendMessage(person)(await person.ask(), {
    params: { chat: chat.id },
    query: {},
    body: { client_id, body, ...(reply_to !== undefined && { reply_to }), ...(urgent && { urgent }) },
  });
}

/** The code and status of a refusal; 'none' when there was no refusal. */
export async function refusalOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: unknown) => {
      const { status, code } = error as { status?: number; code?: string };
      return status === undefined ? Promise.reject(error) : `${status} ${code}`;
    },
  );
}

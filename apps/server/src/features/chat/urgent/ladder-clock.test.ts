import type { Chat, Message } from '@wardline/contract/chat/chat.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { raiseMarkers } from '#/features/chat/messages/raise-markers.ts';
import { openChat, openChatFixture, type Person, say, type Ward } from '#/features/chat/testing/chat-fixture.ts';
import { createDatabase } from '#/platform/db/database.ts';
import { createEscalationClock, type EscalationClock, type TakeStep } from '#/platform/escalation/escalation-clock.ts';
import { makeGate } from '#/platform/jobs/testing/queue.ts';
import { createLog } from '#/platform/log.ts';
import { untilBlocked } from '#/testing/until-blocked.ts';
import { acceptUrgent } from './act-on-urgent.ts';
import { createTakeUrgentStep } from './take-step.ts';

const log = createLog('silent');
const MINUTE_MS = 60_000;

let ward: Ward;
let owen: Person;
let mira: Person;
let chat: Chat;

beforeAll(async () => {
  ward = await openChatFixture();
  owen = await ward.person('Owen Clarke');
  mira = await ward.person('Mira Okafor');
});
afterAll(() => ward.close());
beforeEach(async () => {
  await ward.db.updateTable('escalations').set({ due_at: null }).execute();
  chat = await openChat(ward, owen, [mira]);
});

/** A server's clock, as it is started anew. */
function newClock(db = ward.db, message: TakeStep = createTakeUrgentStep(owen)): EscalationClock {
  return createEscalationClock({ db, log, publish: (told) => void ward.published.push(...told), steps: { message } });
}

function sendUrgent(): Promise<Message> {
  return say(owen, chat, { body: 'K 6.9', urgent: { targets: { people: [mira.id], role_id: null } } });
}

const at = ({ created_at }: Message, minutes: number) => new Date(Date.parse(created_at) + minutes * MINUTE_MS + 1_000);

async function kindsOf({ id }: Message): Promise<string[]> {
  const rows = await ward.db
    .selectFrom('escalation_entries as t')
    .innerJoin('escalations as e', 'e.id', 't.escalation_id')
    .select('t.kind')
    .where('e.subject_id', '=', id)
    .orderBy('t.place')
    .execute();
  return rows.map(({ kind }) => kind);
}

describe('the clock of escalations', () => {
  it('URG-1 a server that is stopped and another that is started between all steps go on with the ladder', async () => {
    const message = await sendUrgent();
    for (const minutes of [5, 10, 15, 20, 25]) {
      const clock = newClock();
      await clock.runDue(at(message, minutes));
      await clock.stop();
      expect(await clock.runDue(at(message, 90))).toBe(0);
    }
    expect(await kindsOf(message)).toEqual(['sent', 'repeated', 'climbed', 'climbed', 'exhausted']);
    const ofMira = { chatId: chat.id, seq: message.seq, userIds: [mira.id] };
    expect(ward.rung).toEqual([ofMira, ofMira, ofMira, ofMira, { ...ofMira, userIds: [] }]);
  });

  it('URG-1 servers that look at the same time do each step once', async () => {
    const messages = await Promise.all(Array.from({ length: 12 }, sendUrgent));
    const clocks = [newClock(), newClock(), newClock()];
    const now = at(messages[0] as Message, 5.5);
    const taken = await Promise.all(clocks.map((clock) => clock.runDue(now)));
    expect(taken.reduce((sum, one) => sum + one)).toBe(12);
    for (const message of messages) expect(await kindsOf(message)).toEqual(['sent', 'repeated']);
  });

  it('URG-1 a server that dies in the middle of a step leaves it as it was: another passes it over, then does it', async () => {
    const message = await sendUrgent();
    const doomed = createDatabase(ward.connectionString, log, { poolSize: 2 });
    const [inMiddle, afterwards] = [makeGate(), makeGate()];
    let backend = 0;
    const hangs: TakeStep = async (tx, ...step) => {
      await createTakeUrgentStep(owen)(tx, ...step);
      backend = (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)).rows[0]?.pid ?? 0;
      inMiddle.open();
      await afterwards.opened;
      throw new Error('its server is dead');
    };
    const dying = newClock(doomed, hangs).runDue(at(message, 5));
    await inMiddle.opened;
    ward.published.length = 0;
    expect(await newClock().runDue(at(message, 5))).toBe(0);
    await sql`select pg_terminate_backend(${backend})`.execute(ward.db);
    // The row is free as soon as the dead one's transaction is over.
    await sql`select from escalations where subject_id = ${message.id} for update`.execute(ward.db);
    expect(await newClock().runDue(at(message, 5))).toBe(1);
    expect(await kindsOf(message)).toEqual(['sent', 'repeated']);
    expect(ward.published.filter(({ event }) => event === 'App\\Events\\UrgentCalled')).toHaveLength(1);
    afterwards.open();
    await dying;
    expect(await kindsOf(message)).toEqual(['sent', 'repeated']);
    await doomed.destroy();
  });

  it('URG-1 markers wait for the escalation without holding what an answer of the same person needs', async () => {
    const message = await sendUrgent();
    const raising = await ward.db.transaction().execute(async (tx) => {
      await sql`select from escalations where subject_id = ${message.id} for update`.execute(tx);
      const body = { read_seq: message.seq };
      const raise = raiseMarkers(await mira.ask(), { params: { chat: chat.id }, query: {}, body });
      await untilBlocked(ward.db, raise);
      const mine = sql`chat_id = ${chat.id} and user_id = ${mira.id}`;
      await sql`select from chat_participants where ${mine} for update nowait`.execute(tx);
      return [raise] as const;
    });
    expect(await raising[0]).toMatchObject({ read_seq: message.seq });
  });

  it('URG-1 a step and an answer that meet wait for each other, and who has accepted is called no more', async () => {
    const message = await sendUrgent();
    const params = { chat: chat.id, message: message.id };
    const both = await ward.db.transaction().execute(async (tx) => {
      await sql`select from chats where id = ${chat.id} for no key update`.execute(tx);
      const step = newClock().runDue(at(message, 5));
      await untilBlocked(ward.db, step);
      return [step, acceptUrgent(await mira.ask(), { params, query: {}, body: {} })] as const;
    });
    await Promise.all(both);
    expect(await kindsOf(message)).toEqual(['sent', 'repeated', 'accepted']);
    expect(await newClock().runDue(at(message, 10))).toBe(0);
  });
});

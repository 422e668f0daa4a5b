import type { Chat, Message } from '@wardline/contract/chat/chat.ts';
import type { AskedRule } from '@wardline/contract/chat/records.ts';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { startDueRetention } from '#/features/chat/records/run-retention.ts';
import { createLog } from '#/platform/log.ts';
import { newId } from '#/platform/new-id.ts';
import { type MadeFacility, makeFacility } from '#/testing/factories/facilities.ts';
import { type SignedInMember, signedInMember } from '#/testing/signed-in-member.ts';
import { startTestServer, type TestServer } from '#/testing/test-server.ts';

const KEEP: readonly AskedRule[] = (['case', 'group', 'direct', 'announcement'] as const).map((kind) => ({
  ...{ kind, mode: 'keep', days: null },
}));

export interface RecordsFixture {
  readonly server: TestServer;
  readonly facility: MadeFacility;
  readonly ana: SignedInMember;
  readonly leila: SignedInMember;
  /** Answers for the record, and is in none of the chats. */
  readonly rhea: SignedInMember;
  open(more?: object): Promise<Chat>;
  say(who: SignedInMember, chat: { id: string }, more?: object): Promise<Message>;
  read(chat: { id: string }, who?: SignedInMember): Promise<Message[]>;
  /** Says how long messages are kept, all else for ever, and lets the day pass for which a rule waits. */
  keep(...rules: readonly AskedRule[]): Promise<void>;
  /** So many days go by in a chat. */
  age(chat: { id: string }, days: number): Promise<void>;
  /** The night has come, and all that it begins is done. */
  night(): Promise<void>;
}

/** A facility with a server of its own, whose nights come when a test says so. */
export async function openRecordsFixture(): Promise<RecordsFixture> {
  const server = await startTestServer();
  const { db } = server;
  const facility = await makeFacility(db, { name: 'St. Brigid General', timeZone: 'Europe/Dublin' });
  const [ana, leila] = [await member('Ana Reyes'), await member('Leila Haddad')];
  const rhea = await member('Rhea Cole', ['facilityAdministrator']);
  const path = `/api/facilities/${facility.id}`;

  function member(name: string, roles: Parameters<typeof signedInMember>[1]['roles'] = ['clinician']) {
    return signedInMember(server, { facility, name, ...(roles && { roles }) });
  }
  const sent = async (who: SignedInMember, url: string, body: object) => {
    const answer = await who.client.send('POST', url, { body });
    expect(answer.statusCode, answer.body).toBe(201);
    return answer.json();
  };
  return {
    ...{ server, facility, ana, leila, rhea },
    open: (more = {}) =>
      sent(ana, `${path}/chats`, {
        ...{ client_id: newId(), kind: 'group', title: 'Night team', participant_ids: [leila.id] },
        ...more,
      }),
    say: (who, chat, more = {}) =>
      sent(who, `/api/chats/${chat.id}/messages`, { client_id: newId(), body: 'Bed 9 is clean.', ...more }),
    async read(chat, who = ana) {
      return (await who.client.send('GET', `/api/chats/${chat.id}/messages?limit=200`)).json().data;
    },
    async keep(...rules) {
      const { version } = (await rhea.client.send('GET', `${path}/retention`)).json();
      const body = {
        expected_version: version,
        rules: KEEP.map((rule) => rules.find(({ kind }) => kind === rule.kind) ?? rule),
      };
      const answer = await rhea.client.send('PUT', `${path}/retention`, { body });
      expect(answer.statusCode, answer.body).toBe(200);
      await db
        .updateTable('retention_rules')
        .set({ effective_at: new Date(0) })
        .execute();
    },
    async age(chat, days) {
      const earlier = sql<Date>`created_at - make_interval(days => ${days})`;
      await db.updateTable('messages').set({ created_at: earlier }).where('chat_id', '=', chat.id).execute();
    },
    async night() {
      await db.updateTable('retention_policies').set({ next_run_at: sql`now()` }).execute();
      await startDueRetention({ db, log: createLog('silent') });
      await server.runJobs();
    },
  };
}

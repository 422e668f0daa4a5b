import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { SERVER_USER } from '#/platform/http/server-actor.ts';
import type { ChatContext, MessageOptions } from '#/testing/factories/chats.ts';
import { type MadeFacility, makeFacility, makeMembership, makeUnit } from '#/testing/factories/facilities.ts';
import { makeUser } from '#/testing/factories/users.ts';
import { seedCallCounts } from './call-counts.ts';
import { seedCensus } from './census/demo-census.ts';
import { harbour } from './chats/harbour.ts';
import { medicalCases } from './chats/medical-cases.ts';
import { otherCases } from './chats/other-cases.ts';
import { teams } from './chats/teams.ts';
import { makeDemoChat } from './examinations/make-demo-chat.ts';
import { seedOnCall } from './on-call.ts';
import { idOf, type PersonKey, peopleEntries } from './people.ts';
import { createRandom } from './random.ts';
import { instantsBefore } from './rhythm.ts';
import { type ChatScript, linesOf } from './seed-chat.ts';
import { seedUnitMessages, WARD_TALKERS } from './unit-messages.ts';

export interface DemoOptions {
  readonly password: string;
  /** As the server that will check it does. */
  readonly hashPassword: (password: string) => Promise<string>;
  /** When the newest message was sent; now unless a test says otherwise. */
  readonly now?: Date;
  /** Fewer for the upgrade fixture, which is kept in the repository. */
  readonly longChatMessages?: number;
  /** Fewer for the upgrade fixture, as above. */
  readonly censusDays?: number;
}

export interface DemoSummary {
  readonly facilities: number;
  readonly units: number;
  readonly people: number;
  readonly chats: number;
  readonly messages: number;
}

const TIME_ZONE = 'Europe/Dublin';
const LONG_CHAT_MESSAGES = 20_000;
const LONG_CHAT_DAYS = 70;
const CENSUS_DAYS = 730;
const BRIGID_UNITS = ['MED 3A', 'SUR 2B', 'ICU', 'MAT', 'NUR', 'PED', 'ONC', 'ED'];
const HARBOUR_UNITS = ['C', 'DAY'];
const UNIT_NAMES: Readonly<Record<string, string>> = {
  'MED 3A': 'Medical ward 3A',
  'SUR 2B': 'Surgical ward 2B',
  ICU: 'Intensive care unit',
  MAT: 'Maternity',
  NUR: 'Nursery',
  PED: 'Paediatrics',
  ONC: 'Oncology',
  ED: 'Emergency department',
  C: 'Ward C',
  DAY: 'Day unit',
};
const UNIT_KINDS: Readonly<Record<string, string>> = {
  'SUR 2B': 'Surgical',
  ICU: 'Intensive care',
  MAT: 'Maternity',
  NUR: 'Neonatal',
  ED: 'Emergency',
  DAY: 'Day',
};
const CHAT_SCRIPTS: readonly ChatScript[] = [...medicalCases, ...otherCases, ...teams, ...harbour];

/** True while nobody has an account: only such a database may become the demo hospital. */
export async function isEmpty(db: Database): Promise<boolean> {
  const people = db.selectFrom('users').select('id').where('id', '<>', SERVER_USER.id);
  const somebody = await people.limit(1).executeTakeFirst();
  return somebody === undefined;
}

/** Two facilities, their people, weeks of what they said and two years of their census. All of it, or nothing. */
export async function seedDemo(db: Database, options: DemoOptions): Promise<DemoSummary> {
  if (!(await isEmpty(db))) throw new Error('The demo hospital is only loaded into an empty database.');
  const passwordHash = await options.hashPassword(options.password);
  const now = options.now ?? new Date();
  return db.transaction().execute(async (tx) => {
    // Thousands of rows at once: a slow machine takes longer than a request may.
    await sql`set local statement_timeout = 0`.execute(tx);
    // Somebody administers it: nobody else may begin with it.
    await tx.updateTable('installation').set({ set_up_at: now, set_up_token_hash: null }).execute();
    const facilities = {
      brigid: await makeFacility(tx, { name: 'St. Brigid General', code: 'SB', timeZone: TIME_ZONE }),
      harbour: await makeFacility(tx, { name: 'Harbour District Clinic', code: 'HD', timeZone: TIME_ZONE }),
    };
    await makeUnits(tx, facilities.brigid, BRIGID_UNITS);
    await makeUnits(tx, facilities.harbour, HARBOUR_UNITS);
    const ids = await makePeople(tx, { facilities, passwordHash, now });
    await seedOnCall(tx, { facilities, ids, now });
    await seedCallCounts(tx, { facility: facilities.brigid, timeZone: TIME_ZONE, now });
    const chats = [
      ...CHAT_SCRIPTS.map((script) => chatOf(script, { facilities, ids, now })),
      longChat({ facilities, ids, now }, options.longChatMessages ?? LONG_CHAT_MESSAGES),
    ];
    let lines = 0;
    for (const chat of chats) lines += await makeDemoChat(tx, { chat, ids, now });
    const discussions = await seedCensus(tx, { facilities, ids, now, days: options.censusDays ?? CENSUS_DAYS });
    return {
      facilities: 2,
      units: BRIGID_UNITS.length + HARBOUR_UNITS.length,
      people: peopleEntries.length,
      chats: chats.length + discussions.length,
      messages: discussions.reduce((sum, { headSeq }) => sum + headSeq, lines),
    };
  });
}

async function makeUnits(tx: DatabaseTransaction, facility: MadeFacility, codes: readonly string[]): Promise<void> {
  for (const [position, code] of codes.entries()) {
    await makeUnit(tx, {
      facilityId: facility.id,
      name: UNIT_NAMES[code] ?? code,
      code,
      kind: UNIT_KINDS[code] ?? 'Ward',
      position,
    });
  }
}

interface Cast {
  readonly facilities: Readonly<Record<'brigid' | 'harbour', MadeFacility>>;
  readonly ids: ReadonlyMap<PersonKey, string>;
  readonly now: Date;
}

async function makePeople(
  tx: DatabaseTransaction,
  { facilities, passwordHash, now }: Pick<Cast, 'facilities' | 'now'> & { passwordHash: string },
): Promise<Map<PersonKey, string>> {
  const ids = new Map<PersonKey, string>();
  for (const [key, person] of peopleEntries) {
    const { id } = await makeUser(tx, {
      name: person.name,
      email: `${person.mailbox}@demo.test`,
      passwordHash,
      emailVerifiedAt: now,
      isOperator: person.isOperator ?? false,
      isDemo: true,
    });
    ids.set(key, id);
    for (const at of ['brigid', 'harbour'] as const) {
      const place = person[at];
      if (place)
        await makeMembership(tx, { userId: id, facility: facilities[at], roles: place.roles, title: place.title });
    }
  }
  return ids;
}

function chatOf(script: ChatScript, { facilities, ids, now }: Cast): ChatContext {
  const lines = linesOf(script);
  const minutes = lines.reduce((sum, line) => sum + line.gapMinutes, 0);
  let at = now.getTime() - (script.endsMinutesAgo + minutes) * 60_000;
  const messages = lines.map((line): MessageOptions => {
    at += line.gapMinutes * 60_000;
    return { senderId: idOf(ids, line.by), body: line.body, kind: line.kind, at: new Date(at) };
  });
  const { kind, title, patient, state, people, readers = [], unread = {} } = script;
  return {
    facilityId: facilities[script.at].id,
    kind,
    title,
    ...(patient && { patient }),
    ...(state && { state }),
    participants: people.map((key, index) => ({
      userId: idOf(ids, key),
      access: readers.includes(key) ? 'read' : index === 0 ? 'manage' : 'write',
      readSeq: messages.length - (unread[key] ?? 0),
    })),
    messages,
  };
}

/** The one chat that is long enough to show how a long one behaves. */
function longChat({ facilities, ids, now }: Cast, count: number): ChatContext {
  const random = createRandom(20_261_120);
  const end = new Date(now.getTime() - 4 * 60_000);
  const instants = instantsBefore(end, {
    count,
    days: LONG_CHAT_DAYS,
    timeZone: TIME_ZONE,
    random,
  });
  const talk = seedUnitMessages(random);
  const messages = instants.map((at, index): MessageOptions => {
    if (index === 0) return { senderId: idOf(ids, 'owen'), body: 'created the chat', kind: 'system', at };
    const { by, body } = talk.next().value;
    return { senderId: idOf(ids, by), body, at };
  });
  const people: readonly PersonKey[] = ['owen', ...WARD_TALKERS.filter((key) => key !== 'owen'), 'ruth', 'marit'];
  const unread: Partial<Record<PersonKey, number>> = { ana: 37, mira: 240, ruth: 12, marit: 900 };
  return {
    facilityId: facilities.brigid.id,
    kind: 'group',
    title: 'Ward coordination',
    participants: people.map((key) => ({ userId: idOf(ids, key), readSeq: messages.length - (unread[key] ?? 0) })),
    messages,
  };
}

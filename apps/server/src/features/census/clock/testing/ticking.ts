import type { Population } from '@wardline/contract/census/census.ts';
import { sql } from 'kysely';
import { tick } from '#/features/census/clock/clock.ts';
import type { CensusDeps } from '#/features/census/core/deps.ts';
import type { CensusFixture, FixtureUnit, Place } from '#/features/census/reports/testing/census-fixture.ts';
import { sayInDiscussion } from '#/features/chat/messages/say-in-discussion.ts';
import { asSystem } from '#/platform/db/stated-actor.ts';
import type { Publication } from '#/platform/http/publish.ts';
import { createLog } from '#/platform/log.ts';

export interface Ticking {
  /** Everything that was published, the oldest first. */
  readonly published: Publication[];
  readonly deps: CensusDeps;
  /** What one process does at an instant. */
  at(instant: string, deps?: CensusDeps): Promise<void>;
}

/** The clock of a server over the ward's database, whose hands are set by the test. */
export function ticking({ server }: { readonly server: Pick<CensusFixture['server'], 'walled'> }): Ticking {
  const published: Publication[] = [];
  const deps: CensusDeps = {
    db: server.walled,
    log: createLog('silent'),
    discussions: { say: sayInDiscussion },
    publish: (publications) => void published.push(...publications),
    feedSecret: Buffer.alloc(32),
    receiveResults: () => Promise.reject(new Error('no laboratory here')),
    mailer: { description: 'nowhere', send: async () => {} },
    publicUrl: () => 'https://ward.test',
    productName: 'Wardline',
  };
  return { published, deps, at: (instant, other = deps) => asSystem('clock', () => tick(other, new Date(instant))) };
}

export interface SaidLine {
  readonly title: string;
  readonly sender: string;
  readonly body: string;
}

/** What stands in the chats of a facility, the oldest first. */
export async function linesIn({ server }: CensusFixture, { facility }: Place): Promise<SaidLine[]> {
  const found = await sql<SaidLine>`
    select c.title, u.name as sender, m.body from messages m
    join chats c on c.id = m.chat_id join users u on u.id = m.sender_id
    where c.facility_id = ${facility.id} order by m.created_at, c.title, m.seq`.execute(server.db);
  return found.rows;
}

export async function daysOf({ server }: CensusFixture, { facilityNo }: Place) {
  return server.db
    .selectFrom('facility_days')
    .select(['census_date', 'census_at', 'due_at', 'units_expected', 'utc_offset_minutes', 'status'])
    .where('facility_no', '=', facilityNo)
    .orderBy('census_date')
    .execute();
}

/** The alerts of a facility: what each says, and whether it still holds. */
export async function alertsOf({ server }: CensusFixture, { facilityNo }: Place): Promise<string[]> {
  const rows = await server.db
    .selectFrom('census_alerts')
    .select(['message', 'cleared_at'])
    .where('facility_no', '=', facilityNo)
    .orderBy('raised_at')
    .orderBy('id')
    .execute();
  return rows.map(({ message, cleared_at }) => (cleared_at ? `${message} (cleared)` : message));
}

/** A count beside the census hour. */
export async function snapshot(
  { server }: CensusFixture,
  { facilityNo }: Place,
  options: { unit: FixtureUnit; population?: Population; at: string; occupied: number; staffed: number; by: string },
): Promise<void> {
  await sql`
    insert into census_snapshots (id, facility_no, unit_no, population, taken_at, occupied, blocked, staffed, taken_by)
    values (gen_random_uuid(), ${facilityNo}, ${options.unit.no}, ${options.population ?? 'adult_and_child'}, ${options.at},
      ${options.occupied}, 0, ${options.staffed}, ${options.by})`.execute(server.db);
}

import { hourIn } from '@wardline/format/clocks.ts';
import { dateIn } from '@wardline/format/zone.ts';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import type { MadeFacility } from '#/testing/factories/facilities.ts';
import { createRandom } from './random.ts';
import { instantsBefore } from './rhythm.ts';

const DAYS = 60;

/** Calls over these days of everybody with a role. The house supervisors are too few to be told of (CHAT-23). */
const CALLS = [
  { role: 'clinician', silent: 5200, aloud: 2600, urgent: 190, answerS: 150 },
  { role: 'chargeNurse', silent: 2400, aloud: 1500, urgent: 120, answerS: 95 },
  { role: 'houseSupervisor', silent: 300, aloud: 160, urgent: 12, answerS: 200 },
] as const;
const KINDS = ['silent', 'aloud', 'urgent'] as const;

interface Called {
  readonly facility: MadeFacility;
  readonly timeZone: string;
  readonly now: Date;
}

/** How often the people of a facility were called by notifications and urgent messages, and how fast they answered those. */
export async function seedCallCounts(tx: DatabaseTransaction, { facility, timeZone, now }: Called): Promise<void> {
  const random = createRandom(2311);
  const hoursOf = (count: number) =>
    instantsBefore(now, { count, days: DAYS, timeZone, random }).map((at) => ({
      day: dateIn(timeZone, at.getTime()),
      hour: hourIn(timeZone, at.getTime()),
    }));
  for (const { role, answerS, ...counts } of CALLS) {
    const of = { facility_id: facility.id, role_id: facility.roles[role] };
    for (const kind of KINDS) {
      await sql`insert into call_counts (facility_id, role_id, kind, day, hour, calls)
        select ${of.facility_id}::uuid, ${of.role_id}::uuid, ${kind}, day, hour, count(*)
        from json_to_recordset(${JSON.stringify(hoursOf(counts[kind]))}::json) as at (day date, hour smallint)
        group by day, hour`.execute(tx);
    }
    // Some are not acknowledged; of the others a few take long.
    const answers = hoursOf(Math.floor(counts.urgent * 0.93)).map((at) => ({
      ...{ ...of, ...at },
      seconds: Math.round(answerS * (0.2 + random.next() ** 3 * 5)),
    }));
    await tx.insertInto('urgent_answers').values(answers).execute();
  }
}

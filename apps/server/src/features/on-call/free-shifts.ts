import { Id } from '@wardline/contract/values.ts';
import { counted } from '@wardline/format/counts.ts';
import { formatList } from '@wardline/format/names.ts';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import { enqueueJob, type JobHandler } from '#/platform/jobs/jobs.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';

export const FREED_JOB = 'on_call.freed_mail';

const Freed = z.object({ planner_id: Id, user_id: Id, facility_id: Id, role_ids: z.array(Id), shifts: z.int() });

const freedRows = typedRows<z.infer<typeof Freed>>({
  planner_id: 'string',
  user_id: 'string',
  facility_id: 'string',
  role_ids: 'array',
  shifts: 'number',
});

/**
 * Before somebody's account ends: has everybody mailed who plans where they are on call, now or later. The database itself ends
 * the shifts with the memberships.
 */
export async function tellPlanners(tx: DatabaseTransaction, userId: string): Promise<void> {
  const query = sql`
    select m.user_id as planner_id, ${userId}::uuid as user_id, freed.facility_id, freed.role_ids, freed.shifts
    from (
      select s.facility_id, array_agg(distinct s.role_id) as role_ids, count(*)::integer as shifts
      from on_call_shifts s where s.user_id = ${userId} and s.ends_at > now() group by s.facility_id
    ) freed
    join memberships m on m.facility_id = freed.facility_id and m.ended_at is null and m.user_id <> ${userId}
    join users u on u.id = m.user_id and u.disabled_at is null
    where exists (select from membership_roles mr join roles r on r.id = mr.role_id
      where mr.membership_id = m.id and 'on_call.manage' = any(r.permissions))`;
  for (const payload of await freedRows.read(tx, query)) await enqueueJob(tx, { kind: FREED_JOB, payload });
}

interface MailDeps {
  readonly mailer: Mailer;
  readonly productName: string;
  readonly publicUrl: () => string;
}

interface FreedMail {
  readonly email: string;
  readonly person: string;
  readonly facility: string;
  readonly roles: string[];
}

const mailRows = typedRows<FreedMail>({ email: 'string', person: 'string', facility: 'string', roles: 'array' });

/** The job that mails one planner: whose shifts have nobody now, and of which roles. */
export function mailFreedShifts({ mailer, productName, publicUrl }: MailDeps): JobHandler {
  return async (payload, { db }) => {
    const { planner_id, user_id, facility_id, role_ids, shifts } = Freed.parse(payload);
    const query = sql`
      select u.email, p.name as person, f.name as facility,
        array(select r.name from on_call_roles r where r.id = any(${role_ids}::uuid[]) order by r.name) as roles
      from users u join users p on p.id = ${user_id} join facilities f on f.id = ${facility_id}
      where u.id = ${planner_id} and u.disabled_at is null`;
    const found = await mailRows.first(db, query);
    if (!found) return;
    const { email: to, person, facility, roles } = found;
    const text = [
      `${person} is no longer there. ${counted(shifts, 'on-call shift')} at ${facility} ${shifts === 1 ? 'has' : 'have'} nobody now: ${formatList(roles)}.`,
      `Plan anew: ${publicUrl()}/people`,
      productName,
    ];
    await mailer.send({ to, subject: `On-call shifts without anybody at ${facility}`, text: `${text.join('\n\n')}\n` });
  };
}

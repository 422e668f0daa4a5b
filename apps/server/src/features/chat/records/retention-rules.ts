import { CHAT_KINDS } from '@wardline/contract/chat/chat.ts';
import type * as contract from '@wardline/contract/chat/records.ts';
import type { AskedRule, Retention, RetentionRule } from '@wardline/contract/chat/records.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { type RawBuilder, sql } from 'kysely';
import { lockRetentionPolicy } from '#/features/chat/core/lock-retention-policy.ts';
import { manageRecords } from '#/features/chat/core/policy.ts';
import { requireFacility } from '#/features/chat/core/require-chat.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { inOwnFacilities } from '#/platform/db/stated-actor.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import { authorizeNow } from '#/platform/http/authorization/authorize-now.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';

type Queryable = Database | DatabaseTransaction;

/** A stranger learns of no facility (404); who answers for no record is refused (403). */
export function requireRecords(actor: Actor, facilityId: string): void {
  requireFacility(actor, facilityId);
  authorize(actor, manageRecords, { facilityId });
}

export async function getRetention(
  { actor, db }: RequestContext,
  { params }: InputOf<typeof contract.getRetention>,
): Promise<Retention> {
  requireRecords(actor, params.facility);
  return loadRetention(db, params.facility);
}

/** What rules would reach if they held now. */
export async function previewRetention(
  { actor, db }: RequestContext,
  { params, body }: InputOf<typeof contract.previewRetention>,
): Promise<ReplyOf<typeof contract.previewRetention>> {
  requireRecords(actor, params.facility);
  const kinds: ReplyOf<typeof contract.previewRetention>['kinds'] = [];
  for (const rule of body.rules) {
    const reached = await inOwnFacilities(() => countReached(db, params.facility, rule));
    kinds.push({ kind: rule.kind, ...reached });
  }
  return { kinds, held_people: await inOwnFacilities(() => countHeldPeople(db, params.facility)) };
}

/** A rule that deletes more than before waits for a day, in which somebody can take it back; a stolen session deletes nothing at once. */
export async function setRetention(
  { actor, write }: RequestContext,
  { params, body }: InputOf<typeof contract.setRetention>,
): Promise<Retention> {
  const facilityId = params.facility;
  requireRecords(actor, facilityId);
  return write('retention.set', async (tx) => {
    await lockRetentionPolicy(tx, facilityId, 'update');
    await authorizeNow(tx, actor, manageRecords, { facilityId });
    const standing = await loadRetention(tx, facilityId);
    if (standing.version !== body.expected_version) {
      throw new AppError('conflict', { message: 'Someone else changed how long messages are kept in the meantime.' });
    }
    const changed = body.rules.flatMap((rule) => {
      const before = standing.rules.find(({ kind }) => kind === rule.kind);
      return before && before.mode === rule.mode && before.days === rule.days ? [] : [{ rule, before }];
    });
    if (changed.length === 0) return { result: standing, audit: null };
    for (const { rule, before } of changed) {
      const waits = before === undefined || deletesMore(before, rule) ? sql`interval '1 day'` : sql`interval '0'`;
      await sql`
        insert into retention_rules as r (facility_id, kind, mode, days, effective_at)
        values (${facilityId}, ${rule.kind}, ${rule.mode}, ${rule.days}, now() + ${waits})
        on conflict (facility_id, kind) do update set mode = excluded.mode, days = excluded.days,
          effective_at = case when r.mode = 'keep' then excluded.effective_at else greatest(r.effective_at, excluded.effective_at) end`.execute(
        tx,
      );
    }
    await sql`
      update retention_policies set version = version + 1, updated_at = now(), next_run_at = ${nextNight(facilityId)}
      where facility_id = ${facilityId}`.execute(tx);
    return {
      result: await loadRetention(tx, facilityId),
      audit: {
        ...{ facilityId, objectType: 'facility', objectId: facilityId },
        detail: { rules: changed.map(({ rule }) => rule), before: changed.map(({ before }) => before ?? null) },
      },
    };
  });
}

function deletesMore(before: AskedRule, after: AskedRule): boolean {
  if (after.days === null) return false;
  return before.days === null || after.days < before.days || (before.mode !== 'delete' && after.mode === 'delete');
}

/** At two on the facility's clock, when the fewest write; null where nothing is deleted. */
export function nextNight(facilityId: string): RawBuilder<unknown> {
  return sql`(
    select ((now() at time zone f.time_zone)::date + 1 + time '02:00') at time zone f.time_zone from facilities f
    where f.id = ${facilityId} and exists (select from retention_rules r where r.facility_id = f.id and r.mode <> 'keep'))`;
}

interface RuleRow extends Omit<RetentionRule, 'effective_at'> {
  readonly effective_at: Date;
}
const rules = typedRows<RuleRow>({ kind: 'string', mode: 'string', days: 'number?', effective_at: 'date' });

export async function loadRetention(db: Queryable, facilityId: string): Promise<Retention> {
  const policy = await db
    .selectFrom('retention_policies')
    .select(['version', 'next_run_at'])
    .where('facility_id', '=', facilityId)
    .executeTakeFirst();
  const found: RetentionRule[] = [];
  for (const kind of CHAT_KINDS) found.push(await loadRule(db, facilityId, kind));
  return { rules: found, version: policy?.version ?? 0, next_run_at: policy?.next_run_at?.toISOString() ?? null };
}

export async function loadRule(db: Queryable, facilityId: string, kind: RetentionRule['kind']): Promise<RetentionRule> {
  const query = sql`
    select kind, mode, days, effective_at from retention_rules where facility_id = ${facilityId} and kind = ${kind}`;
  const row = await rules.first(db, query);
  if (!row) return { kind, mode: 'keep', days: null, effective_at: new Date(0).toISOString() };
  return { ...row, effective_at: row.effective_at.toISOString() };
}

/** Before which instant messages are old enough. */
export function isOlderThan(days: number): RawBuilder<unknown> {
  return sql`now() - make_interval(days => ${days})`;
}

/**
 * The chats `c` of a kind in which something is old enough. Of a patient's chat nothing goes while care goes on in it: half of what was
 * said would mislead.
 */
export function dueChats(facilityId: string, { kind, mode, days }: AskedRule & { days: number }): RawBuilder<unknown> {
  return sql`
    chats as c where c.facility_id = ${facilityId} and c.kind = ${kind}
      and ${kind === 'case' ? sql`c.state in ('closed', 'archived')` : sql`true`}
      and ${mode === 'delete_exported' ? sql`c.exported_seq > c.expired_seq` : sql`true`}
      and exists (
        select from messages m where m.chat_id = c.id and m.seq = c.expired_seq + 1 and m.created_at < ${isOlderThan(days)})`;
}

const counts = typedRows<{ chats: number; messages: number; held_chats: number; unexported_chats: number }>({
  ...{ chats: 'number', messages: 'number', held_chats: 'number', unexported_chats: 'number' },
});

async function countReached(db: Database, facilityId: string, { kind, mode, days }: AskedRule) {
  if (days === null) return { chats: 0, messages: 0, held_chats: 0, unexported_chats: 0 };
  const oldEnough = sql`coalesce(first_message_since(c.id, c.expired_seq, ${isOlderThan(days)}) - 1, c.head_seq)`;
  const found = await counts.first(
    db,
    sql`
      select count(*) filter (where not is_held and n > 0) as chats,
        coalesce(sum(n) filter (where not is_held and n > 0), 0)::bigint as messages,
        count(*) filter (where is_held) as held_chats, count(*) filter (where not is_held and n <= 0) as unexported_chats
      from (
        select is_chat_held(c) as is_held,
          ${mode === 'delete_exported' ? sql`least(${oldEnough}, c.exported_seq)` : oldEnough} - c.expired_seq as n
        from ${dueChats(facilityId, { kind, mode: 'delete', days })}
      ) old_enough`,
  );
  if (!found) throw new Error('what a rule reaches could not be counted');
  return found;
}

async function countHeldPeople(db: Database, facilityId: string): Promise<number> {
  const { count } = await db
    .selectFrom('legal_holds')
    .select(({ fn }) => fn.count<string>('user_id').distinct().as('count'))
    .where('facility_id', '=', facilityId)
    .where('lifted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

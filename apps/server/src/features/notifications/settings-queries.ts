import { isQuietNow, type QuietHours } from '@wardline/contract/chat/decide-notification.ts';
import type { NotificationSettings as Reply } from '@wardline/contract/chat/notifications.ts';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { NotificationSettings } from '#/platform/db/types.ts';
import type { Actor } from '#/platform/http/actor.ts';

type Choice = Pick<
  Selectable<NotificationSettings>,
  'routine_sound' | 'urgent_sound' | 'mail_digest' | 'quiet_from' | 'quiet_until' | 'quiet_off_call'
>;

/** What one chose, as whoever has chosen nothing has it; `s` is the table, joined from the left. */
export const choiceColumns = sql`
  coalesce(s.routine_sound, 'soft') as routine_sound, coalesce(s.urgent_sound, 'loud') as urgent_sound,
  coalesce(s.mail_digest, 'off') as mail_digest, s.quiet_from, s.quiet_until, coalesce(s.quiet_off_call, false) as quiet_off_call`;

/** The clock and the shift that quiet hours go by: at the facility `f`, of the person `user`. */
export function quietColumns(user: RawBuilder<unknown>) {
  return sql`
    to_char(now() at time zone f.time_zone, 'HH24:MI') as local_time,
    exists (
      select from on_call_shifts shift where shift.user_id = ${user} and shift.facility_id = f.id
        and shift.starts_at <= now() and shift.ends_at > now()
    ) as is_on_call`;
}

export interface ChoiceRow {
  readonly routine_sound: 'off' | 'soft' | 'loud';
  readonly urgent_sound: 'off' | 'soft' | 'loud';
  readonly mail_digest: 'off' | 'hourly' | 'daily';
  readonly quiet_from: Choice['quiet_from'];
  readonly quiet_until: Choice['quiet_until'];
  readonly quiet_off_call: Choice['quiet_off_call'];
  readonly local_time: string;
  readonly is_on_call: boolean;
}

export const CHOICE_KINDS = {
  routine_sound: 'string',
  urgent_sound: 'string',
  mail_digest: 'string',
  quiet_from: 'string?',
  quiet_until: 'string?',
  quiet_off_call: 'boolean',
  local_time: 'string',
  is_on_call: 'boolean',
} as const;

/** What the rule of notifications asks about a person. */
export function toPerson(row: ChoiceRow) {
  const hours: QuietHours = { from: row.quiet_from, until: row.quiet_until, offCall: row.quiet_off_call };
  return {
    sounds: { routine: row.routine_sound, urgent: row.urgent_sound },
    isQuiet: isQuietNow(hours, { localTime: row.local_time, isOnCall: row.is_on_call }),
  };
}

interface FacilityChoiceRow extends ChoiceRow {
  readonly facility_id: string;
}

const choices = typedRows<FacilityChoiceRow>({ facility_id: 'string', ...CHOICE_KINDS });
const ownChoice = typedRows<Omit<ChoiceRow, 'local_time' | 'is_on_call'>>({
  routine_sound: 'string',
  urgent_sound: 'string',
  mail_digest: 'string',
  quiet_from: 'string?',
  quiet_until: 'string?',
  quiet_off_call: 'boolean',
});

export async function loadSettings(db: Database | DatabaseTransaction, actor: Actor): Promise<Reply> {
  const chosen = await ownChoice.first(
    db,
    sql`select ${choiceColumns} from users u left join notification_settings s on s.user_id = u.id where u.id = ${actor.userId}`,
  );
  if (!chosen) throw new Error('somebody who asks is gone');
  const places = await choices.read(
    db,
    sql`
      select f.id as facility_id, ${choiceColumns}, ${quietColumns(sql`m.user_id`)}
      from memberships m join facilities f on f.id = m.facility_id left join notification_settings s on s.user_id = m.user_id
      where m.user_id = ${actor.userId} and m.ended_at is null order by f.id`,
  );
  const { quiet_from: from, quiet_until: until } = chosen;
  return {
    sounds: { routine: chosen.routine_sound, urgent: chosen.urgent_sound },
    mail_digest: chosen.mail_digest,
    quiet_hours: from !== null && until !== null ? { from, until } : null,
    quiet_off_call: chosen.quiet_off_call,
    quiet_facility_ids: places.filter((row) => toPerson(row).isQuiet).map((row) => row.facility_id),
    has_push: (await findOwnSubscription(db, actor)) !== undefined,
  };
}

/** The subscription of the session or token that asks. */
export async function findOwnSubscription(
  db: Database | DatabaseTransaction,
  { userId, credential }: Actor,
): Promise<string | undefined> {
  const found = await db
    .selectFrom('push_subscriptions as p')
    .leftJoin('sessions as s', 's.id', 'p.session_id')
    .leftJoin('access_tokens as t', 't.id', 'p.token_id')
    .select('p.id')
    .where('p.user_id', '=', userId)
    .where((where) => {
      const key = Buffer.from(credential.key, 'hex');
      return credential.kind === 'session' ? where('s.id_hash', '=', key) : where('t.token_hash', '=', key);
    })
    .executeTakeFirst();
  return found?.id;
}

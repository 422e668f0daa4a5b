import type { CriticalAlert, CriticalFinding, CriticalState, CriticalTimes } from '@wardline/contract/chat/critical.ts';
import { type CriticalEvent, type CriticalProgress, transition } from '@wardline/examination/critical-alert.ts';
import type { KnownPatient } from '@wardline/examination/read-back.ts';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { typedRows } from '#/platform/db/typed-rows.ts';
import type { CriticalAlerts } from '#/platform/db/types.ts';
import type { Entry, EntryKind } from '#/platform/escalation/escalation.ts';

/** A critical alert as the rules see it, with where it stands. */
export interface StoredAlert extends CriticalProgress {
  /** Of the examination that it is about, whose id and version an event tells. */
  readonly examination: { readonly id: string; readonly chatId: string; readonly version: number };
  readonly id: string;
  readonly findings: readonly CriticalFinding[];
  readonly patient: KnownPatient;
}

type Times = Pick<
  Selectable<CriticalAlerts>,
  'identified_at' | 'notified_at' | 'received_at' | 'read_back_at' | 'acted_at' | 'closed_at'
>;
interface AlertRow
  extends Times,
    Pick<
      Selectable<CriticalAlerts>,
      'id' | 'examination_id' | 'chat_id' | 'message_id' | 'report_version' | 'version'
    > {
  readonly state: CriticalState;
  readonly category: CriticalAlert['category'];
  readonly findings: readonly CriticalFinding[];
  readonly patient: KnownPatient;
  readonly title: string;
  readonly examination_version: number;
  readonly seq: number;
  readonly read_backs: CriticalAlert['read_backs'];
}
const alerts = typedRows<AlertRow>({
  ...{ id: 'string', examination_id: 'string', chat_id: 'string', message_id: 'string', report_version: 'number' },
  ...{ version: 'number', state: 'string', category: 'string', findings: 'array', patient: 'json', title: 'string' },
  ...{ examination_version: 'number', seq: 'number', read_backs: 'array' },
  ...{ identified_at: 'date', notified_at: 'date?', received_at: 'date?', read_back_at: 'date?' },
  ...{ acted_at: 'date?', closed_at: 'date?' },
});

function alertsWhere(which: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select a.id, a.examination_id, a.chat_id, a.message_id, a.report_version, a.version, a.state, a.category, a.findings, a.patient,
      a.identified_at, a.notified_at, a.received_at, a.read_back_at, a.acted_at, a.closed_at, e.version as examination_version,
      t.definition ->> 'name' as title, m.seq,
      coalesce((
        select jsonb_agg(jsonb_build_object('by', jsonb_build_object('user_id', u.id, 'name', u.name), 'is_right', r.is_right,
          'at', to_char(r.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'wrong', r.wrong) order by r.place)
        from critical_read_backs r join users u on u.id = r.user_id where r.alert_id = a.id), '[]') as read_backs
    from critical_alerts a
    join messages m on m.id = a.message_id
    join examinations e on e.id = a.examination_id
    join examination_templates t on t.id = e.template_id and t.version = e.template_version
    where ${which}`;
}

/** The alert that a message calls about; null where it calls about none. Changed under the chat's lock alone. */
export async function findAlert(db: Database | DatabaseTransaction, messageId: string): Promise<StoredAlert | null> {
  const row = await alerts.first(db, alertsWhere(sql`a.message_id = ${messageId}`));
  return row ? toStored(row) : null;
}

/** As everybody sees it who reads the message. */
export async function describeAlert(tx: DatabaseTransaction, messageId: string): Promise<CriticalAlert | null> {
  const row = await alerts.first(tx, alertsWhere(sql`a.message_id = ${messageId}`));
  return row ? toAlert(row) : null;
}

const LISTED = 20;

/** The alerts about an examination, the newest first. */
export async function listAlerts(db: Database | DatabaseTransaction, examinationId: string) {
  const newest = sql`a.examination_id = ${examinationId} order by a.id desc limit ${LISTED}`;
  const rows = await alerts.read(db, alertsWhere(newest));
  return rows.map((row) => ({ ...toAlert(row), message_id: row.message_id, seq: row.seq }));
}

interface Named {
  readonly user_id: string;
  readonly name: string;
}

/** A critical alert with everything that became of it, for a file that says so. */
export interface AlertStory extends CriticalAlert {
  readonly raisedBy: Named;
  readonly steps: readonly AlertStep[];
}

/** A line of the calling, without what somebody wrote of it: that stands in the chat, for who reads it there. */
interface AlertStep {
  readonly at: string;
  readonly kind: EntryKind;
  /** Whose act it was; null by the clock. */
  readonly by: Named | null;
  readonly called: readonly Named[];
  /** What of a read-back did not agree. */
  readonly wrong: string | null;
}

interface StepRow {
  readonly alert_id: string;
  readonly at: Date;
  readonly kind: EntryKind;
  readonly by: Named | null;
  readonly called: readonly Named[];
  readonly wrong: string | null;
  readonly raised_by: Named;
}
const steps = typedRows<StepRow>({
  ...{ alert_id: 'string', at: 'date', kind: 'string', by: 'json?', called: 'array', wrong: 'string?' },
  raised_by: 'json',
});

/** The alerts about an examination, the newest first, each with the steps of its calling in their order. */
export async function listAlertStories(
  db: Database | DatabaseTransaction,
  examinationId: string,
): Promise<AlertStory[]> {
  const alerts = await listAlerts(db, examinationId);
  const named = sql`jsonb_build_object('user_id', u.id, 'name', u.name)`;
  const rows = await steps.read(
    db,
    sql`
      select a.id as alert_id, e.at, e.kind, case when e.kind = 'misread' then e.note end as wrong,
        (select ${named} from users u where u.id = e.user_id) as by,
        coalesce((select jsonb_agg(${named} order by u.name, u.id) from users u where u.id = any(e.called)), '[]') as called,
        (select ${named} from users u where u.id = s.started_by) as raised_by
      from critical_alerts a
      join escalations s on s.subject = 'message' and s.subject_id = a.message_id
      join escalation_entries e on e.escalation_id = s.id
      where a.id = any(${alerts.map(({ id }) => id)}::uuid[])
      order by a.id, e.place`,
  );
  return alerts.flatMap((alert) => {
    const own = rows.filter(({ alert_id }) => alert_id === alert.id);
    const [first] = own;
    if (!first) return [];
    const told = own.map(({ at, kind, by, called, wrong }) => ({ at: at.toISOString(), kind, by, called, wrong }));
    return [{ ...alert, raisedBy: first.raised_by, steps: told }];
  });
}

function toStored(row: AlertRow): StoredAlert {
  const { id, examination_id, chat_id, examination_version, findings, patient } = row;
  const examination = { id: examination_id, chatId: chat_id, version: examination_version };
  return { id, examination, findings, patient, state: row.state, version: row.version, times: toTimes(row) };
}

function toAlert(row: AlertRow): CriticalAlert {
  return {
    ...{ id: row.id, examination_id: row.examination_id, title: row.title, report_version: row.report_version },
    ...{ category: row.category, state: row.state, version: row.version, findings: [...row.findings] },
    times: toTimes(row),
    read_backs: [...row.read_backs],
  };
}

function toTimes(row: Times): CriticalTimes {
  const at = (when: Date | null) => when?.toISOString() ?? null;
  return {
    identified_at: row.identified_at.toISOString(),
    ...{ notified_at: at(row.notified_at), received_at: at(row.received_at), read_back_at: at(row.read_back_at) },
    ...{ acted_at: at(row.acted_at), closed_at: at(row.closed_at) },
  };
}

/** What each line of the calling is to the alert; a line that calls nobody notifies nobody. */
const EVENTS: Readonly<Record<EntryKind, readonly CriticalEvent[]>> = {
  ...{ sent: ['notified'], repeated: ['notified'], climbed: ['escalated'], exhausted: ['exhausted'] },
  ...{ received: ['received'], misread: ['read_back_wrong'], accepted: ['read_back_right'], reminded: [] },
  // Nothing is asked of anybody after what was done: it closes with that.
  ...{ resumed: ['resumed'], acted: ['acted', 'closed'], withdrawn: ['withdrawn'] },
};

/**
 * Under the chat's lock: the alert of a message, if it has one, goes on with what its calling has come to. Null where that is nothing
 * to it. Throws where its states do not allow that: who acts is refused before.
 */
export async function followEscalation(
  tx: DatabaseTransaction,
  messageId: string,
  entry: Entry | null,
): Promise<StoredAlert['examination'] | null> {
  if (entry === null) return null;
  const alert = await findAlert(tx, messageId);
  if (alert === null) return null;
  let now: CriticalProgress = alert;
  for (const event of EVENTS[entry.kind]) {
    if ((event === 'notified' || event === 'escalated') && entry.called.length === 0) continue;
    const changed = transition(now, event, entry.at.toISOString());
    if (changed.kind === 'impossible') throw new Error(`a critical alert that is ${now.state} cannot be ${event}`);
    if (changed.kind === 'changed') now = changed.next;
  }
  if (now !== alert) await storeProgress(tx, alert.id, now);
  return alert.examination;
}

async function storeProgress(
  tx: DatabaseTransaction,
  alertId: string,
  { state, version, times: { identified_at: _begun, ...times } }: CriticalProgress,
): Promise<void> {
  await tx
    .updateTable('critical_alerts')
    .set({ state, version, ...times })
    .where('id', '=', alertId)
    .execute();
}

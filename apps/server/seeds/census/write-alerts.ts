import { findGaps, findPressure, insertAlert } from '#/features/census/alerts/active-alert-queries.ts';
import { type ActiveAlert, pressures, transferGaps } from '#/features/census/alerts/alert-rules.ts';
import { storeFacilityChat } from '#/features/census/alerts/raise-alerts.ts';
import type { DatabaseTransaction } from '#/platform/db/database.ts';
import { findPermitted } from '#/platform/http/authorization/find-permissions.ts';
import { SERVER_USER } from '#/platform/http/server-actor.ts';
import { type MadeChat, type MessageOptions, makeChat } from '#/testing/factories/chats.ts';
import { idOf } from '../people.ts';
import type { Story } from './story.ts';
import { minutesAfter, paceOf } from './timing.ts';
import type { DemoCensus } from './write-census.ts';
import type { Said } from './write-log.ts';

interface Place {
  readonly facilityId: string;
  readonly now: Date;
}

interface Alerts {
  /** The facility's own chat of its census; null where nothing was raised. */
  readonly chat: MadeChat | null;
  readonly said: readonly Said[];
}

/** The alerts that the story tells of, in their chat: each still holds, so that the clock leaves it as it is. */
export async function writeAlerts(tx: DatabaseTransaction, seed: DemoCensus, place: Place): Promise<Alerts> {
  const { story, facilityNo } = seed;
  if (story.alerts.length === 0) return { chat: null, said: [] };
  const scope = { now: place.now, facilityNo };
  const standing = [...pressures(await findPressure(tx, scope)), ...transferGaps(await findGaps(tx, scope))];
  const messages: MessageOptions[] = [];
  const said: Said[] = [];
  for (const told of story.alerts) {
    const alert = standingOf(standing, { told, seed });
    const at = timesOf(seed, { told, now: place.now });
    const id = await insertAlert(tx, facilityNo, { alert, at: at.raised });
    const raised = { senderId: SERVER_USER.id, kind: 'system', at: at.raised } as const;
    messages.push({ ...raised, body: `Alert: ${alert.message}`, act: { kind: 'census.alert', id } });
    if (told.takenBy === null) continue;
    const by = idOf(seed.ids, told.takenBy);
    const taken = { acknowledged_at: at.taken, acknowledged_by: by };
    await tx.updateTable('census_alerts').set(taken).where('id', '=', id).execute();
    messages.push({ senderId: by, kind: 'system', at: at.taken, body: `acknowledged the alert: ${alert.message}` });
    said.push({ at: at.taken, by: told.takenBy, entry: entryOf(alert, seed) });
  }
  return { chat: await writeChat(tx, seed, { ...place, messages }), said };
}

interface Told {
  readonly told: Story['alerts'][number];
}

function standingOf(standing: readonly ActiveAlert[], { told, seed }: Told & { seed: DemoCensus }): ActiveAlert {
  const alert = standing.find(({ rule, unit_no }) => rule === told.rule && unit_no === unitOf(seed, told.code).unitNo);
  if (!alert) throw new Error(`${told.code} does not raise ${told.rule}`);
  return alert;
}

function unitOf({ units }: DemoCensus, code: string) {
  for (const [ward, unit] of units) if (ward.code === code) return unit;
  throw new Error(`${code} is no unit`);
}

/** So many minutes after the newest census hour, once the reports are in. */
function timesOf({ days }: DemoCensus, { told, now }: Told & { now: Date }) {
  const newest = days.at(-1);
  if (!newest) throw new Error('the demo has no day');
  const { censusAt } = newest.clock;
  const after = (minutes: number) => minutesAfter(censusAt, minutes * paceOf(censusAt, now));
  return { raised: after(told.afterMinutes), taken: after(told.afterMinutes + 11) };
}

function entryOf({ rule, message, date, unit_no, population }: ActiveAlert, { units }: DemoCensus): Said['entry'] {
  const unit = [...units.values()].find(({ unitNo }) => unitNo === unit_no);
  const about = { ...(unit && { unit }), date, ...(population && { population }) };
  return { action: 'alert.acknowledge', ...about, after: { rule, message } };
}

/** Of those who sign, as the clock makes it; nobody has read the newest line. */
async function writeChat(
  tx: DatabaseTransaction,
  { facilityNo }: DemoCensus,
  { facilityId, messages }: Place & { messages: readonly MessageOptions[] },
): Promise<MadeChat> {
  const people = await findPermitted(tx, { facilityId, permission: 'census.report_summary' });
  const readSeq = messages.length - 1;
  const chat = await makeChat(tx, {
    facilityId,
    title: 'Census',
    createdBy: SERVER_USER.id,
    participants: people.map((userId) => ({ userId, access: 'write', readSeq })),
    messages,
  });
  await storeFacilityChat(tx, facilityNo, chat.id);
  return chat;
}

import type { Message } from '@wardline/contract/chat/chat.ts';
import type { CriticalDecision, CriticalFinding } from '@wardline/contract/chat/critical.ts';
import { CATEGORY_PACE } from '@wardline/examination/critical-alert.ts';
import type { KnownPatient } from '@wardline/examination/read-back.ts';
import { formatCriticalFinding } from '@wardline/format/critical-finding.ts';
import { lockChat } from '#/features/chat/core/chat-queries.ts';
import { appendServerText } from '#/features/chat/core/message-queries.ts';
import { requireChat, requireReadable } from '#/features/chat/core/require-chat.ts';
import { storeMessage } from '#/features/chat/messages/message-group.ts';
import { findAlert, listAlertStories, listAlerts } from '#/features/chat/urgent/critical-alerts.ts';
import { prepareUrgent, startUrgent, type UrgentStart } from '#/features/chat/urgent/start-urgent.ts';
import type { RingDeps } from '#/features/chat/urgent/who-to-call.ts';
import { withdrawOutdated } from '#/features/chat/urgent/withdraw-outdated.ts';
import type { Database, DatabaseTransaction } from '#/platform/db/database.ts';
import { lockEscalation, readClock, type StoredEscalation } from '#/platform/escalation/escalation-queries.ts';
import type { Actor } from '#/platform/http/actor.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { Publication } from '#/platform/http/publish.ts';
import { SERVER_USER } from '#/platform/http/server-actor.ts';
import { newId } from '#/platform/new-id.ts';
import { unitOfBed } from './unit-of-bed.ts';

type AlertDecision = CriticalDecision & { readonly kind: 'alert' };

/** What is held before the chat's lock. */
interface PreparedAlerts {
  readonly start: UrgentStart | null;
  readonly category: AlertDecision['category'] | null;
  /** The calls of alerts about the examination that were open, which may be over with this. */
  readonly calling: readonly StoredEscalation[];
}

interface Preparing {
  readonly actor: Actor;
  readonly chatId: string;
  readonly examinationId: string;
  readonly decision: CriticalDecision | null;
  /** Where the decision names nobody: everybody in the chat is called. */
  readonly callsEveryone?: boolean;
}

interface Raising {
  readonly actor: Actor;
  readonly chatId: string;
  readonly examination: { readonly id: string; readonly title: string; readonly reportVersion: number };
  readonly findings: readonly CriticalFinding[];
  readonly patient: KnownPatient & { readonly bed: string | null };
}

interface Withdrawing {
  readonly actor: Actor;
  readonly chatId: string;
  readonly alertIds: readonly string[];
  readonly note: string;
}

/** The alerts of an examination, held to the end of the transaction. */
export interface HeldAlerts {
  /** Says it in the chat and begins to call. */
  raise(raising: Raising): Promise<{ alertId: string; publish: Publication[] }>;
  /** Ends alerts about what no longer holds. */
  withdraw(withdrawing: Withdrawing): Promise<Publication[]>;
}

/** For examinations: who signs a critical finding has somebody called about it. */
export interface CriticalAlertsOfChats {
  /** Takes the chat's lock after what is locked before it: the calls that may end, and whoever holds the role that is called. */
  hold(tx: DatabaseTransaction, asked: Preparing): Promise<HeldAlerts>;
  list(db: Database | DatabaseTransaction, examinationId: string): ReturnType<typeof listAlerts>;
  stories(db: Database | DatabaseTransaction, examinationId: string): ReturnType<typeof listAlertStories>;
  /** The on-call role of the unit that a bed is in, where that has exactly one. */
  roleOfBed(
    tx: DatabaseTransaction,
    place: { readonly facilityId: string; readonly bed: string | null },
  ): Promise<string | null>;
}

export function criticalAlertsOfChats({ ring }: RingDeps): CriticalAlertsOfChats {
  return {
    async hold(tx, asked) {
      const prepared = await prepare(tx, asked);
      return {
        raise: (raising) => raise(tx, prepared, { ...raising, ring }),
        withdraw: (withdrawing) => withdraw(tx, prepared, withdrawing),
      };
    },
    list: listAlerts,
    stories: listAlertStories,
    roleOfBed: findRoleOfBed,
  };
}

async function prepare(tx: DatabaseTransaction, asked: Preparing): Promise<PreparedAlerts> {
  const { actor, chatId, examinationId, decision } = asked;
  const open = tx
    .selectFrom('critical_alerts')
    .select('message_id')
    .where('examination_id', '=', examinationId)
    .where('state', 'not in', ['closed', 'withdrawn']);
  const calling: StoredEscalation[] = [];
  for (const { message_id: id } of await open.orderBy('message_id').execute()) {
    const stored = await lockEscalation(tx, { kind: 'message', id });
    if (stored !== null) calling.push(stored);
  }
  const alert = decision?.kind === 'alert' ? decision : null;
  // What comes from a laboratory is said by the product itself, which is in no chat.
  const isServer = actor.userId === SERVER_USER.id;
  const chat = isServer ? await findPlace(tx, chatId) : await requireChat(tx, { actor, chatId });
  const asking = { actor, chat, field: 'critical.targets', callsEveryone: asked.callsEveryone ?? false };
  const start = alert && (await prepareUrgent(tx, { ...asking, ...askedOf(alert) }));
  await lockChat(tx, chatId);
  return { start, category: alert?.category ?? null, calling };
}

async function findPlace(tx: DatabaseTransaction, chatId: string) {
  const columns = ['id', 'facility_id as facilityId', 'kind', 'direct_role_id as directRoleId'] as const;
  return await tx.selectFrom('chats').select(columns).where('id', '=', chatId).executeTakeFirstOrThrow();
}

function askedOf({ targets, category }: AlertDecision) {
  return { urgent: { targets }, slowness: CATEGORY_PACE[category] };
}

async function raise(
  tx: DatabaseTransaction,
  { start, category }: PreparedAlerts,
  { actor, chatId, examination, findings, patient, ring }: Raising & Pick<RingDeps, 'ring'>,
): Promise<{ alertId: string; publish: Publication[] }> {
  if (start === null || category === null) throw new Error('an alert that was not prepared');
  const { facilityId } = start.place;
  const sent = await storeCall(tx, { actor, chatId, body: bodyOf({ examination, findings, patient }) });
  const units = await tx.selectFrom('units').select(['id', 'code']).where('facility_id', '=', facilityId).execute();
  const alertId = newId();
  const { name, identifier, born_on, bed } = patient;
  await tx
    .insertInto('critical_alerts')
    .values({
      ...{ id: alertId, facility_id: facilityId, chat_id: chatId, message_id: sent.id, category },
      ...{ examination_id: examination.id, report_version: examination.reportVersion, state: 'identified' },
      ...{ unit_id: unitOfBed(bed, units)?.id ?? null, findings: JSON.stringify(findings) },
      ...{ patient: JSON.stringify({ name, identifier, born_on }), identified_at: await readClock(tx) },
    })
    .execute();
  const { publish, publishToAll } = await startUrgent(tx, start, { sent, ring });
  return { alertId, publish: [...publish, ...publishToAll] };
}

/** The message that calls, in the name of who signed; of what the laboratory sent by itself in the product's own. */
async function storeCall(
  tx: DatabaseTransaction,
  { actor, chatId, body }: { readonly actor: Actor; readonly chatId: string; readonly body: string },
): Promise<Message> {
  if (actor.userId === SERVER_USER.id) return appendServerText(tx, { chatId, body });
  const draft = {
    ...{ chatId, senderId: actor.userId, clientId: newId(), body },
    ...{ replyTo: null, deviceTime: null, mentions: null, attachments: null },
  };
  const sent = requireReadable(actor, await storeMessage(tx, draft));
  if (sent.outcome !== 'stored') throw new AppError('forbidden');
  return sent.message;
}

/** As the people who are called read it: what, whose, of which report. */
function bodyOf({ examination, findings, patient }: Pick<Raising, 'examination' | 'findings' | 'patient'>): string {
  const found = findings.map(formatCriticalFinding);
  const identifier = /^mrn\b/i.test(patient.identifier) ? patient.identifier : `MRN ${patient.identifier}`;
  const place = [patient.name, identifier, ...(patient.bed ? [`bed ${patient.bed}`] : [])].join(', ');
  return [`Critical: ${found.join('; ')}`, place, `${examination.title}, version ${examination.reportVersion}`].join(
    '\n',
  );
}

async function withdraw(
  tx: DatabaseTransaction,
  { calling }: PreparedAlerts,
  { actor, chatId, alertIds, note }: Withdrawing,
): Promise<Publication[]> {
  const told: Publication[] = [];
  for (const stored of calling) {
    const alert = await findAlert(tx, stored.subject.id);
    if (alert === null || !alertIds.includes(alert.id)) continue;
    told.push(...(await withdrawOutdated(tx, stored, { actor, chatId, note, what: 'critical alert' })));
  }
  return told;
}

async function findRoleOfBed(
  tx: DatabaseTransaction,
  { facilityId, bed }: { readonly facilityId: string; readonly bed: string | null },
): Promise<string | null> {
  const units = await tx.selectFrom('units').select(['id', 'code']).where('facility_id', '=', facilityId).execute();
  const unit = unitOfBed(bed, units);
  if (unit === null) return null;
  const roles = tx.selectFrom('on_call_roles').select('id').where('unit_id', '=', unit.id);
  const [role, other] = await roles.where('retired_at', 'is', null).limit(2).execute();
  return role && !other ? role.id : null;
}

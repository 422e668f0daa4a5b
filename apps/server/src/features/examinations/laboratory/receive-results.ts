import { createHash } from 'node:crypto';
import { foldIdentifier } from '@wardline/format/names.ts';
import type { Database } from '#/platform/db/database.ts';
import { Hl7Error } from '#/platform/hl7/hl7-error.ts';
import type { Transaction, Write } from '#/platform/http/context.ts';
import { SERVER_ACTOR } from '#/platform/http/server-actor.ts';
import { newId } from '#/platform/new-id.ts';
import type { ExaminationDeps } from '../core/deps.ts';
import { holdWaitingCall, isCritical, type WaitingCall } from './call-about-waiting.ts';
import { countUnmatched, findFeed, findStanding, holdFeed, type ResultRow } from './feed-queries.ts';
import { fileReport } from './file-report.ts';
import { isOlder, type LaboratoryMessage, type LaboratoryReport, mergeReports } from './laboratory-report.ts';
import { countedNumbers, type Match, matchPatient } from './match-patient.ts';
import { readOru } from './read-oru.ts';

/** A message of the laboratory, and the facility that it was handed in for. */
export interface Handed {
  readonly facilityId: string;
  readonly timeZone: string;
  readonly text: string;
}

/** What is needed to store it: the write of a request, or of a feed without one. */
export interface ReceivingContext {
  readonly db: Database;
  readonly write: Write;
}

/** Takes an ORU^R01; answers its control id once all of its reports are stored. Throws {@link Hl7Error} where nothing of it is taken. */
export type ReceiveResults = (ctx: ReceivingContext, handed: Handed) => Promise<{ readonly controlId: string }>;

/** So many may wait for a person: a laboratory that matches nobody is told, instead of filling the disk. */
const MOST_UNMATCHED = 5_000;

/**
 * Each report is a transaction of its own, with its examination, its line in the chat and its audit entry: where the server ends in the
 * middle of a message, it is sent again, and what is stored of it stays as it is.
 */
export function receiveResults(deps: ExaminationDeps): ReceiveResults {
  return async ({ db, write }, { facilityId, timeZone, text }) => {
    const now = deps.now?.() ?? new Date();
    const feed = await findFeed(db, facilityId);
    const codes = new Map(feed.codes.map(({ code, loinc }) => [code, loinc]));
    const message = readOru(text, { timeZone, now, codes });
    if ((await countUnmatched(db, facilityId)).all >= MOST_UNMATCHED) {
      throw new Hl7Error(207, `${MOST_UNMATCHED} results match no chat and wait; assign them or set them aside first`);
    }
    const contentHash = createHash('sha256').update(text).digest();
    if (message.reports.length === 0) {
      await write('result.receive', async (tx) => {
        await holdFeed(tx, facilityId);
        const { id, isNew } = await keepMessage(tx, { facilityId, contentHash, message });
        const detail = { message: id, outcome: 'no results' };
        return {
          result: undefined,
          audit: isNew ? { facilityId, objectType: 'laboratory_message', objectId: id, detail } : null,
        };
      });
    }
    for (const [index, report] of message.reports.entries()) {
      await write('result.receive', async (tx) => {
        await holdFeed(tx, facilityId);
        const call = await holdWaitingCall(deps, tx, facilityId);
        const { id: messageId } = await keepMessage(tx, { facilityId, contentHash, message });
        const place = index + 1;
        if (await isStored(tx, { messageId, place })) return { result: undefined, audit: null };
        return takeReport(deps, tx, { facilityId, timeZone, messageId, place, report, now, call });
      });
    }
    return { controlId: message.controlId };
  };
}

interface Kept {
  readonly facilityId: string;
  readonly contentHash: Buffer;
  readonly message: LaboratoryMessage;
}

/** The same message again is the one that is there. */
async function keepMessage(tx: Transaction, { facilityId, contentHash, message }: Kept) {
  const { controlId: control_id, sender, reports } = message;
  const made = await tx
    .insertInto('laboratory_messages')
    .values({
      ...{ id: newId(), facility_id: facilityId, content_hash: contentHash, control_id, sender },
      reports: reports.length,
    })
    .onConflict((conflict) => conflict.columns(['facility_id', 'content_hash']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (made) return { id: made.id, isNew: true };
  const query = tx.selectFrom('laboratory_messages').select('id').where('facility_id', '=', facilityId);
  const { id } = await query.where('content_hash', '=', contentHash).executeTakeFirstOrThrow();
  return { id, isNew: false };
}

async function isStored(tx: Transaction, { messageId, place }: { messageId: string; place: number }): Promise<boolean> {
  const query = tx.selectFrom('laboratory_results').select('id').where('message_id', '=', messageId);
  return (await query.where('place', '=', place).executeTakeFirst()) !== undefined;
}

interface Taking {
  readonly facilityId: string;
  readonly timeZone: string;
  readonly messageId: string;
  readonly place: number;
  readonly report: LaboratoryReport;
  readonly now: Date;
  readonly call: WaitingCall;
}

/** What becomes of one report: it stands in an examination, waits for a person, or came too late to say anything. */
async function takeReport(
  deps: ExaminationDeps,
  tx: Transaction,
  { facilityId, timeZone, messageId, place, report, now, call }: Taking,
) {
  const { key } = report;
  const { filed, waiting } = await findStanding(tx, { facilityId, key });
  const row = {
    ...{ id: newId(), facility_id: facilityId, message_id: messageId, place, report_key: key },
    reported_at: report.reportedAt,
  };
  const about = { facilityId, objectType: 'laboratory_result', objectId: row.id };
  const known = waiting ?? filed;
  if (known?.report && isOlder(report, known.report)) {
    const values = {
      ...row,
      report: JSON.stringify(report),
      state: 'outdated',
      examination_id: filed?.examination_id ?? null,
    };
    await tx.insertInto('laboratory_results').values(values).execute();
    return { result: undefined, audit: { ...about, detail: { outcome: 'outdated' } } };
  }
  // What waited for a person goes on in what came now.
  const whole = known?.report ? mergeReports(known.report, report) : report;
  if (waiting) await close(tx, waiting.id, 'replaced');
  const feed = await findFeed(tx, facilityId);
  const found = await placeOf(deps, tx, { facilityId, report: whole, filed, authority: feed.authority });
  if (found.chat === null) {
    const is_critical = await isCritical(tx, { facilityId, timeZone, report: whole, now });
    const values = { ...row, report: JSON.stringify(whole), state: 'unmatched', why: found.why, is_critical };
    await tx.insertInto('laboratory_results').values(values).execute();
    return {
      ...{ result: undefined, audit: { ...about, detail: { outcome: 'unmatched', critical: is_critical } } },
      // Where the message before was critical too, who is to come knows.
      publishToAll:
        is_critical && !waiting?.is_critical
          ? await call.arrived({ id: row.id, report: whole })
          : await call.settled(SERVER_ACTOR),
    };
  }
  const { examinationId, origin, publish, publishToAll, audit } = await fileReport(deps, tx, {
    ...{ actor: SERVER_ACTOR, facilityId, chat: found.chat, report: whole, examinationId: found.examinationId },
    ...{ criticalRoleId: feed.critical_role_id, now },
  });
  await tx
    .insertInto('laboratory_results')
    .values({ ...row, report: JSON.stringify(whole), state: 'filed', examination_id: examinationId, origin })
    .execute();
  const detail = { outcome: 'filed', examination: examinationId, ...audit };
  return {
    ...{ result: undefined, audit: { ...about, detail }, publish },
    publishToAll: [...publishToAll, ...(await call.settled(SERVER_ACTOR))],
  };
}

async function close(tx: Transaction, id: string, state: 'replaced'): Promise<void> {
  await tx
    .updateTable('laboratory_results')
    .set((row) => ({ state, version: row('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

interface Placing {
  readonly facilityId: string;
  readonly report: LaboratoryReport;
  readonly filed: ResultRow | null;
  readonly authority: string | null;
}

type Place =
  | (Match & { readonly chat: { readonly id: string } } & { readonly examinationId: string | null })
  | (Match & { readonly chat: null });

/**
 * Where a report belongs: in the examination in which it stands already, in the one that was asked for under its number (OBR-2), or in
 * the one open chat about its patient. Wherever it is, the patient must be the same: a number that leads to somebody else leads nowhere.
 */
async function placeOf(
  deps: ExaminationDeps,
  tx: Transaction,
  { facilityId, report, filed, authority }: Placing,
): Promise<Place> {
  const numbers = countedNumbers(report.patient, authority);
  const named = await examinationOf(tx, { facilityId, report, filed });
  if (named === null) {
    const match = matchPatient(report.patient, await deps.chats.cases.byNumber(tx, facilityId, numbers), numbers);
    return match.chat === null ? match : { ...match, examinationId: null };
  }
  if (named.state === 'entered_in_error') {
    return { chat: null, why: 'The examination that it goes on was marked as entered in error.' };
  }
  const chats = await deps.chats.cases.byId(tx, facilityId, [named.chat_id]);
  const fitting = chats.filter(({ identifier }) => numbers.includes(foldIdentifier(identifier)));
  // An examination goes on where it is, also when its chat is closed by now.
  const match = matchPatient(
    report.patient,
    fitting.map((chat) => ({ ...chat, isOpen: true })),
    numbers,
  );
  if (match.chat !== null) return { ...match, examinationId: named.id };
  return {
    chat: null,
    why: filed
      ? 'What came before under its number is of another patient.'
      : 'It answers a request for another patient.',
  };
}

const ASKED = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function examinationOf(tx: Transaction, { facilityId, report, filed }: Omit<Placing, 'authority'>) {
  const examinations = tx
    .selectFrom('examinations')
    .select(['id', 'chat_id', 'state'])
    .where('facility_id', '=', facilityId);
  if (filed?.examination_id) {
    return (await examinations.where('id', '=', filed.examination_id).executeTakeFirst()) ?? null;
  }
  const placer = report.placer?.toLowerCase() ?? '';
  if (!ASKED.test(placer)) return null;
  return (await examinations.where('id', '=', placer).where('state', '=', 'requested').executeTakeFirst()) ?? null;
}

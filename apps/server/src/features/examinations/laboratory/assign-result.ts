import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { assignLaboratoryResult as endpoint } from '@wardline/contract/examinations/laboratory.ts';
import { foldIdentifier } from '@wardline/format/names.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import { authorize, authorizeToKnow } from '#/platform/http/authorization/authorize.ts';
import { authorizeNow } from '#/platform/http/authorization/authorize-now.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import type { CaseOfPatient, ExaminationDeps } from '../core/deps.ts';
import { assignResults, seeLaboratory, writeExamination } from '../core/policy.ts';
import { holdWaitingCall } from './call-about-waiting.ts';
import { findFeed, findResult, findStanding, holdFeed, type ResultRow } from './feed-queries.ts';
import { fileReport } from './file-report.ts';
import { isOlder, type LaboratoryReport, mergeReports, type NamedPatient } from './laboratory-report.ts';
import { countedNumbers, differenceOf } from './match-patient.ts';

type Endpoint = typeof endpoint;

/** Puts a result that matched nobody where a person says that it belongs; with a reason, where it names another patient. */
export function assignResult(deps: ExaminationDeps) {
  return async ({ actor, write }: RequestContext, { params, body }: InputOf<Endpoint>): Promise<ReplyOf<Endpoint>> => {
    const { facility: facilityId, result: id } = params;
    authorizeToKnow(actor, seeLaboratory, { facilityId });
    authorize(actor, assignResults, { facilityId });
    return write('result.assign', async (tx) => {
      await holdFeed(tx, facilityId);
      const call = await holdWaitingCall(deps, tx, facilityId);
      const result = await requireWaiting(tx, { facilityId, id, version: body.version });
      const chat = await deps.chats.open(tx, { actor, chatId: body.chat_id });
      authorize(actor, writeExamination, chat);
      const [about] = chat.facilityId === facilityId ? await deps.chats.cases.byId(tx, facilityId, [chat.id]) : [];
      if (!about) throw invalidField('chat_id', 'Choose a chat about a patient of this facility.');
      const feed = await findFeed(tx, facilityId);
      const differs = differenceFrom(result.report.patient, { about, authority: feed.authority });
      guardSame(differs, body.reason ?? null);
      const { filed } = await findStanding(tx, { facilityId, key: result.report_key });
      const { report, examinationId } = await goingOn(tx, { report: result.report, filed, chatId: chat.id });
      const now = deps.now?.() ?? new Date();
      const done = await fileReport(deps, tx, {
        ...{ actor, facilityId, chat: about, report, examinationId },
        ...{ criticalRoleId: feed.critical_role_id, now },
      });
      // Under the chat's lock by now, which was waited for.
      await authorizeNow(tx, actor, assignResults, { facilityId });
      await authorizeNow(tx, actor, writeExamination, await deps.chats.open(tx, { actor, chatId: chat.id }));
      await tx
        .updateTable('laboratory_results')
        .set({
          ...{
            state: 'filed',
            examination_id: done.examinationId,
            report: JSON.stringify(report),
            why: null,
            origin: done.origin,
          },
          ...{ version: result.version + 1, closed_by: actor.userId, closed_at: now, reason: body.reason ?? null },
        })
        .where('id', '=', id)
        .execute();
      const detail = { ...done.audit, examination: done.examinationId, ...(differs !== null && { differs }) };
      return {
        result: { chat_id: chat.id, examination_id: done.examinationId },
        audit: { facilityId, objectType: 'laboratory_result', objectId: id, detail },
        publish: done.publish,
        publishToAll: [...done.publishToAll, ...(await call.settled(actor))],
      };
    });
  };
}

interface Wanted {
  readonly facilityId: string;
  readonly id: string;
  readonly version: number;
}

/** The result, while it waits and as who asks has seen it. */
async function requireWaiting(tx: Transaction, { facilityId, id, version }: Wanted) {
  const result = await findResult(tx, { facilityId, id });
  if (result === null) throw new AppError('not_found');
  const { report, state } = result;
  if (result.version !== version || report === null) throw new AppError('conflict');
  if (state !== 'unmatched' && state !== 'set_aside') throw new AppError('conflict');
  return { ...result, report };
}

/** In words, what of the patient is not the same; null where all is. */
function differenceFrom(
  patient: NamedPatient,
  { about, authority }: { readonly about: CaseOfPatient; readonly authority: string | null },
): string | null {
  const isSameNumber = countedNumbers(patient, authority).includes(foldIdentifier(about.identifier));
  return isSameNumber ? differenceOf(patient, about) : 'the number';
}

function guardSame(differs: string | null, reason: string | null): void {
  if (differs === null || reason !== null) return;
  throw invalidField('reason', `Of this patient ${differs} differs. Say why the result is theirs.`);
}

interface GoingOn {
  readonly report: LaboratoryReport;
  readonly filed: ResultRow | null;
  readonly chatId: string;
}

/** What was filed of the same report goes on, where it is in this chat and still holds; what is older than it says nothing. */
async function goingOn(tx: Transaction, { report, filed, chatId }: GoingOn) {
  if (!filed?.report || filed.examination_id === null) return { report, examinationId: null };
  if (isOlder(report, filed.report)) throw new AppError('conflict');
  const found = await tx
    .selectFrom('examinations')
    .select('id')
    .where('id', '=', filed.examination_id)
    .where('chat_id', '=', chatId)
    .where('state', 'in', ['reported', 'amended'])
    .executeTakeFirst();
  return found
    ? { report: mergeReports(filed.report, report), examinationId: found.id }
    : { report, examinationId: null };
}

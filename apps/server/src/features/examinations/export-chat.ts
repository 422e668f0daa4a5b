import type { exportChat as endpoint } from '@wardline/contract/examinations/examinations.ts';
import { FHIR_JSON, writeFhir } from '#/platform/fhir/fhir-json.ts';
import { patientOf, practitioner, type Resource } from '#/platform/fhir/resources.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { Download, InputOf } from '#/platform/http/route.ts';
import type { ExaminationDeps } from './core/deps.ts';
import { findExamination, findPatient, listExaminationIds } from './core/examination-queries.ts';
import { loadRecorded } from './export-examination.ts';
import { communication } from './fhir/communication.ts';
import { examinationResources } from './fhir/examination-bundle.ts';

const AT_ONCE = 200;

/**
 * A chat as a FHIR R4 Bundle, for who manages it: what they may read of it and its examinations, read as it is sent. That it is
 * taken is stored before the first byte.
 */
export function exportChat(deps: ExaminationDeps) {
  return async (ctx: RequestContext, { params }: InputOf<typeof endpoint>): Promise<Download> => {
    const chat = await deps.chats.open(ctx.db, { actor: ctx.actor, chatId: params.chat });
    if (!chat.canManage) throw new AppError('forbidden');
    await ctx.noteReads('chat.read', [{ facilityId: chat.facilityId, objectType: 'chat', objectId: chat.id }]);
    await ctx.write('chat.export', async () => ({
      result: undefined,
      audit: { facilityId: chat.facilityId, objectType: 'chat', objectId: chat.id, detail: { chat: chat.id } },
    }));
    return { fileName: `chat-${chat.id}.json`, contentType: FHIR_JSON, body: bundleOf(resourcesOf(deps, ctx, chat)) };
  };
}

/** Each resource once; of each only its id is remembered. */
async function* bundleOf(resources: AsyncIterable<Resource>): AsyncGenerator<string> {
  const written = new Set<string>();
  yield `{"resourceType":"Bundle","type":"collection","timestamp":"${new Date().toISOString()}","entry":[`;
  for await (const resource of resources) {
    if (written.has(resource.id)) continue;
    yield `${written.size > 0 ? ',' : ''}${writeFhir({ fullUrl: `urn:uuid:${resource.id}`, resource })}`;
    written.add(resource.id);
  }
  yield ']}';
}

type Chat = Awaited<ReturnType<ExaminationDeps['chats']['open']>>;

/** The patient and the examinations first: what messages are about is known when they come. */
async function* resourcesOf(
  deps: ExaminationDeps,
  { actor, db }: RequestContext,
  { id: chatId, facilityId }: Chat,
): AsyncGenerator<Resource> {
  const known = await findPatient(db, chatId);
  const patient = known && patientOf(facilityId, known);
  if (patient) yield patient;
  const examinations = new Set<string>();
  for (let after: string | null = null; ; ) {
    const ids: string[] = await listExaminationIds(db, { chatId, after, limit: AT_ONCE });
    for (const examinationId of ids) {
      const examination = await findExamination(db, { examinationId, userId: actor.userId });
      if (examination) yield* examinationResources(await loadRecorded(deps, db, examination));
      examinations.add(examinationId);
      after = examinationId;
    }
    if (ids.length < AT_ONCE) break;
  }
  let firstSeq: number | null = null;
  for (let after = 0; ; ) {
    const messages = await deps.chats.messagesAfter(db, { chatId, userId: actor.userId, limit: AT_ONCE }, after);
    firstSeq ??= messages[0]?.seq ?? 1;
    for (const message of messages) {
      yield practitioner({ user_id: message.sender.id, name: message.sender.name });
      yield communication(message, { patient, firstSeq, examinations });
      after = message.seq;
    }
    if (messages.length < AT_ONCE) return;
  }
}

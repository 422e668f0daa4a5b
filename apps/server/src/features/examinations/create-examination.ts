import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type {
  ExaminationTemplate,
  createExamination as endpoint,
} from '@wardline/contract/examinations/examinations.ts';
import { AppError, invalidField } from '#/platform/http/app-error.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import { authorizeNow } from '#/platform/http/authorization/authorize-now.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import type { ExaminationDeps } from './core/deps.ts';
import { examinationChanged } from './core/examination-changed.ts';
import { writeExamination } from './core/policy.ts';
import { requireExamination, serializeExamination } from './core/require-examination.ts';
import { findTemplate, listTemplateRows } from './core/template-queries.ts';

type Endpoint = typeof endpoint;

/**
 * Begins a draft in a case, under the id that the device gave it, so that it can be filled in there before it is sent. By the newest version
 * of its form, or by the one that the device has.
 */
export function createExamination(deps: ExaminationDeps) {
  return async (
    { actor, db, write }: RequestContext,
    { params, body }: InputOf<Endpoint>,
  ): Promise<ReplyOf<Endpoint>> => {
    const question = { actor, chatId: params.chat };
    authorize(actor, writeExamination, await deps.chats.open(db, question));
    return write('examination.create', async (tx) => {
      await deps.chats.lock(tx, params.chat);
      const chat = await deps.chats.open(tx, question);
      await authorizeNow(tx, actor, writeExamination, chat);
      const made = await findOwn(tx, actor.userId, body.client_id);
      if (made !== undefined) {
        if (made.chat_id !== chat.id || made.template_id !== body.template_id) throw new AppError('client_id_reused');
        const opened = await requireExamination(deps, tx, { actor, examinationId: made.id });
        return { result: await serializeExamination(deps, tx, { actor, opened }), audit: null };
      }
      if (chat.kind !== 'case') throw invalidField('template_id', 'Only a chat about a patient has examinations.');
      const template = await findForm(tx, chat.facilityId, body);
      const { client_id: id } = body;
      const inserted = await tx
        .insertInto('examinations')
        .values({
          ...{ id, chat_id: chat.id, facility_id: chat.facilityId, client_id: id, state: 'draft' },
          ...{ template_id: template.id, template_version: template.version, created_by: actor.userId },
          patient_sex: body.patient_sex ?? null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst();
      // Of somebody else, whom it says nothing of.
      if (!inserted) throw new AppError('client_id_reused');
      const act = { kind: 'examination', id } as const;
      const line = { actor, chatId: chat.id, facilityId: chat.facilityId, body: `drafted: ${template.name}`, act };
      const said = await deps.chats.say(tx, line);
      const opened = await requireExamination(deps, tx, { actor, examinationId: id });
      const detail = { chat: chat.id, template: template.id, template_version: template.version };
      return {
        result: await serializeExamination(deps, tx, { actor, opened }),
        audit: { facilityId: chat.facilityId, objectType: 'examination', objectId: id, detail },
        publish: examinationChanged({ id, chatId: chat.id, version: 1 }),
        // The answer does not say it: who did it reads the line as all others do.
        publishToAll: said,
      };
    });
  };
}

/** A form that is in use; an earlier version of it only as it was published. */
async function findForm(
  tx: Transaction,
  facilityId: string,
  { template_id, template_version }: InputOf<Endpoint>['body'],
): Promise<ExaminationTemplate> {
  const [newest] = await listTemplateRows(tx, { facilityId, only: template_id, limit: 1 });
  if (!newest) throw invalidField('template_id', 'This form is not there.');
  if (template_version === undefined || template_version === newest.version) return newest;
  const earlier = await findTemplate(tx, { id: template_id, version: template_version });
  if (!earlier) throw invalidField('template_id', 'This form is not there.');
  return earlier;
}

function findOwn(tx: Transaction, userId: string, clientId: string) {
  return tx
    .selectFrom('examinations')
    .select(['id', 'chat_id', 'template_id'])
    .where('created_by', '=', userId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
}

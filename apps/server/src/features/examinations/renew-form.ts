import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { renewExaminationForm as endpoint } from '@wardline/contract/examinations/forms.ts';
import { lostValues } from '@wardline/examination/forms/newer-form.ts';
import { isEditable } from '@wardline/examination/transition.ts';
import { sql } from 'kysely';
import { AppError } from '#/platform/http/app-error.ts';
import { authorize } from '#/platform/http/authorization/authorize.ts';
import { authorizeNow } from '#/platform/http/authorization/authorize-now.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { InputOf } from '#/platform/http/route.ts';
import { checkEntries, refuse, toInput } from './core/check-entries.ts';
import type { ExaminationDeps } from './core/deps.ts';
import { examinationChanged } from './core/examination-changed.ts';
import { listEntries, lockExamination } from './core/examination-queries.ts';
import { writeExamination } from './core/policy.ts';
import { findNewerForm, requireExamination, serializeExamination } from './core/require-examination.ts';

type Endpoint = typeof endpoint;

/** Goes on in the newest version of the form. No value is lost by it, and each is flagged by the ranges of that version. */
export function renewExaminationForm(deps: ExaminationDeps) {
  return async (
    { actor, db, write }: RequestContext,
    { params, body }: InputOf<Endpoint>,
  ): Promise<ReplyOf<Endpoint>> => {
    const question = { actor, examinationId: params.examination };
    authorize(actor, writeExamination, (await requireExamination(deps, db, question)).chat);
    return write('examination.form.renew', async (tx) => {
      await lockExamination(tx, params.examination);
      const { chat, examination } = await requireExamination(deps, tx, question);
      await authorizeNow(tx, actor, writeExamination, chat);
      const { id, version, template, subject, state } = examination;
      if (body.expected_version !== version || !isEditable(state)) throw new AppError('conflict');
      const newer = await findNewerForm(tx, examination);
      if (newer?.version !== body.template_version) throw new AppError('conflict');
      const entries = (await listEntries(tx, id)).filter(({ value }) => value !== '');
      const lost = lostValues(template, newer, entries);
      if (lost.length > 0) refuse({ template_version: [`The new form has no place for: ${lost.join(', ')}.`] });
      for (const { field, interpretation } of checkEntries(newer, entries.map(toInput), subject)) {
        const row = tx.updateTable('examination_entries').set({ interpretation });
        await row.where('examination_id', '=', id).where('field', '=', field).execute();
      }
      await tx
        .updateTable('examinations')
        .set({ template_version: newer.version, version: version + 1, updated_at: sql<Date>`now()` })
        .where('id', '=', id)
        .execute();
      const detail = { chat: chat.id, version: version + 1, form_version: newer.version, before: template.version };
      return {
        result: await serializeExamination(deps, tx, { actor, opened: await requireExamination(deps, tx, question) }),
        audit: { facilityId: chat.facilityId, objectType: 'examination', objectId: id, detail },
        publish: examinationChanged({ id, chatId: chat.id, version: version + 1 }),
      };
    });
  };
}

import type { exportExaminationForm as endpoint, FormFile } from '@wardline/contract/examinations/forms.ts';
import type * as z from 'zod/mini';
import { toTemplate } from '#/features/examinations/core/template-queries.ts';
import { FHIR_JSON, writeFhir } from '#/platform/fhir/fhir-json.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { RequestContext } from '#/platform/http/context.ts';
import type { Download, InputOf } from '#/platform/http/route.ts';
import { formChange } from './form-audit.ts';
import { listFormRows, listVersionRows } from './form-queries.ts';
import { questionnaireOf } from './questionnaire.ts';
import { requireFormManager } from './require-form.ts';

/** The published version of a form as a file for another hospital. It holds nothing of any patient. */
export async function exportExaminationForm(
  { actor, db, write }: RequestContext,
  { params, query: { format } }: InputOf<typeof endpoint>,
): Promise<Download> {
  const [facilityId, formId] = [params.facility, params.form];
  requireFormManager(actor, facilityId);
  const [form] = await listFormRows(db, { facilityId, only: formId, limit: 1 });
  const [newest] = form ? await listVersionRows(db, { formId, before: null, limit: 1 }) : [];
  if (!newest) throw new AppError('not_found');
  const template = toTemplate(newest);
  const detail = { name: template.name, version: template.version, format };
  await write('examination.form.export', async () => ({
    result: undefined,
    audit: formChange({ facilityId, formId }, detail),
  }));
  if (format === 'fhir') {
    const body = writeFhir(questionnaireOf(template, newest.created_at));
    return {
      fileName: fileName(template.name, 'questionnaire'),
      contentType: FHIR_JSON,
      body,
    };
  }
  const { id: _id, version: _version, ...definition } = template;
  const file: z.infer<typeof FormFile> = { wardline_form: 1, form: definition };
  return {
    fileName: fileName(template.name, 'form'),
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify(file, null, 2),
  };
}

function fileName(name: string, what: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60);
  return `${plain.replaceAll(/^-|-$/g, '') || 'examination'}.${what}.json`;
}

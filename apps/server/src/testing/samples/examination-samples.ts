import { randomUUID } from 'node:crypto';
import type { ExaminationState } from '@wardline/contract/examinations/examinations.ts';
import {
  formDefinition,
  makeExamination,
  makeExaminationForm,
  makeNewerForm,
  TEMPLATES,
} from '#/testing/factories/examinations.ts';
import type { World } from './contract-world.ts';
import type { Sample } from './sample.ts';

/** An examination in our chat that says our marker. */
async function newExamination({ server, ours }: World, state: ExaminationState): Promise<Sample> {
  const { chatId, facility, entitled, marker } = ours;
  const about = { chatId, facilityId: facility.id, userId: entitled.id, impression: `Impression ${marker}` };
  return { params: { examination: await makeExamination(server.db, { ...about, state }) } };
}

/** A FHIR file with one report of the patient of our chat. */
function reportFile({ facility, marker }: World['ours']): object {
  const [patient, report, observation] = [randomUUID(), randomUUID(), randomUUID()];
  const subject = { reference: `urn:uuid:${patient}` };
  const code = { text: `Impression ${marker}` };
  const identifier = [{ system: `urn:uuid:${facility.id}`, value: `No ${marker}` }];
  const resources = [
    { resourceType: 'Patient', id: patient, identifier },
    {
      ...{
        resourceType: 'DiagnosticReport',
        id: report,
        status: 'final',
        code,
        subject,
        issued: '2025-03-01T10:00:00Z',
      },
      result: [{ reference: `urn:uuid:${observation}` }],
    },
    { resourceType: 'Observation', id: observation, status: 'final', code, subject, valueString: marker },
  ];
  return {
    ...{ resourceType: 'Bundle', type: 'collection' },
    entry: resources.map((resource) => ({ fullUrl: `urn:uuid:${resource.id}`, resource })),
  };
}

/** A form of our facility that says our marker, published and with a draft of the same. */
async function newForm({ server, ours }: World): Promise<Sample> {
  const about = { facilityId: ours.facility.id, userId: ours.entitled.id };
  const name = `Form ${ours.marker} ${randomUUID()}`;
  const form = await makeExaminationForm(server.db, { ...about, name, isPublished: true });
  return { params: { facility: ours.facility.id, form } };
}

/** For each endpoint of examinations a request about our facility. */
export const EXAMINATION_SAMPLES: Readonly<Record<string, (world: World) => Promise<Sample>>> = {
  listExaminationTemplates: async ({ ours }) => ({ params: { facility: ours.facility.id }, query: { limit: '50' } }),
  createExamination: async ({ ours }) => ({
    params: { chat: ours.chatId },
    body: { client_id: randomUUID(), template_id: TEMPLATES.renalProfile, patient_sex: 'female' },
  }),
  listExaminations: async (world) => {
    await newExamination(world, 'draft');
    return { params: { chat: world.ours.chatId }, query: { limit: '5' } };
  },
  getExamination: (world) => newExamination(world, 'reported'),
  updateExamination: async (world) => ({
    ...(await newExamination(world, 'draft')),
    body: {
      expected_version: 1,
      entries: [
        { field: 'potassium', value: '6.8' },
        { field: 'impression', value: `Impression ${world.ours.marker}`, comparison: 'worse' },
      ],
    },
  }),
  moveExamination: async (world) => ({
    ...(await newExamination(world, 'reported')),
    body: {
      to: 'amended',
      expected_version: 1,
      reason: `Reason ${world.ours.marker}`,
      entries: [{ field: 'potassium', value: '4.8' }],
    },
  }),
  listReportVersions: (world) => newExamination(world, 'reported'),
  listCitations: async (world) => {
    const sample = await newExamination(world, 'reported');
    const cites = { message_id: world.ours.messageId, place: 1, field: 'impression', report_version: 1, seq: 1 };
    await world.server.db.deleteFrom('message_citations').where('message_id', '=', cites.message_id).execute();
    const examination = String(sample.params?.['examination']);
    await world.server.db
      .insertInto('message_citations')
      .values({ ...cites, examination_id: examination })
      .execute();
    return { ...sample, query: { field: 'impression', limit: '5' } };
  },
  listTrend: async (world) => ({
    ...(await newExamination(world, 'reported')),
    query: { field: 'potassium', limit: '5' },
  }),
  exportExamination: (world) => newExamination(world, 'reported'),
  noteExaminationPrint: (world) => newExamination(world, 'reported'),
  exportChat: async (world) => {
    await newExamination(world, 'reported');
    return { params: { chat: world.ours.chatId } };
  },
  importExaminations: async ({ ours }) => ({
    params: { chat: ours.chatId },
    query: { apply: 'true' },
    file: Buffer.from(JSON.stringify(reportFile(ours))),
  }),
  listExaminationForms: async (world) => {
    await newForm(world);
    return { params: { facility: world.ours.facility.id }, query: { limit: '200' } };
  },
  createExaminationForm: async ({ ours }) => ({
    params: { facility: ours.facility.id },
    body: { definition: formDefinition(`Form ${ours.marker} ${randomUUID()}`) },
  }),
  getExaminationForm: newForm,
  listFormVersions: newForm,
  saveFormDraft: async (world) => ({
    ...(await newForm(world)),
    body: { expected_revision: 1, definition: formDefinition(`Draft ${world.ours.marker}`) },
  }),
  discardFormDraft: async (world) => ({ ...(await newForm(world)), query: { expected_revision: '1' } }),
  moveExaminationForm: async (world) => ({
    ...(await newForm(world)),
    body: { expected_revision: 1, act: 'retire' },
  }),
  exportExaminationForm: async (world) => ({ ...(await newForm(world)), query: { format: 'wardline' } }),
  checkUnit: async ({ ours }) => ({
    params: { facility: ours.facility.id },
    query: { code: 'mmol/L', loinc: '2524-7' },
  }),
  renewExaminationForm: async (world) => {
    const { chatId, facility, entitled, marker } = world.ours;
    const about = { chatId, facilityId: facility.id, userId: entitled.id, state: 'draft' } as const;
    const examination = await makeExamination(world.server.db, { ...about, impression: `Impression ${marker}` });
    const form = await makeNewerForm(world.server.db, { facilityId: facility.id, userId: entitled.id });
    await world.server.db
      .updateTable('examinations')
      .set({ template_id: form })
      .where('id', '=', examination)
      .execute();
    return { params: { examination }, body: { expected_version: 1, template_version: 2 } };
  },
  acknowledgeReport: async (world) => ({
    ...(await newExamination(world, 'reported')),
    body: { version: 1, is_acknowledged: true },
  }),
};

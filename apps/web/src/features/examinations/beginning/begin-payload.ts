import type { Patient } from '@wardline/contract/chat/chat.ts';
import type { Examination, ExaminationTemplate } from '@wardline/contract/examinations/examinations.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';

/** An examination that was begun on this device and is not on the server yet. */
export interface BeginPayload {
  /** As it will stand once it is begun: shown until then. */
  readonly seen: Examination;
}

interface Begun {
  readonly id: string;
  readonly chatId: string;
  readonly facility: Pick<Facility, 'id' | 'permissions'>;
  readonly patient: Patient | null;
  readonly by: { readonly user_id: string; readonly name: string };
  /** ISO instant. */
  readonly at: string;
}

/** The draft that the server will make of a form. */
export function draftOf(template: ExaminationTemplate, { id, chatId, facility, patient, by, at }: Begun): Examination {
  return {
    ...{ id, chat_id: chatId, facility_id: facility.id, type: template.type, title: template.name },
    ...{ state: 'draft', version: 1, report_version: 0, critical: [], must_acknowledge: false, updated_at: at },
    ...{ template, patient, patient_sex: null, created: { by, at }, requested: null, reason: null, entries: [] },
    my: {
      can_write: true,
      can_sign: facility.permissions.includes('examinations.sign'),
      can_mark_in_error: false,
      ...{ read_version: 0, acknowledged_version: 0 },
    },
  };
}

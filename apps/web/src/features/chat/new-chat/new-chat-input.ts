import type { Member } from '@wardline/contract/facilities/members.ts';

/** The form of a new chat as it is filled in. */
export interface NewChatForm {
  readonly facilityId: string;
  readonly kind: 'case' | 'group' | 'announcement';
  readonly title: string;
  readonly patientName: string;
  readonly identifier: string;
  readonly bornOn: string;
  readonly bed: string;
  readonly people: readonly Member[];
}

export type NewChatField = 'title' | 'patientName' | 'identifier' | 'bornOn' | 'bed' | 'general';
export type NewChatErrors = Partial<Record<NewChatField, string>>;

const fields: Readonly<Record<string, NewChatField>> = {
  title: 'title',
  'patient.name': 'patientName',
  'patient.identifier': 'identifier',
  'patient.born_on': 'bornOn',
  'patient.bed': 'bed',
};

/** What is still missing: a title for a group or an announcement; name and a second identifier for a case. */
export function whatIsMissing(form: NewChatForm): NewChatErrors {
  if (form.kind !== 'case') return form.title.trim() ? {} : { title: 'Enter a title.' };
  return {
    ...(form.patientName.trim() ? {} : { patientName: 'Enter the patient’s name.' }),
    ...(form.identifier.trim() ? {} : { identifier: 'Enter an MRN or other ID. A bed number is not an identifier.' }),
  };
}

/** What is still wrong once the form was changed: not what was said of a field that is another now, nor of all of it. */
export function keepErrors(error: NewChatErrors, before: NewChatForm, now: NewChatForm): NewChatErrors {
  const isKept = (field: NewChatField) => field !== 'general' && before[field] === now[field];
  return Object.fromEntries(Object.entries(error).filter(([field]) => isKept(field as NewChatField)));
}

/** The body of the request. The same `clientId` again gives the chat that exists. */
export function createChatBody(form: NewChatForm, clientId: string) {
  const participant_ids = form.people.map(({ user_id }) => user_id);
  if (form.kind !== 'case') {
    return { client_id: clientId, kind: form.kind, title: form.title.trim(), participant_ids };
  }
  return {
    client_id: clientId,
    kind: form.kind,
    patient: {
      name: form.patientName.trim(),
      identifier: form.identifier.trim(),
      born_on: form.bornOn || null,
      bed: form.bed.trim() || null,
    },
    participant_ids,
  };
}

/** The server's field errors at this form's fields; what has no field is said above it. */
export function errorFor(fieldErrors: Readonly<Record<string, readonly string[]>>, message: string): NewChatErrors {
  const error: NewChatErrors = {};
  for (const [name, sentences] of Object.entries(fieldErrors)) {
    const field = fields[name] ?? 'general';
    error[field] = [error[field], ...sentences].filter(Boolean).join(' ');
  }
  return Object.keys(error).length > 0 ? error : { general: message };
}

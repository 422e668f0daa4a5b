import type { Message } from '@wardline/contract/chat/chat.ts';
import type { Citation } from '@wardline/contract/chat/citations.ts';
import { formatQuantity } from '@wardline/format/numbers.ts';
import { HL7, idOf, type Resource, referenceTo } from '#/platform/fhir/resources.ts';

interface Place {
  /** Of the case; left out where the chat has none. */
  readonly patient: Resource | null;
  /** The first message that who takes the file may read: what it answers before that is not in the file. */
  readonly firstSeq: number;
  /** Examinations that are in the file. */
  readonly examinations: ReadonlySet<string>;
}

/** A message as a Communication; one that was deleted without its text, as it is everywhere. */
export function communication(message: Message, { patient, firstSeq, examinations }: Place): Resource {
  const { id, sender, kind, body, act, urgent, deleted, reply_to, reply_to_seq, attachments = [] } = message;
  const { citations = [] } = message;
  const payload = deleted
    ? []
    : [
        ...(body === '' ? [] : [{ contentString: body }]),
        ...attachments.map(({ name, mime, bytes }) => ({
          contentAttachment: { contentType: mime, title: name, size: bytes },
        })),
      ];
  const notes = notesOf(message);
  const told = act?.kind === 'examination' ? [act.id] : citations.map(({ examination_id }) => examination_id);
  const about = [...new Set(told)].filter((examination) => examinations.has(examination));
  return {
    resourceType: 'Communication',
    id,
    ...(reply_to !== null && (reply_to_seq ?? 0) >= firstSeq ? { inResponseTo: [referenceTo({ id: reply_to })] } : {}),
    status: deleted ? 'entered-in-error' : 'completed',
    ...(kind === 'system' ? { category: [{ text: 'What was done' }] } : {}),
    ...(urgent ? { priority: 'urgent' } : {}),
    medium: [{ coding: [{ system: `${HL7}/v3-ParticipationMode`, code: 'WRITTEN' }] }],
    ...(patient ? { subject: referenceTo(patient) } : {}),
    ...(about.length > 0 ? { about: about.map((one) => referenceTo({ id: idOf(one, 'request') })) } : {}),
    sent: message.created_at,
    sender: referenceTo({ id: sender.id }, sender.name),
    ...(payload.length > 0 ? { payload } : {}),
    ...(notes.length > 0 ? { note: notes } : {}),
  };
}

/** What became of a message: FHIR has no elements for it. */
function notesOf({
  edited_at,
  version,
  deleted,
  forwarded,
  urgent,
  citations = [],
}: Message): { text: string; time?: string }[] {
  return [
    ...(forwarded ? [{ text: `Forwarded, first sent by ${forwarded.sender.name}`, time: forwarded.sent_at }] : []),
    ...citations.map((citation) => ({ text: formatCitation(citation) })),
    ...(edited_at ? [{ text: `Edited, version ${version}`, time: edited_at }] : []),
    ...(deleted ? [{ text: `Deleted: ${deleted.reason}`, time: deleted.at }] : []),
    ...(urgent?.entries ?? []).map(({ at, kind, by, called, note }) => ({
      text: [`Urgent, ${kind}`, by && `by ${by.name}`, called.length > 0 && `called ${called.join(', ')}`, note]
        .filter(Boolean)
        .join(': '),
      time: at,
    })),
  ];
}

/** What was cited, and what became of it. */
function formatCitation({ title, report_version, label, value, unit, now }: Citation): string {
  const cited = `Cites ${title}, version ${report_version}: ${label} ${formatQuantity(value, unit)}`;
  if (!now) return cited;
  if (now.state === 'entered_in_error') return `${cited}. Entered in error since`;
  return `${cited}. Since version ${now.report_version}: ${now.value === null ? 'not in the report' : now.value}`;
}

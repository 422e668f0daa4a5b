import type { Entry, Examination, ReportVersion, TemplateField } from '@wardline/contract/examinations/examinations.ts';
import { isForNews2, news2, observationsOf } from '@wardline/examination/news2.ts';
import type { Subject } from '@wardline/examination/reference-range.ts';
import { DescriptionList } from '@wardline/ui/list/description-list.tsx';
import {
  bySection,
  COMPARISON_LABELS,
  FLAG_LABELS,
  formatRangeOf,
  formatValue,
  TYPE_LABELS,
  takenAt,
} from '#/features/examinations/core/examination-labels.ts';
import { type NamedPicture, placesText } from '#/features/examinations/core/marked-places.tsx';
import { Sheet } from '#/shared/sheet/sheet.tsx';
import { formatBirthDate, momentIn } from '#/shared/time/zoned-time.ts';

interface ReportSheetProps {
  readonly examination: Examination;
  /** The signed version that holds; null before one is signed. */
  readonly report: ReportVersion | null;
  readonly subject: Subject;
  readonly facilityName: string;
  readonly zone: string;
  /** Who prints. */
  readonly by: string;
  readonly at: Date;
}

interface Found {
  readonly field: TemplateField;
  readonly entry: Entry;
}

/** A report on paper: whose it is by two identifiers, what was found against which range, who signed which version. */
export function ReportSheet({ examination, report, facilityName, zone, by, at, ...given }: ReportSheetProps) {
  const { template, title, patient, requested, created } = examination;
  const subject = report ? { ...given.subject, sex: report.patient_sex } : given.subject;
  const entries = report?.entries ?? examination.entries;
  const pictures = report?.pictures ?? examination.pictures;
  const found = template.fields.flatMap((field): Found[] => {
    const entry = entries.find((candidate) => candidate.field === field.code && candidate.value !== '');
    return entry ? [{ field, entry }] : [];
  });
  const asked = examination.entries.flatMap((entry): Found[] => {
    const field = template.fields.find(({ code, part }) => code === entry.field && part === 'request');
    return field ? [{ field, entry }] : [];
  });
  const values = found.filter(({ field }) => field.part === 'finding' && field.kind !== 'text');
  const texts = found.filter((one) => one.field.part !== 'request' && !values.includes(one));
  const ask = requested ?? created;
  return (
    <Sheet
      facilityName={facilityName}
      title={title}
      subtitle={TYPE_LABELS[template.type] === title ? '' : TYPE_LABELS[template.type]}
      foot={<Foot {...{ examination, report, zone, by, at }} />}
    >
      <StateStamp {...{ examination, report }} />
      <DescriptionList
        items={[
          { term: 'Patient', description: patient?.name ?? 'No patient' },
          ...(patient ? [{ term: 'MRN', description: patient.identifier.replace(/^mrn\s*/i, '') }] : []),
          { term: 'Born', description: patient?.born_on ? formatBirthDate(patient.born_on) : 'not known' },
          { term: 'Sex', description: subject.sex ?? 'not stated' },
          {
            term: requested ? 'Requested' : 'Begun',
            description: `${ask.by.name}, ${momentIn(zone, Date.parse(ask.at))}`,
          },
          ...asked.map(({ field, entry }) => ({ term: field.label, description: formatValue(field, entry.value) })),
        ]}
      />
      {bySection(values.map((one) => ({ ...one, section: one.field.section }))).map(({ section, fields: own }) => (
        <Values key={section} values={own} {...{ section, subject, pictures, zone }} />
      ))}
      <Score {...{ examination, entries, subject }} />
      {texts.map(({ field, entry }) => (
        <section key={field.code}>
          <h3 className="semi">{field.label}</h3>
          <p className="exam-text" dir="auto">
            {entry.value}
            {meaning(entry)}
            {entry.observed_at && ` (${takenAt(entry.observed_at, zone)})`}
          </p>
          <Places {...{ entry, pictures }} />
        </section>
      ))}
      {found.length === 0 && <p>Nothing was entered.</p>}
    </Sheet>
  );
}

/** What no one may overlook who holds only the paper. */
function StateStamp({ examination: { state, reason }, report }: Pick<ReportSheetProps, 'examination' | 'report'>) {
  if (state === 'entered_in_error') return <p className="exam-stamp">Entered in error: {reason?.text}</p>;
  if (state === 'cancelled') return <p className="exam-stamp">Cancelled: {reason?.text}</p>;
  return report === null && <p className="exam-stamp">Not signed</p>;
}

interface PlacesProps {
  readonly entry: Entry;
  readonly pictures: readonly NamedPicture[] | undefined;
}

/** Where on which picture it was seen, in words. */
function Places({ entry, pictures }: PlacesProps) {
  return placesText(entry.regions, pictures).map((text) => (
    <p key={text} className="t12">
      Seen on {text}
    </p>
  ));
}

interface ValuesProps extends Pick<PlacesProps, 'pictures'>, Pick<ReportSheetProps, 'zone'> {
  readonly values: readonly Found[];
  /** Empty where they stand below no heading. */
  readonly section: string;
  readonly subject: Subject;
}

function Values({ values, section, subject, pictures, zone }: ValuesProps) {
  return (
    <table className="sheet-table">
      <caption className={section === '' ? 'sr' : 'semi'}>{section || 'Findings'}</caption>
      <thead>
        <tr>
          <th scope="col">Finding</th>
          <th scope="col" className="n">
            Value
          </th>
          <th scope="col">Unit</th>
          <th scope="col">Range</th>
          <th scope="col">Flag</th>
        </tr>
      </thead>
      <tbody>
        {values.map(({ field, entry }) => (
          <tr key={field.code}>
            <th scope="row">
              {field.label}
              {entry.observed_at && <p className="t12">{takenAt(entry.observed_at, zone)}</p>}
              <Places {...{ entry, pictures }} />
            </th>
            <td className="n semi">{formatValue(field, entry.value)}</td>
            <td>{field.unit?.label}</td>
            <td>{field.kind === 'quantity' || field.kind === 'range' ? formatRangeOf(field, subject) : ''}</td>
            <td>
              {[
                entry.interpretation && `${entry.interpretation} ${FLAG_LABELS[entry.interpretation].toLowerCase()}`,
                entry.comparison && COMPARISON_LABELS[entry.comparison].toLowerCase(),
              ]
                .filter(Boolean)
                .join(', ')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function meaning({ interpretation, comparison }: Entry): string {
  const said = [interpretation && FLAG_LABELS[interpretation], comparison && COMPARISON_LABELS[comparison]];
  const text = said.filter(Boolean).join(', ');
  return text ? ` (${text.toLowerCase()})` : '';
}

interface ScoreProps extends Pick<ReportSheetProps, 'examination' | 'subject'> {
  readonly entries: readonly Entry[];
}

function Score({ examination: { template }, entries, subject }: ScoreProps) {
  const seen = observationsOf(template.fields, entries);
  const total = seen && isForNews2(subject) ? news2(seen).total : null;
  return total !== null && <p className="semi">NEWS2 {total}</p>;
}

function Foot({ examination, report, zone, by, at }: Omit<ReportSheetProps, 'subject' | 'facilityName'>) {
  const { imported } = examination;
  return (
    <>
      {report && (
        <p>
          {imported
            ? `Imported by ${imported.by.name}, ${momentIn(zone, Date.parse(imported.at))}. Reported by ${imported.reported_by.join(', ') || 'somebody not named'}, ${momentIn(zone, Date.parse(imported.reported_at))}, as ${imported.identifier}.`
            : `Version ${report.version} signed by ${report.signed.by.name}, ${momentIn(zone, Date.parse(report.signed.at))}.`}
          {!imported && report.reason && ` It replaces version ${report.version - 1}: ${report.reason}.`} SHA-256 of
          what was {imported ? 'taken over' : 'signed'}: <span className="mono">{report.sha256}</span>
        </p>
      )}
      <p>
        Printed {momentIn(zone, at.getTime())} ({zone}) by {by}. Examination{' '}
        <span className="mono">{examination.id}</span>
      </p>
    </>
  );
}

import type { Entry, ExaminationTemplate, TemplateField } from '@wardline/contract/examinations/examinations.ts';
import type { Subject } from '@wardline/examination/reference-range.ts';
import { Fragment, type ReactNode } from 'react';
import { type FindingActs, FindingMenu } from '#/features/examinations/citing/finding-menu.tsx';
import {
  bySection,
  COMPARISON_LABELS,
  formatRangeOf,
  formatValue,
  takenAt,
} from '#/features/examinations/core/examination-labels.ts';
import { Flag, rowClass } from '#/features/examinations/core/flag.tsx';
import { MarkedPlaces, type NamedPicture } from '#/features/examinations/core/marked-places.tsx';
import { Spo2Flag, spo2ByScale } from '#/features/examinations/core/spo2-by-scale.tsx';
import { FindingsHead } from '#/features/examinations/entering/findings-form.tsx';

interface FindingsTableProps {
  readonly template: ExaminationTemplate;
  readonly entries: readonly Entry[];
  readonly subject: Subject;
  readonly zone: string;
  /** What the entries point to. */
  readonly pictures: readonly NamedPicture[] | undefined;
  /** What can be done with a finding of the report that stands; left out where it is another. */
  readonly acts?: FindingActs | undefined;
}

/** What was entered, to read: a row for each value that is there, then the texts. */
export function FindingsTable({ template, entries, subject, zone, pictures, acts }: FindingsTableProps) {
  const name = (field: TemplateField) => (acts ? <FindingMenu {...{ field, entries, ...acts }} /> : field.label);
  const found = template.fields.flatMap((field) => {
    const entry = entries.find((candidate) => candidate.field === field.code);
    return entry ? [{ field, entry }] : [];
  });
  const asked = found.filter(({ field }) => field.part === 'request');
  const findings = found.filter(({ field }) => field.part === 'finding');
  const said = found.filter(({ field }) => field.part === 'report');
  const texts = (of: readonly OneEntry[]) =>
    of.map((one) => <Section key={one.field.code} {...{ ...one, zone, pictures }} name={name(one.field)} />);
  const sections = bySection(findings.map((one) => ({ ...one, section: one.field.section })));
  if (found.length === 0) return <p className="exam-block muted">Nothing entered yet.</p>;
  return (
    <>
      {texts(asked)}
      {sections.map(({ section, fields: own }) => {
        const rows = own.filter(({ field }) => field.kind !== 'text');
        return (
          <Fragment key={section}>
            {section !== '' && <h3 className="exam-section">{section}</h3>}
            {rows.length > 0 && (
              <div className="scroll-x">
                <table className="table exam-table">
                  <caption className="sr">{section || 'Findings'}</caption>
                  <FindingsHead />
                  <tbody>
                    {rows.map(({ field, entry }) => {
                      const byScale = spo2ByScale(field, template.fields, { entries, subject });
                      return (
                        <tr key={field.code} className={rowClass(entry.interpretation)}>
                          <th scope="row">
                            {name(field)}
                            <TakenAt {...{ entry, zone }} />
                            <MarkedPlaces label={field.label} regions={entry.regions} pictures={pictures} />
                          </th>
                          <Value {...{ field, entry }} range={byScale?.target ?? formatRangeOf(field, subject)} />
                          <td>{byScale ? <Spo2Flag of={byScale} /> : <Flag of={entry.interpretation} />}</td>
                        </tr>
                      );
                    })}
                  </tbody>
                </table>
              </div>
            )}
            {texts(own.filter(({ field }) => field.kind === 'text'))}
          </Fragment>
        );
      })}
      {texts(said)}
    </>
  );
}

interface OneEntry {
  readonly field: TemplateField;
  readonly entry: Entry;
}

function Value({ field, entry, range }: OneEntry & { readonly range: string }) {
  const value = formatValue(field, entry.value);
  if (field.kind === 'code' || field.kind === 'boolean') return <td colSpan={3}>{value}</td>;
  return (
    <>
      <td className="n semi exam-value">{value}</td>
      <td className="muted">{field.unit?.label}</td>
      <td className="n">{range}</td>
    </>
  );
}

/** Where the laboratory or a file says another time for a finding than for its report. */
function TakenAt({ entry, zone }: Pick<OneEntry, 'entry'> & Pick<FindingsTableProps, 'zone'>) {
  return entry.observed_at && <p className="t12 muted num">{takenAt(entry.observed_at, zone)}</p>;
}

interface SectionProps extends OneEntry, Pick<FindingsTableProps, 'pictures' | 'zone'> {
  readonly name: ReactNode;
}

function Section({ field, entry, zone, pictures, name }: SectionProps) {
  return (
    <section className="exam-block" aria-label={field.label}>
      <h3>
        {name} <Flag of={entry.interpretation} />
        {entry.comparison && <span className="t12 muted"> {COMPARISON_LABELS[entry.comparison]}</span>}
      </h3>
      <TakenAt {...{ entry, zone }} />
      <p className="exam-text" dir="auto">
        {formatValue(field, entry.value)}
      </p>
      <MarkedPlaces label={field.label} regions={entry.regions} pictures={pictures} />
    </section>
  );
}

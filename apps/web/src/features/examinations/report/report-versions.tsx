import { serverNow } from '@wardline/client/server-clock.ts';
import type { Entry, Examination, ReportVersion, TemplateField } from '@wardline/contract/examinations/examinations.ts';
import { differences } from '@wardline/examination/entry.ts';
import type { Subject } from '@wardline/examination/reference-range.ts';
import { formatQuantity } from '@wardline/format/numbers.ts';
import { formatRegion } from '@wardline/format/region.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { useState } from 'react';
import { FLAG_LABELS, formatValue } from '#/features/examinations/core/examination-labels.ts';
import { useReportVersions } from '#/features/examinations/core/use-examination.ts';
import { formatClock } from '#/shared/time/format-clock.ts';
import { FindingsTable } from './findings-table.tsx';

interface ReportVersionsProps {
  readonly examination: Examination;
  readonly subject: Subject;
  readonly zone: string;
}

/** The signed versions, the newest first; one opens what it said, or what it changed. */
export function ReportVersions({ examination, subject, zone }: ReportVersionsProps) {
  const { data, error, refetch } = useReportVersions(examination);
  if (examination.report_version === 0) return null;
  return (
    <section className="exam-block" aria-label="Versions">
      <h3>Versions</h3>
      {error && !data && (
        <p className="row">
          <span className="c-error">The versions did not load.</span>
          <Button variant="link" size="sm" onClick={() => void refetch()}>
            Try again
          </Button>
        </p>
      )}
      <ol className="exam-versions">
        {data?.map((version, index) => (
          <Version
            key={version.version}
            {...{ version, examination, subject, zone }}
            before={data[index + 1] ?? null}
          />
        ))}
      </ol>
    </section>
  );
}

interface VersionProps extends ReportVersionsProps {
  readonly version: ReportVersion;
  readonly before: ReportVersion | null;
}

function Version({ version, before, examination, subject, zone }: VersionProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { signed, reason, sha256, entries } = version;
  return (
    <li>
      <div className="row">
        <b className="semi strong num">v{version.version}</b>
        <span className="clip">{signed.by.name}</span>
        <span className="t12 muted num push">{formatClock(zone, Date.parse(signed.at), serverNow())}</span>
        <Button variant="link" size="sm" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? 'Close' : 'Open'}
          <span className="sr"> version {version.version}</span>
        </Button>
      </div>
      {reason && <p className="t13">Why: {reason}</p>}
      {isOpen && (
        <>
          {before && <Difference fields={examination.template.fields} before={before.entries} after={entries} />}
          <FindingsTable
            template={examination.template}
            entries={entries}
            zone={zone}
            pictures={version.pictures}
            subject={{ ...subject, sex: version.patient_sex }}
          />
          <p className="t12 muted exam-hash">SHA-256 {sha256}</p>
        </>
      )}
    </li>
  );
}

interface DifferenceProps {
  readonly fields: readonly TemplateField[];
  /** Of the later one, where it may stand in a newer version of the form, in which a number may have another unit. */
  readonly fieldsAfter?: readonly TemplateField[];
  readonly before: readonly Entry[];
  readonly after: readonly Entry[];
}

/** What changed from one version to another, field by field. */
export function Difference({ fields, fieldsAfter = fields, before, after }: DifferenceProps) {
  const added = fieldsAfter.filter(({ code }) => !fields.some((field) => field.code === code));
  const found = differences([...fields, ...added], before, after);
  if (found.length === 0) return <p className="t13">No value changed.</p>;
  return (
    <dl className="exam-difference">
      {found.map((one) => {
        const [earlier, later] = [fields, fieldsAfter].map((own) => own.find(({ code }) => code === one.field));
        const field = earlier ?? later;
        if (!field) return null;
        return (
          <div key={one.field}>
            <dt>{field.label}</dt>
            <dd>
              <del>{formatEntry(field, one.before)}</del> <span className="sr">is now</span>{' '}
              <ins>{formatEntry(later ?? field, one.after)}</ins>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function formatEntry(field: TemplateField, entry: Entry | null): string {
  if (entry === null) return 'nothing';
  const value = formatQuantity(formatValue(field, entry.value), field.unit?.label);
  const flag = entry.interpretation ? [FLAG_LABELS[entry.interpretation].toLowerCase()] : [];
  return [value, ...flag, ...(entry.regions ?? []).map(formatRegion)].join(', ');
}

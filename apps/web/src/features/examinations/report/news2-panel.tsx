import type { Entry, Examination } from '@wardline/contract/examinations.ts';
import { yearsOn } from '@wardline/examination/age.ts';
import { NEWS2_FROM_AGE, NEWS2_PARTS, type News2, news2, observationsOf } from '@wardline/examination/news2.ts';
import type { Subject } from '@wardline/examination/reference-range.ts';
import { Badge, type BadgeTone } from '@wardline/ui/mark/badge.tsx';
import { NEWS2_LABELS, RISK_LABELS } from '#/features/examinations/core/examination-labels.ts';

interface News2PanelProps {
  readonly template: Examination['template'];
  /** As they stand, what is typed included. */
  readonly entries: readonly Entry[];
  readonly subject: Subject;
}

/** The early warning score with its parts, where the form has its observations. It is for nobody under 16. */
export function News2Panel({ template, entries, subject }: News2PanelProps) {
  const seen = observationsOf(template.fields, entries);
  if (seen === null) return null;
  const isChild = subject.bornOn !== null && yearsOn(subject.bornOn, subject.day) < NEWS2_FROM_AGE;
  return (
    <section className="exam-score" aria-label="NEWS2">
      {isChild ? (
        <p className="muted">NEWS2 is for people aged 16 and over.</p>
      ) : (
        <Score of={news2(seen)} scale={seen.spo2Scale} />
      )}
    </section>
  );
}

const TONES: Readonly<Record<NonNullable<News2['risk']>, BadgeTone>> = {
  ...{ low: 'neutral', single_3: 'warning', medium: 'warning', high: 'solid-error' },
};

function Score({ of: { parts, total, risk }, scale }: { readonly of: News2; readonly scale: 1 | 2 }) {
  const missing = NEWS2_PARTS.filter((part) => parts[part] === null).map((part) => NEWS2_LABELS[part]);
  return (
    <>
      <p className="row">
        <b className="semi strong">NEWS2</b>
        {/* Said once the typing pauses, and not with every key. */}
        <output className="row">
          <b className="exam-total num">{total ?? '–'}</b>
          {risk && (
            <Badge tone={TONES[risk]}>
              {total === null ? `${RISK_LABELS[risk].word} already` : RISK_LABELS[risk].word}
            </Badge>
          )}
        </output>
        <span className="t12 muted push">SpO₂ scale {scale}</span>
      </p>
      <dl className="exam-parts">
        {NEWS2_PARTS.map((part) => (
          <div key={part} className={parts[part] === 3 ? 'is-three' : undefined}>
            <dt>{NEWS2_LABELS[part]}</dt>
            <dd className="num">{parts[part] ?? '–'}</dd>
          </div>
        ))}
      </dl>
      <p className="t12 muted">
        {missing.length > 0 ? `Missing: ${missing.join(', ')}. ` : ''}
        {risk && RISK_LABELS[risk].answer}
      </p>
    </>
  );
}

import type { Entry, Examination } from '@wardline/contract/examinations/examinations.ts';
import {
  isForNews2,
  NEWS2_FROM_AGE,
  NEWS2_PARTS,
  type News2,
  news2,
  observationsOf,
} from '@wardline/examination/news2.ts';
import type { Subject } from '@wardline/examination/reference-range.ts';
import { formatIdentifier } from '@wardline/format/names.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Badge, type BadgeTone } from '@wardline/ui/mark/badge.tsx';
import { OctagonAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { NEWS2_LABELS, RISK_LABELS } from '#/features/examinations/core/examination-labels.ts';

export interface News2PanelProps {
  readonly examination: Examination;
  /** As they stand, what is typed included. */
  readonly entries: readonly Entry[];
  readonly subject: Subject;
  /** An urgent message into the chat, which is offered from 5 on or at a single 3, and proposed from 7 on. */
  readonly urgent: (offer: { readonly text: string; readonly onClose: () => void }) => ReactNode;
}

/** The early warning score with its parts, where the form has its observations. It is for nobody under 16. */
export function News2Panel({ examination, entries, subject, urgent }: News2PanelProps) {
  const seen = observationsOf(examination.template.fields, entries);
  if (seen === null) return null;
  return (
    <section className="exam-score" aria-label="NEWS2">
      {isForNews2(subject) ? (
        <>
          <Score of={news2(seen)} scale={seen.spo2Scale} />
          {examination.my.can_write && <UrgentButton of={news2(seen)} {...{ examination, urgent }} />}
        </>
      ) : (
        <p className="muted">NEWS2 is for people aged {NEWS2_FROM_AGE} and over.</p>
      )}
    </section>
  );
}

interface UrgentButtonProps extends Pick<News2PanelProps, 'examination' | 'urgent'> {
  readonly of: News2;
}

/** The way to call somebody about the score; nothing while it is low or not known. */
function UrgentButton({ of, examination, urgent }: UrgentButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { risk } = of;
  if (risk === null || risk === 'low') return null;
  const isProposed = risk === 'high';
  return (
    <>
      {isProposed && <p className="c-error semi">Call somebody now.</p>}
      <Button
        icon={OctagonAlert}
        size={isProposed ? 'lg' : 'md'}
        {...(isProposed ? { color: 'error' } : { variant: 'outline', color: 'neutral' })}
        onClick={() => setIsOpen(true)}
      >
        Urgent message
      </Button>
      {isOpen && urgent({ text: urgentText(of, examination), onClose: () => setIsOpen(false) })}
    </>
  );
}

/** Who, how much by which parts, and what the score asks for. */
function urgentText({ parts, total, risk }: News2, { patient }: Examination): string {
  const scored = NEWS2_PARTS.filter((part) => parts[part]).map((part) => `${NEWS2_LABELS[part]} ${parts[part]}`);
  const { word, answer } = RISK_LABELS[risk ?? 'low'];
  return [
    ...(patient ? [`${patient.name}, ${formatIdentifier(patient.identifier)}`] : []),
    `NEWS2 ${total ?? 'not complete'}, ${word.toLowerCase()}: ${scored.join(', ')}`,
    answer,
  ].join('\n');
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

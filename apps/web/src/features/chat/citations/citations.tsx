import type { Chat } from '@wardline/contract/chat/chat.ts';
import type { Citation } from '@wardline/contract/chat/citations.ts';
import { formatQuantity } from '@wardline/format/numbers.ts';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { FlaskConical, History, OctagonAlert } from 'lucide-react';
import { examinationPath } from '#/features/chat/core/chat-paths.ts';
import './citations.css';

interface CitationsProps {
  readonly citations: readonly Citation[];
  /** Without it nothing leads to them. */
  readonly chat: Pick<Chat, 'id' | 'facility_id'> | undefined;
}

/** The findings that a message talks about, as they were when it was written, and what became of them. */
export function Citations({ citations, chat }: CitationsProps) {
  return (
    <ul className="m-cites" aria-label="Findings this message cites">
      {citations.map((citation) => (
        <li key={`${citation.examination_id} ${citation.field}`}>
          {chat ? (
            <Link className="m-cite" href={`${examinationPath(chat, citation.examination_id)}#${citation.field}`}>
              <CitedFinding citation={citation} />
            </Link>
          ) : (
            <p className="m-cite">
              <CitedFinding citation={citation} />
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

/** One finding in a line: of what, its value, what it means; below it how it stands by now. */
export function CitedFinding({ citation }: { readonly citation: Citation }) {
  const { title, report_version, label, value, unit, interpretation, now } = citation;
  const isInError = now?.state === 'entered_in_error';
  return (
    <>
      <Icon of={FlaskConical} size="sm" />
      <span className="m-cite-of">
        {title} v{report_version}
      </span>
      <span className={isInError ? 'm-cite-said is-struck' : 'm-cite-said'} dir="auto">
        {label} <b>{formatQuantity(value, unit)}</b>
      </span>
      {interpretation !== null && <FlagOf interpretation={interpretation} />}
      {now && (
        <span className={isInError ? 'm-cite-now c-error' : 'm-cite-now c-warning'}>
          <Icon of={isInError ? OctagonAlert : History} size="sm" />
          {formatNow(citation, now)}
        </span>
      )}
    </>
  );
}

const WORDS: Readonly<Record<string, string>> = {
  ...{ N: 'Within range', L: 'Low', H: 'High', LL: 'Critically low', HH: 'Critically high' },
  ...{ A: 'Abnormal', AA: 'Critically abnormal', POS: 'Positive', NEG: 'Negative', IND: 'Indeterminate' },
};

function FlagOf({ interpretation }: { readonly interpretation: string }) {
  const word = WORDS[interpretation] ?? interpretation;
  const said = (
    <>
      <span aria-hidden="true" title={word}>
        {interpretation}
      </span>
      <span className="sr">{word}</span>
    </>
  );
  if (interpretation === 'N' || interpretation === 'NEG') return <span className="t12 muted">{said}</span>;
  return <Badge tone={/^(LL|HH|AA)$/.test(interpretation) ? 'solid-error' : 'neutral'}>{said}</Badge>;
}

/** What became of what was cited, said so that nobody acts on what no longer holds. */
export function formatNow({ unit }: Pick<Citation, 'unit'>, now: NonNullable<Citation['now']>): string {
  if (now.state === 'entered_in_error') return 'Entered in error since. Do not act on it.';
  if (now.value === null) return `Amended since: not in version ${now.report_version} any more`;
  const flag =
    now.interpretation === null || now.interpretation === 'N' ? '' : `, ${WORDS[now.interpretation]?.toLowerCase()}`;
  return `Amended since, version ${now.report_version}: ${formatQuantity(now.value, unit)}${flag}`;
}

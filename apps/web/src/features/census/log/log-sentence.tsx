import { logSentence, unreadableWords } from '@wardline/census/log-sentences.ts';
import type { LogEntry } from '@wardline/contract/census-logs.ts';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { ArrowRight } from 'lucide-react';
import { Fragment } from 'react';
import { dayWords } from '#/shared/time/zoned-time.ts';

/** What happened, in a plain sentence; what it is about stands out. */
export function LogSentence({ entry, today }: { entry: LogEntry; today: string }) {
  if (!entry.is_readable) return unreadableWords(entry.seq);
  const parts = logSentence(entry, (date) => dayWords(date, today));
  return parts.map(({ text, isStrong }, index) => {
    const Part = isStrong ? 'b' : Fragment;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never change their places
      <Part key={index}>
        <WithArrows text={text} />
      </Part>
    );
  });
}

function WithArrows({ text }: { text: string }) {
  const pieces = text.split('→');
  return pieces.map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a text is cut in the same places every time
    <Fragment key={index}>
      {index > 0 && (
        <span className="log-arrow">
          <Icon of={ArrowRight} size="sm" />
          <span className="sr">to</span>
        </span>
      )}
      {piece}
    </Fragment>
  ));
}

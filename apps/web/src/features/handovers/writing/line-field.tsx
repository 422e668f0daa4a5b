import type { HandoverSuggestion } from '@wardline/contract/examinations/handovers.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { GrowingTextarea } from '@wardline/ui/input/growing-textarea.tsx';
import { X } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { SECTION_LABELS } from '#/features/handovers/core/handover-labels.ts';
import { SourceLink } from '#/features/handovers/core/source-link.tsx';
import { type DraftLine, isQuoted, LIMITS } from './sheet-draft.ts';

interface LineFieldProps {
  readonly line: DraftLine;
  readonly chatPath: string;
  readonly zone: string;
  /** It was just added: one writes in it at once. */
  readonly isFresh: boolean;
  readonly error: string | undefined;
  /** What the chat says by now in the place of what is quoted; null where it says nothing of it, undefined where it says the same. */
  readonly now: HandoverSuggestion | null | undefined;
  readonly onText: (text: string) => void;
  /** Takes what the chat says now, or with null makes the line its writer's own. */
  readonly onSuggestion: (suggestion: HandoverSuggestion | null) => void;
  readonly onRemove: () => void;
}

export function LineField({
  line,
  chatPath,
  zone,
  isFresh,
  error,
  now,
  onText,
  onSuggestion,
  onRemove,
}: LineFieldProps) {
  const noteId = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (isFresh) box.current?.focus();
  }, [isFresh]);
  const isOutdated = now !== undefined || error !== undefined;
  return (
    <li className="hand-line">
      <div className="hand-line-text">
        <GrowingTextarea
          ref={box}
          label={`${SECTION_LABELS[line.section]}, line`}
          className="input"
          dir="auto"
          maxLength={LIMITS.line}
          value={line.text}
          aria-invalid={isOutdated || undefined}
          aria-describedby={noteId}
          onChange={(event) => onText(event.target.value)}
        />
        <Button
          variant="ghost"
          color="neutral"
          iconOnly
          icon={X}
          label={`Remove: ${line.text || 'empty line'}`}
          onClick={onRemove}
        />
      </div>
      <div id={noteId} className="hand-note t12">
        {line.suggestion && (
          <SourceLink source={line.suggestion.source} isQuoted={isQuoted(line)} {...{ chatPath, zone }} />
        )}
        {isOutdated && (
          <p className="c-error" role="alert">
            {now ? `The chat says now: ${now.text}` : (error ?? 'The chat does not say this any more.')}{' '}
            {now && (
              <Button variant="link" size="sm" onClick={() => onSuggestion(now)}>
                Update
              </Button>
            )}{' '}
            {line.suggestion && (
              <Button variant="link" size="sm" onClick={() => onSuggestion(null)}>
                Keep as my own text
              </Button>
            )}
          </p>
        )}
      </div>
    </li>
  );
}

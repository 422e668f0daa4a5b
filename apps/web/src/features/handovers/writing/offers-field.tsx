import type { HandoverSuggestion } from '@wardline/contract/examinations/handovers.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Plus } from 'lucide-react';
import { SourceLink } from '#/features/handovers/core/source-link.tsx';

interface OffersFieldProps {
  readonly offers: readonly HandoverSuggestion[];
  readonly chatPath: string;
  readonly zone: string;
  readonly onAdd: (suggestion: HandoverSuggestion) => void;
}

/** What stands in the chat and not in the sheet: the last messages, and what was taken out. */
export function OffersField({ offers, chatPath, zone, onAdd }: OffersFieldProps) {
  if (offers.length === 0) return null;
  return (
    <details className="hand-block hand-offers">
      <summary>
        More from the chat <span className="num muted">{offers.length}</span>
      </summary>
      <ul className="hand-lines">
        {offers.map((suggestion) => (
          <li key={`${suggestion.kind} ${suggestion.source.id}`} className="hand-offer">
            <div>
              <p dir="auto" className="hand-text">
                {suggestion.text}
              </p>
              <p className="t12">
                <SourceLink source={suggestion.source} isQuoted {...{ chatPath, zone }} />
              </p>
            </div>
            <Button
              variant="ghost"
              color="neutral"
              iconOnly
              icon={Plus}
              label={`Add: ${suggestion.text}`}
              onClick={() => onAdd(suggestion)}
            />
          </li>
        ))}
      </ul>
    </details>
  );
}

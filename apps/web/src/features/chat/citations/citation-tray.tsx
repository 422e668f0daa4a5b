import type { Citation } from '@wardline/contract/chat/citations.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { X } from 'lucide-react';
import { CitedFinding } from './citations.tsx';

interface CitationTrayProps {
  readonly citations: readonly Citation[];
  readonly onChange: (citations: readonly Citation[]) => void;
}

/** Over the box one writes in: the findings that the message will cite. */
export function CitationTray({ citations, onChange }: CitationTrayProps) {
  return (
    <>
      <ul className="cite-tray" aria-label="Findings this message will cite">
        {citations.map((citation) => (
          <li key={`${citation.examination_id} ${citation.field}`}>
            <p className="m-cite">
              <CitedFinding citation={citation} />
            </p>
            <Button
              variant="ghost"
              color="neutral"
              size="sm"
              iconOnly
              icon={X}
              label={`Don’t cite ${citation.label}`}
              onClick={() => onChange(citations.filter((one) => one !== citation))}
            />
          </li>
        ))}
      </ul>
      <p className="sr" role="status" aria-live="polite">
        {citations.length === 1
          ? '1 finding goes with the message'
          : `${citations.length} findings go with the message`}
      </p>
    </>
  );
}

import type { HandoverSection, HandoverSuggestion } from '@wardline/contract/examinations/handovers.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { SECTION_LABELS } from '#/features/handovers/core/handover-labels.ts';
import { LineField } from './line-field.tsx';
import { changedSuggestion, type DraftLine, type SheetDraft } from './sheet-draft.ts';
import type { Problem } from './sheet-problem.ts';

interface SectionFieldProps {
  readonly section: HandoverSection;
  readonly draft: SheetDraft;
  /** What the chat says now. */
  readonly suggestions: readonly HandoverSuggestion[];
  readonly problem: Problem | null;
  readonly chatPath: string;
  readonly zone: string;
  /** All lines of the sheet, those of other sections among them. */
  readonly onLines: (lines: DraftLine[]) => void;
}

/** The lines of one part of a sheet, each with what the chat says of it by now. */
export function SectionField(props: SectionFieldProps) {
  const { section, draft, suggestions, problem, chatPath, zone, onLines } = props;
  const { lines } = draft;
  const [fresh, setFresh] = useState<string | null>(null);
  const change = (key: string, next: Partial<DraftLine>) =>
    onLines(lines.map((line) => (line.key === key ? { ...line, ...next } : line)));
  const add = () => {
    const key = uuidv7();
    setFresh(key);
    onLines([...lines, { key, section, text: '', suggestion: null }]);
  };
  return (
    <section className="hand-block" aria-label={SECTION_LABELS[section]}>
      <h3>{SECTION_LABELS[section]}</h3>
      <ul className="hand-lines">
        {lines
          .filter((line) => line.section === section)
          .map((line) => (
            <LineField
              key={line.key}
              {...{ line, chatPath, zone }}
              isFresh={line.key === fresh}
              error={problem?.field === line.key ? problem.text : undefined}
              now={changedSuggestion(line, suggestions)}
              onText={(text) => change(line.key, { text })}
              onSuggestion={(suggestion) =>
                change(line.key, suggestion ? { suggestion, text: suggestion.text } : { suggestion: null })
              }
              onRemove={() => onLines(lines.filter(({ key }) => key !== line.key))}
            />
          ))}
      </ul>
      <Button variant="link" size="sm" onClick={add}>
        Write a line<span className="sr">: {SECTION_LABELS[section]}</span>
      </Button>
    </section>
  );
}

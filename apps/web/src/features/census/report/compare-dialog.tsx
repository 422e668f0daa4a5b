import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { RadioGroup } from '@wardline/ui/input/radio-group.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useState } from 'react';
import { type Choice, type Difference, differencesOf, firstChoice, mergeDrafts } from './engine/compare-drafts.ts';
import { draftOf, type ReportDraft } from './engine/report-draft.ts';
import type { EditorState } from './engine/report-editor.ts';

interface CompareDialogProps {
  readonly state: EditorState;
  readonly onResolve: (draft: ReportDraft) => void;
  readonly onClose: () => void;
}

/** Mine, theirs and what both began from, field by field; what is chosen becomes the draft on the newer version. */
export function CompareDialog({ state, onResolve, onClose }: CompareDialogProps) {
  const { day, base, draft } = state;
  const versions = { base: draftOf(base), mine: draft, theirs: draftOf(day) };
  const differences = differencesOf(versions);
  const [chosen, setChosen] = useState<Readonly<Record<string, Choice>>>({});
  const choices = Object.fromEntries(differences.map((one) => [one.key, chosen[one.key] ?? firstChoice(one)]));
  const all = (choice: Choice) => setChosen(Object.fromEntries(differences.map(({ key }) => [key, choice])));
  const resolve = (next: ReportDraft) => {
    onResolve(next);
    onClose();
  };
  const isOpen = day.may.edit;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="lg"
      title="Two versions of this report"
      description={
        isOpen
          ? 'Choose which value to keep for each field, then submit.'
          : 'The report was reviewed in the meantime. Yours can only be kept here or discarded.'
      }
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Not now
          </Button>
          {isOpen ? (
            <Button onClick={() => resolve(mergeDrafts(versions, choices))}>Use these</Button>
          ) : (
            <Button color="error" variant="outline" onClick={() => resolve(versions.theirs)}>
              Discard mine
            </Button>
          )}
        </>
      }
    >
      <div className="stack stack-4">
        {isOpen && (
          <div className="row wrap">
            <Button variant="outline" color="neutral" size="sm" onClick={() => all('mine')}>
              All mine
            </Button>
            <Button variant="outline" color="neutral" size="sm" onClick={() => all('theirs')}>
              All theirs
            </Button>
          </div>
        )}
        {differences.length === 0 && <Banner tone="success">Both say the same.</Banner>}
        {differences.map((difference) => (
          <Sides
            key={difference.key}
            difference={difference}
            choice={choices[difference.key] ?? 'mine'}
            isOpen={isOpen}
            onChoose={(choice) => setChosen({ ...chosen, [difference.key]: choice })}
          />
        ))}
      </div>
    </Dialog>
  );
}

interface SidesProps {
  readonly difference: Difference;
  readonly choice: Choice;
  readonly isOpen: boolean;
  readonly onChoose: (choice: Choice) => void;
}

function Sides({ difference, choice, isOpen, onChoose }: SidesProps) {
  const said = (text: string) => (text === '' ? 'nothing' : text);
  return (
    <div className="compare-row">
      <RadioGroup
        label={
          <span className="row">
            {difference.label}
            {difference.isContested && <Badge tone="warning">both changed it</Badge>}
          </span>
        }
        help={`Before: ${said(difference.base)}`}
        isInline
        value={choice}
        onValueChange={onChoose}
        choices={[
          { value: 'mine', label: `Mine: ${said(difference.mine)}`, isDisabled: !isOpen },
          { value: 'theirs', label: `Theirs: ${said(difference.theirs)}`, isDisabled: !isOpen },
        ]}
      />
    </div>
  );
}

import {
  ABILITIES,
  ABILITY_LABELS,
  type Ability,
  createPersonalToken,
  LONGEST_TOKEN_DAYS,
  USUAL_TOKEN_DAYS,
} from '@wardline/contract/account/personal-tokens.ts';
import { FieldNote } from '@wardline/ui/field/field-note.tsx';
import { Checkbox } from '@wardline/ui/input/checkbox.tsx';
import { useId } from 'react';
import { NewTokenDialog } from '#/shared/forms/dialogs/new-token-dialog.tsx';
import { useConfirmedCall } from '#/shared/forms/dialogs/use-confirmed-call.ts';

interface TokenDialogProps {
  readonly refresh: () => Promise<void>;
  readonly onClose: () => void;
}

/** Makes an access token. */
export function TokenDialog(acts: TokenDialogProps) {
  const call = useConfirmedCall();
  const noteId = useId();
  return (
    <NewTokenDialog
      {...acts}
      what={{ noun: 'access token', article: 'an' }}
      description="A program that has it may do what you choose here, and never more than you may yourself."
      readyDescription="Copy it now; it is shown once. Whoever has it acts in your name, so keep it like a password."
      exampleName="Bed board"
      days={{ usual: USUAL_TOKEN_DAYS, longest: LONGEST_TOKEN_DAYS }}
      create={async (body, data) => {
        const abilities = data.getAll('abilities').map(String) as Ability[];
        return (await call(createPersonalToken, { body: { ...body, abilities } })).plain_text_token;
      }}
      abilities={(error) => (
        <fieldset className="stack stack-3" aria-describedby={noteId}>
          <legend className="label">It may</legend>
          {ABILITIES.map((ability) => (
            <Checkbox key={ability} name="abilities" value={ability} label={ABILITY_LABELS[ability]} />
          ))}
          <FieldNote id={noteId} error={error} />
        </fieldset>
      )}
    />
  );
}

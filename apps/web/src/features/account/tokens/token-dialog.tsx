import {
  ABILITIES,
  ABILITY_LABELS,
  type Ability,
  createPersonalToken,
  LONGEST_TOKEN_DAYS,
  USUAL_TOKEN_DAYS,
} from '@wardline/contract/account/personal-tokens.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { FieldNote } from '@wardline/ui/field/field-note.tsx';
import { Checkbox } from '@wardline/ui/input/checkbox.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useId, useState } from 'react';
import { CopyOnce } from '#/shared/forms/copy-once.tsx';
import { useConfirmedCall } from '#/shared/forms/dialogs/use-confirmed-call.ts';
import { useForm } from '#/shared/forms/use-form.ts';

interface TokenDialogProps {
  readonly refresh: () => Promise<void>;
  readonly onClose: () => void;
}

/** Makes an access token and shows it, which is never shown again. */
export function TokenDialog({ refresh, onClose }: TokenDialogProps) {
  const call = useConfirmedCall();
  const formId = useId();
  const noteId = useId();
  const [secret, setSecret] = useState<string | null>(null);
  const { props, error, isBusy } = useForm({
    names: ['name', 'abilities', 'expires_in_days'],
    required: {
      name: 'Enter a name.',
      abilities: 'Choose what it may be used for.',
      expires_in_days: 'Enter a number of days.',
    },
    async send({ name, expires_in_days }, data) {
      const abilities = data.getAll('abilities').map(String) as Ability[];
      const body = { name, abilities, expires_in_days: Number(expires_in_days) };
      const { plain_text_token } = await call(createPersonalToken, { body });
      setSecret(plain_text_token);
      await refresh();
    },
  });
  const frame = { open: true, onOpenChange: (isOpen: boolean) => !isOpen && onClose(), closesOutside: false } as const;
  if (secret !== null) {
    return (
      <Dialog
        {...frame}
        title="The access token is ready"
        description="Copy it now; it is shown once. Whoever has it acts in your name, so keep it like a password."
        footer={<Button onClick={onClose}>Done</Button>}
      >
        <CopyOnce label="Access token" text={secret} />
      </Dialog>
    );
  }
  return (
    <Dialog
      {...frame}
      title="Create an access token"
      description="A program that has it may do what you choose here, and never more than you may yourself."
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} isLoading={isBusy}>
            Create token
          </Button>
        </>
      }
    >
      <form id={formId} className="stack stack-4" {...props}>
        {error.general && <Banner tone="error">{error.general}</Banner>}
        <TextInput
          label="Name"
          name="name"
          autoComplete="off"
          maxLength={80}
          help="So that you know it in this list: 'Bed board'."
          error={error.fields.name}
        />
        <fieldset className="stack stack-3" aria-describedby={noteId}>
          <legend className="label">It may</legend>
          {ABILITIES.map((ability) => (
            <Checkbox key={ability} name="abilities" value={ability} label={ABILITY_LABELS[ability]} />
          ))}
          <FieldNote id={noteId} error={error.fields.abilities} />
        </fieldset>
        <TextInput
          label="Expires after"
          name="expires_in_days"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={String(USUAL_TOKEN_DAYS)}
          help={`Days, ${LONGEST_TOKEN_DAYS} at most.`}
          error={error.fields.expires_in_days}
        />
      </form>
    </Dialog>
  );
}

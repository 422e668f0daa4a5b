import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { type ReactNode, useId, useState } from 'react';
import { CopyOnce } from '#/shared/forms/copy-once.tsx';
import { useForm } from '#/shared/forms/use-form.ts';

interface NewTokenDialogProps {
  /** Which token, as 'access token', with the article before it. */
  readonly what: { readonly noun: string; readonly article: 'a' | 'an' };
  /** What it is for. */
  readonly description: string;
  /** What is to be known of it once it is there. */
  readonly readyDescription: string;
  /** A name that it may have. */
  readonly exampleName: string;
  readonly days: { readonly usual: number; readonly longest: number };
  /** The fields for what it may be used for, with what is wrong there; left out where that is not chosen. */
  readonly abilities?: (error: string | undefined) => ReactNode;
  /** Makes the token; resolves to its text. */
  readonly create: (
    body: { readonly name: string; readonly expires_in_days: number },
    data: FormData,
  ) => Promise<string>;
  readonly refresh: () => Promise<void>;
  readonly onClose: () => void;
}

/** Makes a token and shows it, which is never shown again. */
export function NewTokenDialog(props: NewTokenDialogProps) {
  const { what, description, readyDescription, exampleName, days, abilities, create, refresh, onClose } = props;
  const formId = useId();
  const [secret, setSecret] = useState<string | null>(null);
  const form = useForm({
    names: ['name', 'abilities', 'expires_in_days'],
    required: {
      name: 'Enter a name.',
      ...(abilities && { abilities: 'Choose what it may be used for.' }),
      expires_in_days: 'Enter a number of days.',
    },
    async send({ name, expires_in_days }, data) {
      setSecret(await create({ name, expires_in_days: Number(expires_in_days) }, data));
      await refresh();
    },
  });
  const { error } = form;
  const frame = { open: true, onOpenChange: (isOpen: boolean) => !isOpen && onClose(), closesOutside: false } as const;
  if (secret !== null) {
    return (
      <Dialog
        {...frame}
        title={`The ${what.noun} is ready`}
        description={readyDescription}
        footer={<Button onClick={onClose}>Done</Button>}
      >
        <CopyOnce label={what.noun.charAt(0).toUpperCase() + what.noun.slice(1)} text={secret} />
      </Dialog>
    );
  }
  return (
    <Dialog
      {...frame}
      title={`Create ${what.article} ${what.noun}`}
      description={description}
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} isLoading={form.isBusy}>
            Create token
          </Button>
        </>
      }
    >
      <form id={formId} className="stack stack-4" {...form.props}>
        {error.general && <Banner tone="error">{error.general}</Banner>}
        <TextInput
          label="Name"
          name="name"
          autoComplete="off"
          maxLength={80}
          help={`So that you know it in this list: '${exampleName}'.`}
          error={error.fields.name}
        />
        {abilities?.(error.fields.abilities)}
        <TextInput
          label="Expires after"
          name="expires_in_days"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={String(days.usual)}
          help={`Days, ${days.longest} at most.`}
          error={error.fields.expires_in_days}
        />
      </form>
    </Dialog>
  );
}

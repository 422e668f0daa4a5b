import { createScimToken, LONGEST_SCIM_TOKEN_DAYS } from '@wardline/contract/account/scim.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useId, useState } from 'react';
import { CopyOnce } from '#/shared/forms/copy-once.tsx';
import { useConfirmedCall } from '#/shared/forms/dialogs/use-confirmed-call.ts';
import { useForm } from '#/shared/forms/use-form.ts';

interface DirectoryDialogProps {
  readonly facility: Facility;
  readonly refresh: () => Promise<void>;
  readonly onClose: () => void;
}

/** Makes a token for the facility's directory and shows it, which is never shown again. */
export function DirectoryDialog({ facility, refresh, onClose }: DirectoryDialogProps) {
  const call = useConfirmedCall();
  const formId = useId();
  const [secret, setSecret] = useState<string | null>(null);
  const { props, error, isBusy } = useForm({
    names: ['name', 'expires_in_days'],
    required: { name: 'Enter a name.', expires_in_days: 'Enter a number of days.' },
    async send({ name, expires_in_days }) {
      const body = { name, expires_in_days: Number(expires_in_days) };
      const { plain_text_token } = await call(createScimToken, { params: { facility: facility.id }, body });
      setSecret(plain_text_token);
      await refresh();
    },
  });
  const frame = { open: true, onOpenChange: (isOpen: boolean) => !isOpen && onClose(), closesOutside: false } as const;
  if (secret !== null) {
    return (
      <Dialog
        {...frame}
        title="The directory token is ready"
        description={`Copy it into your directory now; it is shown once. Whoever has it decides who belongs to ${facility.name}.`}
        footer={<Button onClick={onClose}>Done</Button>}
      >
        <CopyOnce label="Directory token" text={secret} />
      </Dialog>
    );
  }
  return (
    <Dialog
      {...frame}
      title="Create a directory token"
      description="A directory that has it adds people, gives and takes the roles that you may give, and ends memberships. It stops working when you can’t manage members any more."
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
          help="So that you know it in this list: 'Entra ID'."
          error={error.fields.name}
        />
        <TextInput
          label="Expires after"
          name="expires_in_days"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={String(LONGEST_SCIM_TOKEN_DAYS)}
          help={`Days, ${LONGEST_SCIM_TOKEN_DAYS} at most.`}
          error={error.fields.expires_in_days}
        />
      </form>
    </Dialog>
  );
}

import { beginPasskey, createPasskey, type Passkey, renamePasskey } from '@wardline/contract/account/passkeys.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useId } from 'react';
import { sayDone } from '#/shared/contexts/show-toast.ts';
import { useConfirmedCall } from '#/shared/forms/dialogs/use-confirmed-call.ts';
import { useForm } from '#/shared/forms/use-form.ts';
import { makePasskey } from '#/shared/forms/web-authn.ts';
import { formatDevice } from '../device-labels.ts';

interface PasskeyDialogProps {
  /** Null for a new one. */
  readonly existing: Passkey | null;
  readonly refresh: () => Promise<void>;
  readonly onClose: () => void;
}

/** Names a passkey, and has the browser make it where it is new. */
export function PasskeyDialog({ existing, refresh, onClose }: PasskeyDialogProps) {
  const call = useConfirmedCall();
  const formId = useId();
  const { props, error, isBusy } = useForm({
    names: ['name'],
    required: { name: 'Enter a name.' },
    async send({ name }) {
      if (existing) await call(renamePasskey, { params: { passkey: existing.id }, body: { name } });
      else {
        const credential = await makePasskey(await call(beginPasskey));
        await call(createPasskey, { body: { name, credential } });
        sayDone('Passkey added');
      }
      await refresh();
      onClose();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={false}
      title={existing ? 'Rename passkey' : 'Add a passkey'}
      description={
        existing
          ? undefined
          : 'Your browser asks where to keep it. Not on a shared ward computer: whoever can unlock it signs in as you.'
      }
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} isLoading={isBusy}>
            {existing ? 'Rename' : 'Add passkey'}
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
          defaultValue={existing?.name ?? formatDevice(navigator.userAgent)}
          help="So that you know it in this list."
          error={error.fields.name}
        />
      </form>
    </Dialog>
  );
}

import { type Account, changeEmail } from '@wardline/contract/account/account.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { PasswordInput } from '@wardline/ui/input/password-input.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useId } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useForm } from '#/shared/forms/use-form.ts';
import { useQueryClient } from '#/shared/queries/use-query.ts';
import { accountKey } from './account-queries.ts';

/** Asks for another address; it counts once its link was followed. */
export function ChangeEmailDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const call = useCall();
  const queries = useQueryClient();
  const formId = useId();
  const { props, error, isBusy } = useForm({
    names: ['email', 'current_password'],
    required: { email: 'Enter the new email.', current_password: 'Enter your password.' },
    async send(values) {
      queries.setQueryData(accountKey, await call(changeEmail, { body: values }));
      onClose();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={false}
      title="Change email"
      description={`You sign in with ${account.email} until you open the link we send to the new address.`}
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} isLoading={isBusy}>
            Send link
          </Button>
        </>
      }
    >
      <form id={formId} className="stack stack-4" {...props}>
        {error.general && <Banner tone="error">{error.general}</Banner>}
        <TextInput
          label="New email"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          error={error.fields.email}
        />
        <PasswordInput
          label="Password"
          name="current_password"
          autoComplete="current-password"
          maxLength={128}
          error={error.fields.current_password}
        />
      </form>
    </Dialog>
  );
}

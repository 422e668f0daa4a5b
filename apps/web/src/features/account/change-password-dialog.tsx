import { changePassword } from '@wardline/contract/account/account.ts';
import type { User } from '@wardline/contract/account/auth.ts';
import { SHORTEST_SECOND_PASSWORD } from '@wardline/contract/values.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { PasswordInput } from '@wardline/ui/input/password-input.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useId } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { NewPasswordField } from '#/shared/forms/fields/new-password-field.tsx';
import { useForm } from '#/shared/forms/use-form.ts';
import { useQueryClient } from '#/shared/queries/use-query.ts';
import { accountKey } from './account-queries.ts';
import { useSecondFactors } from './second-factor/second-factor-queries.ts';

interface ChangePasswordDialogProps {
  readonly user: User;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/** Sets another password, for who knows the present one. */
export function ChangePasswordDialog({ user, onChanged, onClose }: ChangePasswordDialogProps) {
  const call = useCall();
  const queries = useQueryClient();
  const formId = useId();
  const hasFactor = useSecondFactors().data?.totp_confirmed_at != null;
  const { props, error, isBusy } = useForm({
    names: ['current_password', 'password'],
    required: { current_password: 'Enter your current password.', password: 'Choose a password.' },
    async send(values) {
      await call(changePassword, { body: { ...values, password_confirmation: values.password } });
      onChanged();
      onClose();
      // The sessions are below this key: the others are ended now.
      await queries.invalidateQueries({ queryKey: accountKey });
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={false}
      title="Change password"
      description="Every other browser and app is signed out."
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} isLoading={isBusy}>
            Change password
          </Button>
        </>
      }
    >
      <form id={formId} className="stack stack-4" {...props}>
        {error.general && <Banner tone="error">{error.general}</Banner>}
        {/* Tells a password manager whose password this is. */}
        <input type="email" autoComplete="username" value={user.email} readOnly hidden />
        <PasswordInput
          label="Current password"
          name="current_password"
          autoComplete="current-password"
          maxLength={128}
          error={error.fields.current_password}
        />
        <NewPasswordField
          label="New password"
          error={error.fields.password}
          name={user.name}
          email={user.email}
          shortest={hasFactor ? SHORTEST_SECOND_PASSWORD : undefined}
        />
      </form>
    </Dialog>
  );
}

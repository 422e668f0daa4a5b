import type { OverlayControl } from '@wardline/client/overlays/overlay.ts';
import { getUser } from '@wardline/contract/account/auth.ts';
import { confirmPassword } from '@wardline/contract/account/second-factor.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { PasswordInput } from '@wardline/ui/input/password-input.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useEffect, useId, useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { usePageConfig } from '#/shared/contexts/page-config.ts';
import { useForm } from '../use-form.ts';
import { ProviderConfirm } from './provider-confirm.tsx';

/** Asks who is here for their password once more; closes with true when it was right. */
export function PasswordDialog({ overlay }: { readonly overlay: OverlayControl<true> }) {
  const call = useCall();
  const formId = useId();
  const { sso: providers = [] } = usePageConfig();
  const [email, setEmail] = useState('');
  useEffect(() => {
    // Whoever keeps passwords asks whose it is; without an answer they guess.
    call(getUser, {}).then(
      (user) => setEmail(user.email),
      () => undefined,
    );
  }, [call]);
  const { props, error, isBusy } = useForm({
    names: ['password'],
    required: { password: 'Enter your password.' },
    async send(values) {
      await call(confirmPassword, { body: values });
      overlay.close(true);
    },
  });
  return (
    <Dialog
      open={overlay.isOpen}
      onOpenChange={(isOpen) => !isOpen && overlay.dismiss()}
      onAfterLeave={overlay.afterLeave}
      closesOutside={false}
      title="Confirm it’s you"
      description="Enter your password to go on. You won’t be asked again for 15 minutes."
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={overlay.dismiss}>
            Cancel
          </Button>
          <Button type="submit" form={formId} isLoading={isBusy}>
            Confirm
          </Button>
        </>
      }
    >
      <form id={formId} className="stack stack-4" {...props}>
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        {error.general && <Banner tone="error">{error.general}</Banner>}
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          maxLength={128}
          error={error.fields.password}
        />
      </form>
      <ProviderConfirm providers={providers} purpose="confirm" onDone={() => overlay.close(true)} />
    </Dialog>
  );
}

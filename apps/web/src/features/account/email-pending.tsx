import { type Account, cancelEmailChange, sendVerification } from '@wardline/contract/account/account.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useAction } from '#/shared/forms/use-action.ts';
import { useQueryClient } from '#/shared/queries/use-query.ts';
import { accountKey } from './account-queries.ts';

/** An address that waits for its link to be followed: the link again, or another mind. */
export function EmailPending({ account }: { account: Account }) {
  const call = useCall();
  const queries = useQueryClient();
  const [status, setStatus] = useState<string | null>(null);
  const send = useAction(async () => {
    setStatus(null);
    setStatus((await call(sendVerification)).status);
  });
  const cancel = useAction(async () => {
    queries.setQueryData(accountKey, await call(cancelEmailChange));
  });
  const { email, pending_email: pending } = account;
  const error = send.error ?? cancel.error;
  return (
    <div className="stack">
      <p>
        {pending === null ? (
          <>
            We sent a link to <b className="breaks">{email}</b>. Open it to verify the address.
          </>
        ) : (
          <>
            We sent a link to <b className="breaks">{pending}</b>. Until you open it, you sign in with {email}.
          </>
        )}
      </p>
      {status !== null && (
        <p role="status" className="strong">
          {status}
        </p>
      )}
      {error !== null && <Banner tone="error">{error}</Banner>}
      <div className="row wrap">
        <Button variant="outline" color="neutral" size="sm" isLoading={send.isBusy} onClick={send.run}>
          Resend link
        </Button>
        {pending !== null && (
          <Button variant="ghost" color="neutral" size="sm" isLoading={cancel.isBusy} onClick={cancel.run}>
            Cancel the change
          </Button>
        )}
      </div>
    </div>
  );
}

import type { Account } from '@wardline/contract/account/account.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { SettingsRow } from '@wardline/ui/settings/settings.tsx';
import { Check, Mail } from 'lucide-react';
import { useState } from 'react';
import { ChangeEmailDialog } from './change-email-dialog.tsx';
import { EmailPending } from './email-pending.tsx';

/** The address one signs in with, and what waits to be verified. */
export function EmailRow({ account }: { account: Account }) {
  const [isChanging, setIsChanging] = useState(false);
  const isVerified = account.email_verified_at !== null;
  const waits = account.pending_email !== null || !isVerified;
  return (
    <>
      <SettingsRow
        icon={Mail}
        title="Email"
        mark={
          isVerified ? (
            <Badge tone="success" icon={Check}>
              Verified
            </Badge>
          ) : (
            <Badge tone="line">Not verified</Badge>
          )
        }
        text={
          <>
            <p>{account.email}</p>
            {waits && <EmailPending account={account} />}
          </>
        }
      >
        <Button variant="outline" color="neutral" label="Change email" onClick={() => setIsChanging(true)}>
          Change
        </Button>
      </SettingsRow>
      {isChanging && <ChangeEmailDialog account={account} onClose={() => setIsChanging(false)} />}
    </>
  );
}

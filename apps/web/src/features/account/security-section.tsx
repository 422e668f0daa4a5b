import { serverNow } from '@wardline/client/server-clock.ts';
import type { User } from '@wardline/contract/account/auth.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card } from '@wardline/ui/card/card.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { SettingsRow } from '@wardline/ui/settings/settings.tsx';
import { LockKeyhole } from 'lucide-react';
import { useState } from 'react';
import { lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { dayIn, deviceZone, formatDay } from '#/shared/time/zoned-time.ts';
import { useAccount } from './account-queries.ts';
import { ChangePasswordDialog } from './change-password-dialog.tsx';
import { EmailRow } from './email-row.tsx';
import { ProviderOutcome, ProviderRows } from './second-factor/provider-rows.tsx';
import { SettingsSection } from './settings-section.tsx';

const SecondFactorRows = lazyPart<object>(
  async () => (await import('./second-factor/second-factor-rows.tsx')).SecondFactorRows,
);

const TokenRows = lazyPart<object>(async () => (await import('./tokens/token-rows.tsx')).TokenRows);

/** ACC-5: the address and the password one signs in with. */
export function SecuritySection({ user }: { user: User }) {
  const { account, hasFailed, retry } = useAccount(user);
  const [isChanging, setIsChanging] = useState(false);
  const [isChanged, setIsChanged] = useState(false);
  return (
    <SettingsSection id="security" title="Sign-in and security">
      <Card isList>
        {hasFailed && (
          <Banner
            tone="warning"
            isFlush
            action={
              <Button variant="link" onClick={retry}>
                Retry
              </Button>
            }
          >
            Your account could not be loaded.
          </Banner>
        )}
        <ProviderOutcome />
        <ul className="list">
          <li>
            <EmailRow account={account} />
          </li>
          <li>
            <SettingsRow
              icon={LockKeyhole}
              title="Password"
              text={isChanged ? <Changed /> : formatChanged(account.password_changed_at)}
            >
              <Button variant="outline" color="neutral" label="Change password" onClick={() => setIsChanging(true)}>
                Change
              </Button>
            </SettingsRow>
          </li>
          <SecondFactorRows />
          <ProviderRows />
          <TokenRows />
        </ul>
      </Card>
      {isChanging && (
        <ChangePasswordDialog user={user} onChanged={() => setIsChanged(true)} onClose={() => setIsChanging(false)} />
      )}
    </SettingsSection>
  );
}

function Changed() {
  return <span role="status">Password changed. You are signed out everywhere else.</span>;
}

function formatChanged(changedAt: string | null): string {
  if (changedAt === null) return 'At least 15 characters.';
  const zone = deviceZone();
  return `Changed ${formatDay(dayIn(zone, Date.parse(changedAt)), dayIn(zone, serverNow()))}.`;
}

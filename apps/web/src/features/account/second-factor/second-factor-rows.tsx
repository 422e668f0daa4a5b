import { serverNow } from '@wardline/client/server-clock.ts';
import { endTwoFactor, renewRecoveryCodes, type SecondFactors } from '@wardline/contract/account/second-factor.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { SettingsRow } from '@wardline/ui/settings/settings.tsx';
import { Check, ListChecks, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { sayDone } from '#/shared/contexts/show-toast.ts';
import { useConfirm } from '#/shared/forms/dialogs/use-confirm.ts';
import { useConfirmedCall } from '#/shared/forms/dialogs/use-confirmed-call.ts';
import { dayIn, deviceZone, formatDay } from '#/shared/time/zoned-time.ts';
import { AppDialog } from './app-dialog.tsx';
import { PasskeyRows } from './passkey-rows.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import { useRefreshFactors, useSecondFactors } from './second-factor-queries.ts';

/** ACC-3: the app whose codes are asked for at sign-in, and what helps when it is lost. */
export function SecondFactorRows() {
  const { data, isError, refetch } = useSecondFactors();
  if (isError && data === undefined) {
    return (
      <li>
        <SettingsRow icon={Smartphone} title="Authenticator app" text="Could not be loaded.">
          <Button variant="link" onClick={() => void refetch()}>
            Retry
          </Button>
        </SettingsRow>
      </li>
    );
  }
  if (data === undefined) return null;
  return (
    <>
      <li>
        <AppRow factors={data} />
      </li>
      {data.totp_confirmed_at !== null && (
        <li>
          <RecoveryRow left={data.recovery_codes_left} />
        </li>
      )}
      <PasskeyRows />
    </>
  );
}

function AppRow({ factors }: { factors: SecondFactors }) {
  const [isSettingUp, setIsSettingUp] = useState(false);
  const call = useConfirmedCall();
  const confirm = useConfirm();
  const refresh = useRefreshFactors();
  const since = factors.totp_confirmed_at;
  const remove = () =>
    confirm({
      title: 'Turn off the authenticator app?',
      description: 'Your password alone will sign you in again, and your recovery codes stop working.',
      confirmLabel: 'Turn off',
      async onConfirm() {
        await call(endTwoFactor);
        await refresh();
        sayDone('Authenticator app turned off');
      },
    });
  return (
    <>
      <SettingsRow
        icon={Smartphone}
        title="Authenticator app"
        mark={
          since !== null && (
            <Badge tone="success" icon={Check}>
              On
            </Badge>
          )
        }
        text={since === null ? 'Off. With it, signing in also needs a code from your phone.' : formatSince(since)}
      >
        {since === null ? (
          <Button
            variant="outline"
            color="neutral"
            label="Set up authenticator app"
            onClick={() => setIsSettingUp(true)}
          >
            Set up
          </Button>
        ) : (
          <div className="row wrap">
            <Button variant="outline" color="neutral" onClick={() => setIsSettingUp(true)}>
              New phone
            </Button>
            <Button variant="outline" color="error" label="Turn off authenticator app" onClick={() => void remove()}>
              Turn off
            </Button>
          </div>
        )}
      </SettingsRow>
      {isSettingUp && <AppDialog isReplacement={since !== null} onClose={() => setIsSettingUp(false)} />}
    </>
  );
}

function RecoveryRow({ left }: { left: number }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const call = useConfirmedCall();
  const confirm = useConfirm();
  const refresh = useRefreshFactors();
  const renew = () =>
    confirm({
      title: 'Make new recovery codes?',
      description: 'You get ten new ones. Those you have kept stop working at once.',
      confirmLabel: 'Make new codes',
      async onConfirm() {
        const { recovery_codes } = await call(renewRecoveryCodes);
        setCodes(recovery_codes);
        await refresh();
      },
    });
  return (
    <>
      <SettingsRow icon={ListChecks} title="Recovery codes" text={formatLeft(left)}>
        <Button variant="outline" color="neutral" label="Make new recovery codes" onClick={() => void renew()}>
          New codes
        </Button>
      </SettingsRow>
      {codes !== null && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />}
    </>
  );
}

function formatSince(since: string): string {
  const zone = deviceZone();
  return `Since ${formatDay(dayIn(zone, Date.parse(since)), dayIn(zone, serverNow()))}. Signing in needs a code from your phone.`;
}

function formatLeft(left: number): string {
  if (left === 0) return 'None left. Make new ones, or you can’t sign in without your phone.';
  return `${left} of 10 left, for signing in without your phone.`;
}

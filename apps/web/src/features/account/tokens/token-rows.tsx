import { serverNow } from '@wardline/client/server-clock.ts';
import {
  ABILITY_LABELS,
  listPersonalTokens,
  type PersonalToken,
  revokePersonalToken,
  revokePersonalTokens,
} from '@wardline/contract/account/personal-tokens.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { SettingsRow } from '@wardline/ui/settings/settings.tsx';
import { KeySquare } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { sayDone } from '#/shared/contexts/show-toast.ts';
import { useConfirm } from '#/shared/forms/dialogs/use-confirm.ts';
import { useQuery, useQueryClient } from '#/shared/queries/use-query.ts';
import { dayIn, deviceZone, formatDay } from '#/shared/time/zoned-time.ts';
import { TokenDialog } from './token-dialog.tsx';

const tokensKey = ['account', 'tokens'] as const;

/** ACC-5: by what programs act in the person's name; nothing where the back end has no such tokens. */
export function TokenRows() {
  const call = useCall();
  const queries = useQueryClient();
  const confirm = useConfirm();
  const { data } = useQuery({ queryKey: tokensKey, queryFn: ({ signal }) => call(listPersonalTokens, { signal }) });
  const [isMaking, setIsMaking] = useState(false);
  const refresh = () => queries.invalidateQueries({ queryKey: tokensKey });
  if (data === undefined) return null;
  const revokeAll = () =>
    confirm({
      title: 'Revoke all access tokens?',
      description: 'Every program that uses one of them stops working at once. You stay signed in.',
      confirmLabel: 'Revoke all',
      async onConfirm() {
        await call(revokePersonalTokens);
        await refresh();
        sayDone('All access tokens revoked');
      },
    });
  return (
    <>
      {data.data.map((token) => (
        <li key={token.id}>
          <TokenRow token={token} refresh={refresh} />
        </li>
      ))}
      <li>
        <SettingsRow
          icon={KeySquare}
          title="Access tokens"
          text="For programs that read or write here in your name, such as a bed board."
        >
          <div className="row wrap">
            {data.data.length > 1 && (
              <Button variant="outline" color="error" label="Revoke all access tokens" onClick={() => void revokeAll()}>
                Revoke all
              </Button>
            )}
            <Button variant="outline" color="neutral" label="Create an access token" onClick={() => setIsMaking(true)}>
              Create
            </Button>
          </div>
        </SettingsRow>
        {isMaking && <TokenDialog refresh={refresh} onClose={() => setIsMaking(false)} />}
      </li>
    </>
  );
}

function TokenRow({ token, refresh }: { token: PersonalToken; refresh: () => Promise<void> }) {
  const call = useCall();
  const confirm = useConfirm();
  const { id, name, abilities } = token;
  const revoke = () =>
    confirm({
      title: `Revoke the access token ${name}?`,
      description: 'The program that uses it stops working at once.',
      confirmLabel: 'Revoke',
      async onConfirm() {
        await call(revokePersonalToken, { params: { token: id } });
        await refresh();
        sayDone('Access token revoked');
      },
    });
  return (
    <SettingsRow
      icon={KeySquare}
      title={name}
      text={
        <>
          {abilities.map((ability) => ABILITY_LABELS[ability]).join(' · ')}
          <br />
          {formatDays(token)}
        </>
      }
    >
      <Button variant="outline" color="error" label={`Revoke ${name}`} onClick={() => void revoke()}>
        Revoke
      </Button>
    </SettingsRow>
  );
}

function formatDays({ created_at, last_used_at, expires_at }: PersonalToken): string {
  const zone = deviceZone();
  const day = (at: string) => formatDay(dayIn(zone, Date.parse(at)), dayIn(zone, serverNow()));
  const used = last_used_at === null ? 'not used yet' : `last used ${day(last_used_at)}`;
  return `Access token, created ${day(created_at)}, ${used}, expires ${day(expires_at)}.`;
}

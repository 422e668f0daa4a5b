import { serverNow } from '@wardline/client/server-clock.ts';
import { listScimTokens, revokeScimToken, SCIM_ROOT, type ScimToken } from '@wardline/contract/account/scim.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card } from '@wardline/ui/card/card.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { SettingsRow } from '@wardline/ui/settings/settings.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { FolderSync, KeySquare } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { sayDone } from '#/shared/contexts/show-toast.ts';
import { useConfirm } from '#/shared/forms/dialogs/use-confirm.ts';
import { formatAction } from '#/shared/forms/form-errors.ts';
import { useQuery, useQueryClient } from '#/shared/queries/use-query.ts';
import { dayIn, deviceZone, formatDay } from '#/shared/time/zoned-time.ts';
import { DirectoryDialog } from './directory-dialog.tsx';

/** ACC-4: by what the facility's staff directory adds people, gives roles and takes people out. */
export function DirectoryCard({ facility }: { facility: Facility }) {
  const call = useCall();
  const queries = useQueryClient();
  const queryKey = ['scim-tokens', facility.id] as const;
  const params = { facility: facility.id };
  const tokens = useQuery({ queryKey, queryFn: ({ signal }) => call(listScimTokens, { params, signal }) });
  const [isMaking, setIsMaking] = useState(false);
  const refresh = () => queries.invalidateQueries({ queryKey });
  if (tokens.data === undefined) {
    if (!tokens.isError) return <Skeleton count={1} label="Loading the directory" />;
    return (
      <ErrorState
        level={3}
        title="The directory did not load"
        message={formatAction(tokens.error)}
        onRetry={() => void tokens.refetch()}
      />
    );
  }
  return (
    <Card isList>
      <ul className="list" aria-label="Directory">
        {tokens.data.data.map((token) => (
          <li key={token.id}>
            <TokenRow token={token} facility={facility} refresh={refresh} />
          </li>
        ))}
        <li>
          <SettingsRow
            icon={FolderSync}
            title="Connect a directory"
            text={
              <>
                For Entra ID, Okta and others that speak SCIM. Its address here is{' '}
                <span className="mono breaks">{`${location.origin}${SCIM_ROOT}`}</span>.
              </>
            }
          >
            <Button
              variant="outline"
              color="neutral"
              label="Create token for the directory"
              onClick={() => setIsMaking(true)}
            >
              Create token
            </Button>
          </SettingsRow>
        </li>
      </ul>
      {isMaking && <DirectoryDialog facility={facility} refresh={refresh} onClose={() => setIsMaking(false)} />}
    </Card>
  );
}

interface TokenRowProps {
  readonly token: ScimToken;
  readonly facility: Facility;
  readonly refresh: () => Promise<void>;
}

function TokenRow({ token, facility, refresh }: TokenRowProps) {
  const call = useCall();
  const confirm = useConfirm();
  const { id, name } = token;
  const revoke = () =>
    confirm({
      title: `Revoke the directory token ${name}?`,
      description: 'The directory can change nothing here any more. Members and their roles stay as they are.',
      confirmLabel: 'Revoke',
      async onConfirm() {
        await call(revokeScimToken, { params: { facility: facility.id, token: id } });
        await refresh();
        sayDone('Directory token revoked');
      },
    });
  return (
    <SettingsRow icon={KeySquare} title={name} text={formatToken(token)}>
      <Button variant="outline" color="error" label={`Revoke ${name}`} onClick={() => void revoke()}>
        Revoke
      </Button>
    </SettingsRow>
  );
}

function formatToken({ created_by, created_at, last_used_at, expires_at }: ScimToken): string {
  const zone = deviceZone();
  const day = (at: string) => formatDay(dayIn(zone, Date.parse(at)), dayIn(zone, serverNow()));
  const used = last_used_at === null ? 'not used yet' : `last used ${day(last_used_at)}`;
  return `Created ${day(created_at)} by ${created_by.name}, ${used}, expires ${day(expires_at)}.`;
}

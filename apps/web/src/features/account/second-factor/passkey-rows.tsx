import { serverNow } from '@wardline/client/server-clock.ts';
import { listPasskeys, type Passkey, removePasskey } from '@wardline/contract/account/passkeys.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { SettingsRow } from '@wardline/ui/settings/settings.tsx';
import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { sayDone } from '#/shared/contexts/show-toast.ts';
import { useConfirm } from '#/shared/forms/dialogs/use-confirm.ts';
import { useConfirmedCall } from '#/shared/forms/dialogs/use-confirmed-call.ts';
import { hasPasskeyAddress } from '#/shared/forms/passkey-address.ts';
import { useQuery, useQueryClient } from '#/shared/queries/use-query.ts';
import { dayIn, deviceZone, formatDay } from '#/shared/time/zoned-time.ts';
import { PasskeyDialog } from './passkey-dialog.tsx';

const passkeysKey = ['account', 'passkeys'] as const;

/** ACC-3: what signs in without a password; nothing where the back end has no passkeys. */
export function PasskeyRows() {
  const call = useCall();
  const queries = useQueryClient();
  const { data } = useQuery({ queryKey: passkeysKey, queryFn: ({ signal }) => call(listPasskeys, { signal }) });
  const [isAdding, setIsAdding] = useState(false);
  const refresh = () => queries.invalidateQueries({ queryKey: passkeysKey });
  if (data === undefined) return null;
  const isPossible = hasPasskeyAddress();
  return (
    <>
      {data.data.map((passkey) => (
        <li key={passkey.id}>
          <PasskeyRow passkey={passkey} refresh={refresh} />
        </li>
      ))}
      <li>
        <SettingsRow
          icon={Fingerprint}
          title="Passkeys"
          text={
            isPossible
              ? 'Sign in with your fingerprint, face or screen lock, without a password.'
              : 'Passkeys need the https address of this installation. Open it there to add one.'
          }
        >
          {isPossible && (
            <Button variant="outline" color="neutral" label="Add a passkey" onClick={() => setIsAdding(true)}>
              Add
            </Button>
          )}
        </SettingsRow>
        {isAdding && <PasskeyDialog existing={null} refresh={refresh} onClose={() => setIsAdding(false)} />}
      </li>
    </>
  );
}

function PasskeyRow({ passkey, refresh }: { passkey: Passkey; refresh: () => Promise<void> }) {
  const call = useConfirmedCall();
  const confirm = useConfirm();
  const [isRenaming, setIsRenaming] = useState(false);
  const { id, name } = passkey;
  const remove = () =>
    confirm({
      title: `Remove the passkey ${name}?`,
      description: 'It no longer signs you in. Your device may still offer it; you can delete it there.',
      confirmLabel: 'Remove',
      async onConfirm() {
        await call(removePasskey, { params: { passkey: id } });
        await refresh();
        sayDone('Passkey removed');
      },
    });
  return (
    <>
      <SettingsRow icon={Fingerprint} title={name} text={formatUse(passkey)}>
        <div className="row wrap">
          <Button variant="outline" color="neutral" label={`Rename ${name}`} onClick={() => setIsRenaming(true)}>
            Rename
          </Button>
          <Button variant="outline" color="error" label={`Remove ${name}`} onClick={() => void remove()}>
            Remove
          </Button>
        </div>
      </SettingsRow>
      {isRenaming && <PasskeyDialog existing={passkey} refresh={refresh} onClose={() => setIsRenaming(false)} />}
    </>
  );
}

function formatUse({ created_at, last_used_at }: Passkey): string {
  const zone = deviceZone();
  const day = (at: string) => formatDay(dayIn(zone, Date.parse(at)), dayIn(zone, serverNow()));
  const added = `Passkey, added ${day(created_at)}`;
  return last_used_at === null ? `${added}. Not used yet.` : `${added}, last used ${day(last_used_at)}.`;
}

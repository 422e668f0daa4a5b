import { openTabChannel } from '@wardline/client/browser/tab-channel.ts';
import { serverNow } from '@wardline/client/server-clock.ts';
import {
  beginProviderLink,
  listProviderLinks,
  type ProviderLink,
  removeProviderLink,
} from '@wardline/contract/account/single-sign-on.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { SettingsRow } from '@wardline/ui/settings/settings.tsx';
import { Link2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { usePageConfig } from '#/shared/contexts/page-config.ts';
import { sayDone } from '#/shared/contexts/show-toast.ts';
import { readSsoFailure, ssoFailures } from '#/shared/errors/sso-failures.ts';
import { PROVIDER_CHANNEL } from '#/shared/forms/dialogs/provider-confirm.tsx';
import { useConfirm } from '#/shared/forms/dialogs/use-confirm.ts';
import { useConfirmedCall } from '#/shared/forms/dialogs/use-confirmed-call.ts';
import { useAction } from '#/shared/forms/use-action.ts';
import { useQuery, useQueryClient } from '#/shared/queries/use-query.ts';
import { dayIn, deviceZone, formatDay } from '#/shared/time/zoned-time.ts';
import { accountKey } from '../account-queries.ts';

const DONE: Readonly<Record<string, string>> = {
  '#sso=linked': 'It is linked: you can sign in with it.',
  '#sso=confirmed': 'Confirmed. Close this tab and go on where you were.',
};
const linksKey = [...accountKey, 'providers'] as const;

/** ACC-4: at which providers one may sign in; nothing where the installation has none. */
export function ProviderRows() {
  const { sso = [] } = usePageConfig();
  return sso.length > 0 && <LoadedRows />;
}

function LoadedRows() {
  const call = useCall();
  const { data, isError, refetch } = useQuery({
    queryKey: linksKey,
    queryFn: ({ signal }) => call(listProviderLinks, { signal }),
  });
  if (isError && data === undefined) {
    return (
      <li>
        <SettingsRow icon={Link2} title="Sign-in providers" text="Could not be loaded.">
          <Button variant="link" onClick={() => void refetch()}>
            Retry
          </Button>
        </SettingsRow>
      </li>
    );
  }
  return data?.data.map((link) => (
    <li key={link.provider}>
      <ProviderRow link={link} />
    </li>
  ));
}

/** What came of a way to a provider, in the tab that came back. */
export function ProviderOutcome() {
  const [hash] = useState(() => location.hash);
  const failure = readSsoFailure(hash);
  const done = DONE[hash];
  useEffect(() => {
    if (hash !== '#sso=confirmed') return;
    const channel = openTabChannel<true>(PROVIDER_CHANNEL, () => undefined);
    channel.post(true);
    channel.close();
    // Only a tab that was opened for it closes.
    window.close();
  }, [hash]);
  if (failure === null && done === undefined) return null;
  return (
    <Banner tone={failure ? 'warning' : 'success'} isFlush>
      {failure ? ssoFailures[failure] : done}
    </Banner>
  );
}

function ProviderRow({ link }: { readonly link: ProviderLink }) {
  const call = useConfirmedCall();
  const confirm = useConfirm();
  const queries = useQueryClient();
  const { provider, label, linked_at: linkedAt } = link;
  const params = { provider };
  const { run, isBusy, error } = useAction(async () => {
    location.assign((await call(beginProviderLink, { params })).location);
  });
  const remove = () =>
    confirm({
      title: `Unlink ${label}?`,
      description:
        'It no longer signs you in, and roles that its groups gave you end. If you have no password here, set one first with “Forgot password?” on the sign-in page.',
      confirmLabel: 'Unlink',
      async onConfirm() {
        await call(removeProviderLink, { params });
        await queries.invalidateQueries({ queryKey: linksKey });
        sayDone(`${label} unlinked`);
      },
    });
  return (
    <>
      <SettingsRow icon={Link2} title={label} text={formatLink(link)}>
        {linkedAt === null ? (
          <Button variant="outline" color="neutral" label={`Link ${label}`} isLoading={isBusy} onClick={run}>
            Link
          </Button>
        ) : (
          <Button variant="outline" color="error" label={`Unlink ${label}`} onClick={() => void remove()}>
            Unlink
          </Button>
        )}
      </SettingsRow>
      {error && (
        <Banner tone="error" isFlush>
          {error}
        </Banner>
      )}
    </>
  );
}

function formatLink({ linked_at: linkedAt, last_used_at: usedAt }: ProviderLink): string {
  if (linkedAt === null) return 'Not linked. Once it is, you can sign in with it.';
  const zone = deviceZone();
  const day = (at: string) => formatDay(dayIn(zone, Date.parse(at)), dayIn(zone, serverNow()));
  return `Linked ${day(linkedAt)}${usedAt === null ? '' : `, last used ${day(usedAt)}`}. You can sign in with it.`;
}

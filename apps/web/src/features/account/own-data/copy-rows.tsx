import { downloadFile } from '@wardline/client/http/download.ts';
import { serverNow } from '@wardline/client/server-clock.ts';
import {
  COPIES_A_DAY,
  COPY_HOURS,
  type DataCopy,
  downloadDataCopy,
  listDataCopies,
  requestDataCopy,
} from '@wardline/contract/account/own-data.ts';
import { formatBytes } from '@wardline/format/bytes.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { SettingsRow } from '@wardline/ui/settings/settings.tsx';
import { FileDown, FileUser } from 'lucide-react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useConfirmedCall } from '#/shared/forms/dialogs/use-confirmed-call.ts';
import { saveFile } from '#/shared/forms/dialogs/use-download.ts';
import { formatAction } from '#/shared/forms/form-errors.ts';
import { useAction } from '#/shared/forms/use-action.ts';
import { useQuery, useQueryClient } from '#/shared/queries/use-query.ts';
import { dayIn, deviceZone, formatDay, timeIn } from '#/shared/time/zoned-time.ts';
import { formatLastSeen } from '../format-last-seen.ts';

const copiesKey = ['account', 'data-copies'] as const;
const LOOK_AGAIN_MS = 3_000;

/** Asks for a copy of one's own data, and gives those that are kept. */
export function CopyRows() {
  const call = useCall();
  const confirmed = useConfirmedCall();
  const queries = useQueryClient();
  const copies = useQuery({
    queryKey: copiesKey,
    queryFn: ({ signal }) => call(listDataCopies, { signal }),
    refetchInterval: ({ state }) => (state.data?.data.some(isPreparing) ? LOOK_AGAIN_MS : false),
  });
  const ask = useAction(async () => {
    await confirmed(requestDataCopy);
    await queries.invalidateQueries({ queryKey: copiesKey });
  });
  const known = copies.data?.data ?? [];
  return (
    <>
      <li>
        <SettingsRow
          icon={FileUser}
          title="Copy of your data"
          text={
            <>
              Your account, memberships, devices and what you wrote, signed and did, as a file (JSON). What you wrote
              about patients is in it only where your facility allows that. {COPIES_A_DAY} in {COPY_HOURS} hours.
              {ask.error !== null && <Banner tone="error">{ask.error}</Banner>}
              {copies.isError && <Banner tone="error">{formatAction(copies.error)}</Banner>}
            </>
          }
        >
          <Button
            variant="outline"
            color="neutral"
            label="Get a copy of your data"
            isLoading={ask.isBusy}
            disabled={known.some(isPreparing)}
            onClick={ask.run}
          >
            Get a copy
          </Button>
        </SettingsRow>
      </li>
      {known.map((copy) => (
        <li key={copy.id}>
          <CopyRow copy={copy} />
        </li>
      ))}
    </>
  );
}

function CopyRow({ copy }: { readonly copy: DataCopy }) {
  const call = useConfirmedCall();
  const take = useAction(async () => {
    const file = await downloadFile(call, downloadDataCopy, { params: { copy: copy.id } });
    saveFile(file, 'own-data.json');
  });
  const asked = formatLastSeen(Date.parse(copy.requested_at), serverNow(), { zone: deviceZone() });
  return (
    <SettingsRow
      icon={FileDown}
      title={`Copy asked for ${asked}`}
      text={
        <>
          <span role="status">{formatState(copy)}</span>
          {take.error !== null && <Banner tone="error">{take.error}</Banner>}
        </>
      }
    >
      {copy.state === 'ready' && (
        <Button
          variant="outline"
          color="neutral"
          label={`Download the copy asked for ${asked}`}
          isLoading={take.isBusy}
          onClick={take.run}
        >
          Download
        </Button>
      )}
    </SettingsRow>
  );
}

function isPreparing({ state }: DataCopy): boolean {
  return state === 'preparing';
}

function formatState({ state, expires_at, bytes, is_complete }: DataCopy): string {
  if (state === 'preparing') return 'Being made. We’ll email you when it is ready.';
  if (state === 'failed') return 'It could not be made. Try again.';
  if (state === 'expired' || expires_at === null || bytes === null) return 'No longer kept.';
  const zone = deviceZone();
  const end = Date.parse(expires_at);
  const until = `${formatDay(dayIn(zone, end), dayIn(zone, serverNow()))}, ${timeIn(zone, end)}`;
  const whole = is_complete ? '' : ' Long lists were cut; the file says which.';
  return `${formatBytes(bytes)}, kept until ${until}.${whole}`;
}

import { serverNow } from '@wardline/client/server-clock.ts';
import { exportInvitationImport, type InvitationImport } from '@wardline/contract/facilities/invitation-imports.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Progress } from '@wardline/ui/progress/progress.tsx';
import { SettingsRow } from '@wardline/ui/settings/settings.tsx';
import { useEffect } from 'react';
import { useIsMailSent } from '#/shared/contexts/page-config.ts';
import { useDownload } from '#/shared/forms/dialogs/use-download.ts';
import { useQueryClient } from '#/shared/queries/use-query.ts';
import { day } from './invitation-labels.ts';
import { invitationsKey, useLastImport } from './invitation-queries.ts';

/** How far the file is that was given last; nothing where there is none. */
export function LastImport({ facilityId }: { readonly facilityId: string }) {
  const { data } = useLastImport(facilityId);
  const queries = useQueryClient();
  const last = data?.data[0];
  const done = last ? last.counts.invited + last.counts.mailed : 0;
  // Each new one stands in the list below.
  useEffect(() => {
    if (done > 0) void queries.invalidateQueries({ queryKey: invitationsKey(facilityId) });
  }, [queries, facilityId, done]);
  return last ? <ImportRow facilityId={facilityId} given={last} /> : null;
}

interface ImportRowProps {
  readonly facilityId: string;
  readonly given: InvitationImport;
}

function ImportRow({ facilityId, given }: ImportRowProps) {
  const { download, isBusy } = useDownload();
  const isMailSent = useIsMailSent();
  const { waiting, invited, mailed, refused } = given.counts;
  const all = waiting + invited + mailed + refused;
  const params = { facility: facilityId, import: given.id };
  const wanted = { fileName: 'invited-people.csv', failed: 'The lines were not downloaded' };
  return (
    <SettingsRow
      title={`File by ${given.created_by_name}, ${day(given.created_at, serverNow())}`}
      text={
        <>
          <span role="status">{formatCounts(given, isMailSent)}</span>
          {waiting + invited > 0 && <Progress name="People invited" size="2xs" value={mailed + refused} max={all} />}
        </>
      }
    >
      <Button
        variant="outline"
        color="neutral"
        label="Download what became of each line"
        isLoading={isBusy}
        onClick={() => void download(exportInvitationImport, { params }, wanted)}
      >
        Download lines
      </Button>
    </SettingsRow>
  );
}

function formatCounts({ counts }: InvitationImport, isMailSent: boolean): string {
  const { waiting, invited, mailed, refused } = counts;
  return [
    `${mailed} invited by mail${isMailSent ? '' : ', which reaches no one'}`,
    ...(waiting + invited > 0 ? [`${waiting + invited} under way`] : []),
    ...(refused > 0 ? [`${refused} not invited`] : []),
  ].join(' · ');
}

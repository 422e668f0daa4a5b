import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { counted } from '@wardline/format/counts.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useWaitingResults } from './laboratory-queries.ts';

interface ResultsWaitingProps {
  readonly facility: Facility;
  readonly userId: string;
  /** Where one is in several facilities. */
  readonly isNamed: boolean;
}

/** On the dashboard of who may assign results: how many of a facility wait for it. Nothing where none does. */
export function ResultsWaiting({ facility, userId, isNamed }: ResultsWaitingProps) {
  const { unmatched = 0, unmatched_critical: critical = 0 } = useWaitingResults(facility.id, userId).data ?? {};
  if (unmatched === 0) return null;
  const place = isNamed ? ` at ${facility.name}` : '';
  const grave = critical === 0 ? '' : critical === unmatched ? ', critical' : `, ${critical} critical`;
  return (
    <Banner
      tone={critical > 0 ? 'error' : 'warning'}
      title={`${counted(unmatched, 'laboratory result')} to assign${place}${grave}.`}
      action={<Link href={hrefOf(facility)}>Assign</Link>}
    >
      {unmatched === 1 ? 'It matches no chat' : 'They match no chat'}, so nobody sees {unmatched === 1 ? 'it' : 'them'}{' '}
      yet.
    </Banner>
  );
}

/** Below a line that tells of a result that waits: the way to it, for who may assign it. */
export function ResultAct({ facility }: { readonly facility: Facility }) {
  if (!facility.permissions.includes('results.assign')) return null;
  return (
    <div className="m-act">
      <Button asChild size="sm" variant="outline" color="neutral">
        <Link href={hrefOf(facility)}>Results to assign</Link>
      </Button>
    </div>
  );
}

/** The results of this facility, whichever one is in. */
function hrefOf({ id }: Facility): string {
  return `/settings/laboratory?facility=${id}`;
}

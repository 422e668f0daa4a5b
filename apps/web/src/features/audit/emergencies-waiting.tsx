import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { counted } from '@wardline/format/counts.ts';
import { Link } from '@wardline/ui/link/link.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useWaitingEmergencies } from './use-audit.ts';

interface EmergenciesWaitingProps {
  readonly facility: Facility;
  /** Where one is in several facilities. */
  readonly isNamed: boolean;
}

/** On the dashboard of who may review them: how many emergency accesses nobody has reviewed yet. Nothing where none waits. */
export function EmergenciesWaiting({ facility, isNamed }: EmergenciesWaitingProps) {
  const waiting = useWaitingEmergencies(facility.id).data?.waiting ?? 0;
  if (waiting === 0) return null;
  const title = counted(waiting, 'emergency access', 'emergency accesses');
  return (
    <Banner
      title={`${title} to review${isNamed ? ` at ${facility.name}` : ''}.`}
      action={<Link href={`/settings/emergency?facility=${facility.id}`}>Review</Link>}
    >
      A patient’s chat was opened by someone who was not in it.
    </Banner>
  );
}

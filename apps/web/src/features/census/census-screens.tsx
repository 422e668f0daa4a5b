import type { Facility } from '@wardline/contract/facilities.ts';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { FileClock, FileSpreadsheet } from 'lucide-react';
import { CensusFrame, censusDay } from './census-frame.tsx';
import { UnitList } from './unit-list.tsx';

interface CensusScreenProps {
  readonly facility: Facility;
}

/** Who is in which bed, unit by unit. */
export function CensusBoardScreen({ facility }: CensusScreenProps) {
  return (
    <CensusFrame title="Census" path="/census" facility={facility}>
      <UnitList facility={facility} />
    </CensusFrame>
  );
}

/** The units whose report one may file. */
export function CensusUnitScreen({ facility }: CensusScreenProps) {
  return (
    <CensusFrame title="Unit report" path="/census-unit" facility={facility}>
      <UnitList facility={facility} />
    </CensusFrame>
  );
}

/** The facility's compiled report. */
export function CensusSummaryScreen({ facility }: CensusScreenProps) {
  return (
    <CensusFrame title="Census summary" path="/census-summary" facility={facility}>
      <EmptyState icon={FileSpreadsheet} title={`Nothing to compile for ${censusDay(facility)}`}>
        The summary adds up the reports of the units. No unit of {facility.name} has filed one.
      </EmptyState>
    </CensusFrame>
  );
}

/** Who reported and changed what, and when. */
export function CensusLogsScreen({ facility }: CensusScreenProps) {
  return (
    <CensusFrame title="Census logs" path="/census-logs" facility={facility}>
      <EmptyState icon={FileClock} title="No data">
        Every report and every change of one is written down here. {facility.name} has none so far.
      </EmptyState>
    </CensusFrame>
  );
}

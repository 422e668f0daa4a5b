import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Menu, MenuItem } from '@wardline/ui/menu/menu.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { ChevronDown, CloudOff, Printer } from 'lucide-react';
import { CensusFrame, SettingsLink } from '#/features/census/core/census-frame.tsx';
import { useFacilityDay, useFreshSummary, useNewestDate } from '#/features/census/core/changes/summary-queries.ts';
import { SummaryLoading } from '#/features/census/core/loading-shapes.tsx';
import {
  formatPeriod,
  type Period,
  periodAround,
  periodSearch,
  readPeriod,
} from '#/features/census/core/period/period.ts';
import { PeriodBar } from '#/features/census/core/period/period-bar.tsx';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { DaySummary } from './day-summary.tsx';
import { FilesMenu } from './files-menu.tsx';
import { PeriodSummary } from './period-summary.tsx';
import { PRINT_TITLES, type PrintKind, printKindsFor, readPrint } from './print/print-kinds.ts';
import { PrintView } from './print/print-view.tsx';
import { SignBar } from './signing/sign-bar.tsx';
import { foldSearch, openParts, SummaryFolds } from './summary-folds.tsx';

/** Carries in the address which unit's report stands open over the day. */
const REPORT = 'report';

interface SummaryPageProps {
  readonly facility: Facility;
  /** What the address carries. */
  readonly search: URLSearchParams;
  /** Goes to another address of this page; one that says the same of another look takes the place of this one. */
  readonly onGo: (search: string, options?: { readonly isSamePlace: boolean }) => void;
}

/** CEN-6: a day, month, quarter, year or any range of a facility: how whole it is, what it comes to, who signed it. */
export function SummaryPage({ facility, search, onGo }: SummaryPageProps) {
  useFreshSummary(facility.id);
  const newest = useNewestDate(facility);
  if (newest === null) {
    return (
      <CensusFrame title="Summary" path="/census-summary" facility={facility}>
        <SummaryLoading />
      </CensusFrame>
    );
  }
  const period = readPeriod(search, newest);
  const print = readPrint(search);
  const addressOf = (next: Period) => `${periodSearch(next)}${foldSearch(openParts(search))}`;
  const goTo = (next: Period) => onGo(addressOf(next));
  const openReport = (key: string | null) =>
    onGo(key === null ? addressOf(period) : `${addressOf(period)}&${REPORT}=${key}`, { isSamePlace: true });
  const keepOpen = (open: string) => onGo(`${periodSearch(period)}${foldSearch(open)}`, { isSamePlace: true });
  const goToSheet = (kind: PrintKind) => onGo(`${periodSearch(period)}&print=${kind}`);
  if (print) {
    return (
      <CensusFrame title="Summary" path="/census-summary" facility={facility} context={formatPeriod(period)}>
        <PrintView facility={facility} period={period} newest={newest} print={print} onClose={() => goTo(period)} />
      </CensusFrame>
    );
  }
  return (
    <CensusFrame
      title="Summary"
      path="/census-summary"
      facility={facility}
      context={formatPeriod(period)}
      actions={
        <>
          {/* The head of a phone has no room for it; the board's has. */}
          <span className="only-desk">
            <SettingsLink facility={facility} />
          </span>
          {facility.permissions.includes('census.report_summary') && (
            <FilesMenu
              facility={facility}
              from={period.from}
              to={period.to}
              formatRange={formatPeriod(period)}
              sheets={printKindsFor(period.kind).map((kind) => ({
                title: PRINT_TITLES[kind],
                onOpen: () => goToSheet(kind),
              }))}
            />
          )}
          <PrintMenu period={period} onChoose={goToSheet} />
        </>
      }
      foot={period.kind === 'day' && <SignBarOf facility={facility} date={period.from} onOpenReport={openReport} />}
    >
      <Offline />
      <PeriodBar period={period} newest={newest} onChange={goTo} />
      <SummaryFolds search={search} onChange={keepOpen}>
        {period.kind === 'day' ? (
          <DaySummary
            key={period.from}
            facility={facility}
            period={period}
            newest={newest}
            onOpenDay={(date) => goTo(periodAround('day', date))}
            openReport={search.get(REPORT)}
            onOpenReport={openReport}
          />
        ) : (
          <PeriodSummary
            facility={facility}
            period={period}
            newest={newest}
            onOpenDay={(date) => goTo(periodAround('day', date))}
          />
        )}
      </SummaryFolds>
    </CensusFrame>
  );
}

function Offline() {
  if (useOnline()) return null;
  return (
    <Banner tone="neutral" icon={CloudOff}>
      You’re offline and see the last figures loaded. Approving, signing and reopening need the network.
    </Banner>
  );
}

interface PrintMenuProps {
  readonly period: Period;
  readonly onChoose: (kind: PrintKind) => void;
}

/** The sheets that this period can be put on. */
function PrintMenu({ period, onChoose }: PrintMenuProps) {
  return (
    <span className="only-desk">
      <Menu
        align="end"
        trigger={
          <Button variant="outline" color="neutral" icon={Printer} trailingIcon={ChevronDown}>
            Print or save as PDF
          </Button>
        }
      >
        {printKindsFor(period.kind).map((kind) => (
          <MenuItem key={kind} onSelect={() => onChoose(kind)}>
            {PRINT_TITLES[kind]}
          </MenuItem>
        ))}
      </Menu>
    </span>
  );
}

interface SignBarOfProps {
  readonly facility: Facility;
  readonly date: string;
  readonly onOpenReport: (key: string) => void;
}

/** The bar under the day; nothing before the day is known. */
function SignBarOf({ facility, date, onOpenReport }: SignBarOfProps) {
  const { data: day } = useFacilityDay(facility.id, date);
  return day ? <SignBar key={date} day={day} onOpenReport={onOpenReport} /> : null;
}

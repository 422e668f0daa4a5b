import { useLocation, useRouter } from '@tanstack/react-router';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card } from '@wardline/ui/card/card.tsx';
import { SectionHead } from '@wardline/ui/card/section-head.tsx';
import { Select } from '@wardline/ui/input/select.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { ClipboardCheck, Printer } from 'lucide-react';
import { useState } from 'react';
import { clock } from '#/features/handovers/core/patient-line.tsx';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { NotLoaded } from '#/shared/errors/not-loaded.tsx';
import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { ShowMore } from '#/shared/queries/show-more.tsx';
import { HandoverListFrame } from './handover-list-frame.tsx';
import {
  formatProgress,
  formatShift,
  formatUnitChoice,
  NO_UNIT_LABEL,
  shiftOf,
  unitKey,
} from './handover-list-labels.ts';
import { PatientRow } from './handover-list-row.tsx';
import { type HandoverListPage, useHandoverList, useHandoverListChanges } from './use-handover-list.ts';
import './handover-list.css';

export interface HandoverListScreenProps {
  /** The one it begins with. */
  readonly facility: Facility;
  readonly facilities: readonly Facility[];
  readonly myId: string;
}

const PrintView = lazyPart(async () => (await import('./handover-list-sheet.tsx')).HandoverListPrint, {
  onMissing: closeMissing,
});

/** The patients of a unit at the end of a shift, with the hand-over of each: nobody is forgotten. */
export function HandoverListScreen({ facility: first, facilities, myId }: HandoverListScreenProps) {
  const { asked, go } = useAsked(first.id);
  const facility = facilities.find(({ id }) => id === asked.facilityId) ?? first;
  const list = useHandoverList(asked);
  const pages = list.data?.pages ?? [];
  const [page] = pages;
  const isOnline = useOnline();
  const [isPrinting, setIsPrinting] = useState(false);
  useHandoverListChanges(myId, asked, pages);
  const zone = facility.time_zone;
  if (isPrinting && page) {
    return (
      <HandoverListFrame context={facility.name}>
        <PrintView {...{ pages, facility }} onClose={() => setIsPrinting(false)} />
      </HandoverListFrame>
    );
  }
  /** Paper has the whole list. */
  const print = async () => {
    for (let more = list.hasNextPage; more; ) {
      const { hasNextPage, isError } = await list.fetchNextPage();
      if (isError) return;
      more = hasNextPage;
    }
    setIsPrinting(true);
  };
  return (
    <HandoverListFrame
      context={facility.name}
      actions={
        page &&
        page.data.length > 0 && (
          <Button
            variant="outline"
            color="neutral"
            icon={Printer}
            isLoading={list.isFetchingNextPage}
            onClick={() => void print()}
          >
            Print
          </Button>
        )
      }
    >
      <div className="hlist-tools">
        {facilities.length > 1 && (
          <Select
            label="Facility"
            value={facility.id}
            onValueChange={(facilityId) => go({ facilityId, unit: null, since: null })}
            options={facilities.map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
        {page && page.units.length > 0 && (
          <Select
            label="Unit"
            value={unitKey(page.unit_id)}
            onValueChange={(unit) => go({ ...asked, unit })}
            options={choicesOf(page)}
          />
        )}
        {page && (
          <ShiftField
            page={page}
            zone={zone}
            onSince={(since) => go({ ...asked, unit: unitKey(page.unit_id), since })}
          />
        )}
      </div>
      {!isOnline && (
        <Banner tone="warning">
          {page
            ? `You’re offline. This is the list of ${clock(zone, page.at)}; hand-overs since then are missing.`
            : 'You’re offline. The hand-over list needs the network.'}
        </Banner>
      )}
      {isOnline && page && (list.isError || page.isKept) && (
        <Banner tone="warning">This is the list of {clock(zone, page.at)}. It did not load again since.</Banner>
      )}
      {page ? (
        <Patients {...{ pages, page, zone }} />
      ) : list.error && isOnline ? (
        <NotLoaded title="The hand-over list did not load" error={list.error} onRetry={list.refetch} />
      ) : (
        isOnline && <Skeleton count={6} label="Loading the hand-over list" />
      )}
      <ShowMore list={list} />
    </HandoverListFrame>
  );
}

interface PatientsProps {
  readonly pages: readonly HandoverListPage[];
  readonly page: HandoverListPage;
  readonly zone: string;
}

function Patients({ pages, page, zone }: PatientsProps) {
  const rows = pages.flatMap(({ data }) => data);
  if (rows.length === 0) {
    return (
      <EmptyState icon={ClipboardCheck} title="No patients">
        Patients of your chats show here, in the unit of their bed.
      </EmptyState>
    );
  }
  const unit = page.units.find((one) => unitKey(one.unit?.id ?? null) === unitKey(page.unit_id));
  return (
    <section aria-labelledby="handover-list">
      <SectionHead
        id="handover-list"
        title={unit?.unit ? `${unit.unit.code}, ${unit.unit.name}` : NO_UNIT_LABEL}
        context={
          <>
            {unit && `${formatProgress(unit)} · `}
            <span className="num">as of {clock(zone, page.at)}</span>
          </>
        }
      />
      <Card>
        <ul className="list">
          {rows.map((row) => (
            <PatientRow key={row.chat_id} {...{ row, zone }} />
          ))}
        </ul>
      </Card>
    </section>
  );
}

/** The units that I have patients in, and the one that is shown where I have none there any more. */
function choicesOf({ units, unit_id }: HandoverListPage) {
  const options = units.map((one) => ({ value: unitKey(one.unit?.id ?? null), label: formatUnitChoice(one) }));
  const isThere = options.some(({ value }) => value === unitKey(unit_id));
  return isThere ? options : [{ value: unitKey(unit_id), label: 'No patients here now' }, ...options];
}

interface ShiftFieldProps {
  readonly page: HandoverListPage;
  readonly zone: string;
  /** Null for the shift of now, whichever that is by then. */
  readonly onSince: (since: string | null) => void;
}

/** Since which shift a hand-over counts: the facility's last ones, and whichever the address names. */
function ShiftField({ page: { since, shifts }, zone, onSince }: ShiftFieldProps) {
  const moment = (at: string) => clock(zone, at);
  const chosen = shiftOf(shifts, since);
  const others = chosen ? [] : [{ name: undefined, since }];
  return (
    <Select
      label="Shift"
      value={chosen?.since ?? since}
      onValueChange={(next) => onSince(next === shifts[0]?.since ? null : next)}
      options={[...others, ...shifts].map((shift) => ({ value: shift.since, label: formatShift(shift, moment) }))}
    />
  );
}

/** The address says what is shown, so that it can be led to and is there again after a reload. */
function useAsked(facilityId: string) {
  const router = useRouter();
  const text = useLocation({ select: ({ searchStr }) => searchStr });
  const params = new URLSearchParams(text);
  const asked = {
    facilityId: params.get('facility') ?? facilityId,
    unit: params.get('unit'),
    since: params.get('since'),
  };
  const go = (next: typeof asked) => {
    const { facilityId: facility, unit, since } = next;
    const query = new URLSearchParams({ facility, ...(unit !== null && { unit }), ...(since !== null && { since }) });
    void router.navigate({ href: `/handovers?${query}`, replace: true, resetScroll: false });
  };
  return { asked, go };
}

import type { CensusSettings } from '@wardline/contract/census/settings.ts';
import type { FacilitySettings } from '@wardline/contract/facilities/facility-settings.ts';
import { counted } from '@wardline/format/counts.ts';

export interface ChecklistItem {
  readonly id: string;
  readonly label: string;
  /** How far it has come. */
  readonly text: string;
  readonly isDone: boolean;
  /** Where it is done. */
  readonly href: string;
}

const UNITS = '/census?view=settings#units';
const HERE = '/settings/facility';

/** What a facility needs until it can work, in the order in which it is done; of its census where that is known. */
export function checklistOf(facility: FacilitySettings, census: CensusSettings | null): readonly ChecklistItem[] {
  const { holders, member_count } = facility;
  const managers = holders['members.manage'] ?? 0;
  const signers = holders['census.report_summary'] ?? 0;
  return [
    ...(census === null ? [] : [clockItem(census), ...unitItems(census)]),
    {
      id: 'people',
      label: 'Invite your colleagues',
      text: member_count > 1 ? `${member_count} people` : 'You are the only one so far',
      isDone: member_count > 1,
      href: `${HERE}#invitations`,
    },
    ...(census === null ? [] : [reportersItem(census)]),
    {
      id: 'signing',
      label: 'Name who signs the census day',
      text:
        signers === 0
          ? 'Nobody may: give somebody the role census officer'
          : `${counted(signers, 'person', 'people')} may`,
      isDone: signers > 0,
      href: `${HERE}#members`,
    },
    {
      id: 'deputy',
      label: 'Have a second administrator',
      text: managers > 1 ? `${managers} people manage the members` : 'Nobody could let people in without you',
      isDone: managers > 1,
      href: `${HERE}#members`,
    },
  ];
}

function clockItem({ census_time, time_zone }: CensusSettings): ChecklistItem {
  const text = `${census_time}, ${time_zone}`;
  return { id: 'clock', label: 'Set the census hour', text, isDone: true, href: '/census?view=settings#clock' };
}

function unitItems(census: CensusSettings): ChecklistItem[] {
  const active = activeUnits(census);
  const withBeds = active.filter(({ counts_in_occupancy, beds }) => !counts_in_occupancy || beds.length > 0);
  return [
    {
      id: 'units',
      label: 'Add your units',
      text: active.length === 0 ? 'None yet: one by one, or from a file' : counted(active.length, 'unit'),
      isDone: active.length > 0,
      href: UNITS,
    },
    {
      id: 'beds',
      label: 'Enter their beds',
      text: `${withBeds.length} of ${counted(active.length, 'unit')}`,
      isDone: active.length > 0 && withBeds.length === active.length,
      href: UNITS,
    },
  ];
}

function reportersItem(census: CensusSettings): ChecklistItem {
  const counting = activeUnits(census).filter(({ counts_in_census }) => counts_in_census);
  const withPeople = counting.filter(({ people }) => people.some(({ may_report }) => may_report !== false));
  return {
    id: 'reporters',
    label: 'Say who reports for each unit',
    text: `${withPeople.length} of ${counted(counting.length, 'unit')}`,
    isDone: counting.length > 0 && withPeople.length === counting.length,
    href: UNITS,
  };
}

/** Those that have not closed by the census date under way. */
function activeUnits({ units: all, clock_fixed }: CensusSettings): CensusSettings['units'] {
  return all.filter(({ active_to }) => active_to === null || active_to >= clock_fixed.census_date);
}

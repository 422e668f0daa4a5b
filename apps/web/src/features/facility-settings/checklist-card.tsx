import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Card } from '@wardline/ui/card/card.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { ListRow } from '@wardline/ui/list/list-row.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { type ChecklistItem, checklistOf } from './checklist.ts';
import { mayCensus, useCensusSetUp, useFacilitySettings } from './facility-queries.ts';

/** What is left to do, each with the way to where it is done. */
export function ChecklistCard({ items }: { readonly items: readonly ChecklistItem[] }) {
  const done = items.filter(({ isDone }) => isDone).length;
  return (
    <Card isList>
      <p className="lrow medium" role="status">
        {done === items.length ? 'Everything is done: the facility can work.' : `${done} of ${items.length} done`}
      </p>
      <ul className="list">
        {items.map(({ id, label, text, isDone, href }) => (
          <li key={id}>
            <ListRow
              href={href}
              title={label}
              mark={<Badge tone={isDone ? 'success' : 'warning'}>{isDone ? 'Done' : 'To do'}</Badge>}
              text={text}
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** One line for the dashboard of who administers a facility, while something of its checklist is left to do. */
export function SetUpNotice({ facility }: { readonly facility: Facility }) {
  const settings = useFacilitySettings(facility.id);
  const census = useCensusSetUp(facility);
  if (!settings.data || (mayCensus(facility) && !census.data)) return null;
  const items = checklistOf(settings.data, census.data ?? null);
  const left = items.filter(({ isDone }) => !isDone);
  const [next] = left;
  if (!next) return null;
  return (
    <Banner
      tone="info"
      announce="none"
      title={`The set-up of ${facility.name} is not finished: ${items.length - left.length} of ${items.length} done.`}
      action={<Link href="/settings/facility#checklist">Checklist</Link>}
    >
      Next: {next.label}.
    </Banner>
  );
}

import { getRecorded, type Recorded } from '@wardline/contract/account/own-data.ts';
import { counted } from '@wardline/format/counts.ts';
import { Card } from '@wardline/ui/card/card.tsx';
import { ListRow } from '@wardline/ui/list/list-row.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { SettingsSection } from '@wardline/ui/settings/settings.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { useCall } from '#/shared/contexts/call-context.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { useQuery } from '#/shared/queries/use-query.ts';

interface Item {
  readonly what: string;
  readonly text: string;
}

/** What docs/safeguards.md says, in words for staff and with the figures that are set here. */
export function RecordedPage() {
  const call = useCall();
  const recorded = useQuery({
    queryKey: ['account', 'recorded'],
    queryFn: ({ signal }) => call(getRecorded, { signal }),
  });
  if (recorded.data === undefined) {
    if (!recorded.isError) return <Skeleton count={8} label="Loading what is recorded" />;
    return (
      <ErrorState
        title="This could not be loaded"
        message={formatFailure(recorded.error)}
        onRetry={() => void recorded.refetch()}
      />
    );
  }
  return (
    <div className="set-single settings-column">
      <Section id="records" title="Patients and the census" items={recordItems()} />
      <Section id="you" title="About you" items={personItems(recorded.data)} />
      <Section id="devices" title="On your devices" items={ON_DEVICES} />
      <Section id="who" title="Who can see what" items={WHO_SEES} />
      {recorded.data.facilities.map((facility) => (
        <Section key={facility.id} id={facility.id} title={`At ${facility.name}`} items={facilityItems(facility)} />
      ))}
      <p className="help">
        This page says what the product does. How it is run, and what your hospital must keep, your hospital can tell
        you.
      </p>
    </div>
  );
}

function Section({
  id,
  title,
  items,
}: {
  readonly id: string;
  readonly title: string;
  readonly items: readonly Item[];
}) {
  return (
    <SettingsSection id={id} title={title}>
      <Card isList>
        <ul className="list">
          {items.map(({ what, text }) => (
            <li key={what}>
              <ListRow title={what} text={text} isTextWhole />
            </li>
          ))}
        </ul>
      </Card>
    </SettingsSection>
  );
}

/** What stays of the work itself. */
function recordItems(): Item[] {
  return [
    {
      what: 'Messages, files and examinations',
      text: 'Kept without end, unless your facility deletes messages after a time. Signed examinations, hand-overs and critical alerts stay, and so does what is on legal hold. Earlier texts of edited messages are kept as long, and everyone in the chat can see them.',
    },
    {
      what: 'Deleted messages',
      text: 'Who deleted it, when and why stays and is shown. Its text is shown to nobody any more but kept for an inquiry; its files are removed.',
    },
    { what: 'Messages not sent yet', text: 'Encrypted, for your own other devices: until you send them, or 30 days.' },
    { what: 'Census reports', text: 'Every version, with who made, approved and signed it. Kept without end.' },
  ];
}

function personItems({ audit_years, shared_session_hours, own_session_days, token_days }: Recorded): Item[] {
  return [
    {
      what: 'What you did and read',
      text: `Sign-ins, changes, refusals, exports, and which patient’s chat, file or report you opened. ${formatYears(audit_years)}`,
    },
    {
      what: 'Where you are signed in',
      text: `Network address and browser of each session: ${counted(shared_session_hours, 'hour')} on a shared computer, ${counted(own_session_days, 'day')} on your own device, or until you sign out. Apps with an access token: ${counted(token_days, 'day')}.`,
    },
    {
      what: 'When you were last there',
      text: 'Only the last time, to the nearest minutes. Colleagues see it in words such as “seen today”, where the facility shows it.',
    },
    { what: 'Your password and codes', text: 'Never in a form that anybody can read.' },
    { what: 'Copies of your data', text: 'A day, for you alone.' },
    {
      what: 'After you delete your account',
      text: 'What you wrote, signed and did stays, under your name marked “account deleted”. Everything else of the account is gone at once.',
    },
  ];
}

const ON_DEVICES: readonly Item[] = [
  { what: 'Not sent yet', text: 'Encrypted, until it is sent.' },
  { what: 'On a shared computer', text: 'Nothing that you read is kept once you sign out.' },
  { what: 'On your own device', text: 'What you read, encrypted, for 7 days.' },
];

const WHO_SEES: readonly Item[] = [
  {
    what: 'A chat',
    text: 'Those who are in it. In an emergency someone who treats patients can open a patient’s chat with a reason, which everyone in it sees at once.',
  },
  {
    what: 'Facility administrator',
    text: 'People and their roles, settings and invitations. Chats they are not in only as an export of the record, with a reason that everyone in the chat sees.',
  },
  {
    what: 'Who may see the audit',
    text: 'Who read or changed what, with titles of chats and names of patients. No texts.',
  },
  { what: 'Census officers', text: 'Counts of units. Nothing of a single patient.' },
  { what: 'System administrator', text: 'Facilities and accounts. No chats they are not in.' },
  {
    what: 'Whoever runs the server',
    text: 'Everything that is stored, as on any server. Changes to the audit can be detected.',
  },
  { what: 'Push and mail services', text: 'That you are called, and when. No text and no patient.' },
];

function facilityItems(facility: Recorded['facilities'][number]): Item[] {
  const { census_log_years, idle_lock_minutes, shows_last_seen, own_texts_in_copies } = facility;
  return [
    { what: 'Texts of the census log', text: formatYears(census_log_years) },
    {
      what: 'Shared screens',
      text: `Covered after ${counted(idle_lock_minutes, 'minute')} without input.`,
    },
    {
      what: 'When people were last there',
      text: shows_last_seen ? 'Shown to colleagues.' : 'Not shown to colleagues.',
    },
    {
      what: 'Copies of your data',
      text: own_texts_in_copies
        ? 'With the texts of what you wrote here.'
        : 'Only when and where you wrote; the texts may be about patients and stay here.',
    },
  ];
}

function formatYears(years: number | null): string {
  if (years === null) return 'Kept without end.';
  return `Who, what and where from go after ${counted(years, 'year')}; that something was done, and when, stays.`;
}

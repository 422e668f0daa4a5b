import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import {
  importPeople,
  MOST_PEOPLE,
  PEOPLE_COLUMNS,
  type PersonRow,
} from '@wardline/contract/facilities/invitation-imports.ts';
import { counted, formatCount } from '@wardline/format/counts.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useIsMailSent } from '#/shared/contexts/page-config.ts';
import { FileImportDialog } from '#/shared/forms/dialogs/file-import-dialog.tsx';
import { useQueryClient } from '#/shared/queries/use-query.ts';
import { importsKey } from './invitation-queries.ts';

type Report = ReplyOf<typeof importPeople>;

const OUTCOME_LABELS: Readonly<Record<PersonRow['outcome'], string>> = {
  new: 'Invitation',
  known: 'Nothing',
  refused: 'Refused',
};
const BUSY_LABELS = { try: 'Checking the lines of the file', apply: 'Taking the file' };
const TEMPLATE = {
  fileName: 'people.csv',
  text: `${PEOPLE_COLUMNS.join(',')}\r\nana.reyes@hospital.example,Ana Reyes,Clinician,"Staff nurse, MED 3A"\r\n`,
};

const NO_MAIL = 'No mail server is set, so the mails reach no one.';

function formatReport({ is_applied, counts }: Report, isMailSent: boolean): string {
  const { new: added, known, refused } = counts;
  const others = known > 0 ? ` ${counted(known, 'line')} passed over: a member, or invited already.` : '';
  const mails = isMailSent ? 'The mails go out one by one.' : NO_MAIL;
  if (is_applied) return `${people(added)} will be invited. ${mails}${others}`;
  if (refused > 0) {
    return `${counted(refused, 'line')} refused, so nobody is invited. Correct the file and choose it again.`;
  }
  return added === 0
    ? 'Everybody in it belongs already or is invited.'
    : `${people(added)} to invite.${others} Nobody is invited yet.`;
}

const people = (count: number) => counted(count, 'person', 'people');

/** ACC-1: invitations for everybody in a file, mailed to each. */
export function PeopleDialog({ facility, onClose }: { readonly facility: Facility; readonly onClose: () => void }) {
  const call = useCall();
  const queries = useQueryClient();
  const isMailSent = useIsMailSent();
  return (
    <FileImportDialog<PersonRow, Report>
      title={`Invite people to ${facility.name} from a file`}
      description={`${isMailSent ? '' : `${NO_MAIL} `}CSV with the columns email and role, and name and title where you have them. Roles are named as in this facility; put a semicolon between several. Everybody gets a link by mail. Nobody is invited until you confirm.`}
      fileHelp={`At most 512 kB and ${formatCount(MOST_PEOPLE)} lines`}
      accept=".csv,text/csv"
      template={TEMPLATE}
      busyLabels={BUSY_LABELS}
      outcomeLabels={OUTCOME_LABELS}
      formatReport={(report) => formatReport(report, isMailSent)}
      applyLabel={({ counts }) => (counts.new > 0 ? `Invite ${people(counts.new)}` : null)}
      isShown={() => true}
      columns={[
        { key: 'email', head: 'Email', cell: ({ email }) => email ?? '–' },
        { key: 'name', head: 'Name', cell: ({ name }) => name ?? '–' },
      ]}
      send={(sending) => call(importPeople, { params: { facility: facility.id }, ...sending })}
      onApplied={() => queries.invalidateQueries({ queryKey: importsKey(facility.id) })}
      onClose={onClose}
    />
  );
}

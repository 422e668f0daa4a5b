import { importUnits, UNIT_COLUMNS, type UnitRow } from '@wardline/contract/census/settings.ts';
import type { ReplyOf } from '@wardline/contract/endpoint.ts';
import { counted } from '@wardline/format/counts.ts';
import { useSettingsPlace } from '#/features/census/settings/core/settings-context.ts';
import { useReloadSettings } from '#/features/census/settings/core/use-settings.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { FileImportDialog } from '#/shared/forms/dialogs/file-import-dialog.tsx';

type Report = ReplyOf<typeof importUnits>;

const OUTCOME_LABELS: Readonly<Record<UnitRow['outcome'], string>> = {
  new: 'New unit',
  changed: 'Changed',
  unchanged: 'As it is',
  refused: 'Refused',
};
const BUSY_LABELS = { try: 'Checking the lines of the file', apply: 'Storing the units' };
const EXAMPLE = [
  'code,name,kind,from,licensed,physical,staffed,surge',
  'ICU,Intensive care,Intensive care,,12,12,10,2',
];

function formatReport({ is_applied, counts }: Report): string {
  const { new: added, changed, refused } = counts;
  if (is_applied) return `${counted(added + changed, 'line')} stored: ${counted(added, 'unit')} added.`;
  if (refused > 0) return `${counted(refused, 'line')} refused, so nothing was stored. Correct them and try again.`;
  return added + changed === 0
    ? 'Everything in it is as it is already.'
    : `${counted(added, 'unit')} to add, ${counted(changed, 'line')} with changes. Nothing is stored yet.`;
}

/** ADM-1: units and their beds from a file or from the clipboard. */
export function ImportUnitsDialog({ onClose }: { readonly onClose: () => void }) {
  const call = useCall();
  const { facility, settings } = useSettingsPlace();
  const reload = useReloadSettings(facility.id);
  return (
    <FileImportDialog<UnitRow, Report>
      title="Import units and beds"
      description={`CSV with the columns ${UNIT_COLUMNS.join(', ')}; only code is needed, and a name for a new unit. Without a date the beds hold from the census date under way; another line for the same unit says what they are from another date on. Nothing is stored until you confirm.`}
      fileHelp="At most 1 MB and 500 lines"
      accept=".csv,text/csv"
      pasteExample={EXAMPLE.join('\n')}
      busyLabels={BUSY_LABELS}
      outcomeLabels={OUTCOME_LABELS}
      formatReport={formatReport}
      applyLabel={({ counts }) => (counts.new + counts.changed > 0 ? 'Store units and beds' : null)}
      isShown={() => true}
      columns={[
        { key: 'unit', head: 'Unit', cell: ({ unit_code }) => unit_code ?? '–' },
        { key: 'name', head: 'Name', cell: ({ unit_name }) => unit_name ?? '–' },
      ]}
      send={({ query, ...sending }) =>
        call(importUnits, {
          params: { facility: facility.id },
          query: { ...query, version: settings.version },
          ...sending,
        })
      }
      onApplied={reload}
      onClose={onClose}
    />
  );
}

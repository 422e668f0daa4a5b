import type { SplitPermission } from '@wardline/contract/census/settings.ts';
import { FieldNote } from '@wardline/ui/field/field-note.tsx';
import { Checkbox } from '@wardline/ui/input/checkbox.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { useId } from 'react';
import { readNumbers } from './core/read-numbers.ts';
import { useSaveFacility, useSettingsPlace } from './core/settings-context.ts';
import { SettingsForm } from './core/settings-form.tsx';
import { useSettingsForm } from './core/use-settings-form.ts';

const ACTS: ReadonlyArray<readonly [SplitPermission, string]> = [
  ['census.approve', 'Approving and returning reports'],
  ['census.reopen', 'Reopening a signed day'],
  ['census.import', 'Importing files'],
  ['census.export', 'Exporting files'],
];

/** Who answers for a day, until when, and which acts ask for more than compiling the summary. */
export function SigningForm() {
  const { settings } = useSettingsPlace();
  const save = useSaveFacility();
  const stored = {
    sign_off_time: settings.sign_off_time,
    lock_after_days: String(settings.lock_after_days),
    four_eyes: settings.four_eyes,
    split_permissions: settings.split_permissions,
  };
  const form = useSettingsForm({
    id: 'signing',
    stored,
    names: ['sign_off_time', 'lock_after_days', 'four_eyes', 'split_permissions'],
    required: { sign_off_time: 'Enter the sign-off time.' },
    async send(values) {
      const numbers = readNumbers({ lock_after_days: { text: values.lock_after_days, least: 0, most: 366 } });
      await save({ ...values, ...numbers });
      return true;
    },
  });
  const { values, error, set } = form;
  return (
    <SettingsForm form={form} saveLabel="Save signing">
      <div className="cs-fields">
        <TextInput
          label="Sign-off time"
          name="sign_off_time"
          type="time"
          value={values.sign_off_time}
          error={error.fields.sign_off_time}
          help="The day should be signed by then."
          onChange={(event) => set({ sign_off_time: event.target.value })}
        />
        <TextInput
          label="Lock after, days"
          name="lock_after_days"
          inputMode="numeric"
          autoComplete="off"
          maxLength={3}
          value={values.lock_after_days}
          error={error.fields.lock_after_days}
          help="After this, a signed day locks automatically."
          onChange={(event) => set({ lock_after_days: event.target.value })}
        />
      </div>
      <Checkbox
        label="Four eyes: no one approves their own report"
        name="four_eyes"
        checked={values.four_eyes}
        error={error.fields.four_eyes}
        onChange={(event) => set({ four_eyes: event.target.checked })}
      />
      <p className="t13 muted">
        Changes apply from the next census date on. Everyone who works with the census is told, and the log records
        them.
      </p>
      <SplitPermissions
        chosen={values.split_permissions}
        error={error.fields.split_permissions}
        onChange={(split_permissions) => set({ split_permissions })}
      />
    </SettingsForm>
  );
}

interface SplitPermissionsProps {
  readonly chosen: readonly SplitPermission[];
  readonly error: string | undefined;
  readonly onChange: (chosen: SplitPermission[]) => void;
}

function SplitPermissions({ chosen, error, onChange }: SplitPermissionsProps) {
  const noteId = useId();
  const toggle = (permission: SplitPermission, isOn: boolean) => {
    const next = ACTS.map(([name]) => name).filter((name) => (name === permission ? isOn : chosen.includes(name)));
    // In the order in which the server tells them.
    onChange(next.sort());
  };
  return (
    <fieldset className="stack stack-1" aria-describedby={noteId}>
      <legend className="label">Needs a permission of its own</legend>
      {ACTS.map(([permission, act]) => (
        <Checkbox
          key={permission}
          name="split_permissions"
          label={act}
          checked={chosen.includes(permission)}
          onChange={(event) => toggle(permission, event.target.checked)}
        />
      ))}
      <FieldNote
        id={noteId}
        error={error}
        help="Where a box is not ticked, anyone who may approve and sign days can do it."
      />
    </fieldset>
  );
}

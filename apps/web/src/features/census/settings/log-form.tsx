import { Email } from '@wardline/contract/values.ts';
import { counted } from '@wardline/format/counts.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Plus, X } from 'lucide-react';
import { useRef } from 'react';
import * as z from 'zod/mini';
import { refusal } from '#/shared/errors/refusal.ts';
import { useConfirm } from '#/shared/forms/dialogs/use-confirm.ts';
import { readNumbers } from './core/read-numbers.ts';
import { useSaveFacility, useSettingsPlace } from './core/settings-context.ts';
import { SettingsForm } from './core/settings-form.tsx';
import { useSettingsForm } from './core/use-settings-form.ts';

const MOST_ADDRESSES = 5;
const ADDRESS_FIELDS = [0, 1, 2, 3, 4].map((index) => `log_head_emails.${index}` as const);

/** How long the log is kept, and who keeps its head outside. */
export function LogForm() {
  const { settings } = useSettingsPlace();
  const save = useSaveFacility();
  const confirm = useConfirm();
  const stored = {
    years: settings.log_retention_years === null ? '' : String(settings.log_retention_years),
    emails: settings.log_head_emails,
  };
  const form = useSettingsForm({
    id: 'log',
    stored,
    names: ['log_retention_years', ...ADDRESS_FIELDS],
    async send({ years, emails }) {
      const log_retention_years = readYears(years);
      const log_head_emails = readAddresses(emails);
      const isShortened = isShorter(settings.log_retention_years, log_retention_years);
      if (isShortened && !(await confirm(shortening(log_retention_years)))) return false;
      await save({ log_retention_years, log_head_emails });
      return true;
    },
  });
  const { values, error, set } = form;
  return (
    <SettingsForm form={form} saveLabel="Save log settings">
      <TextInput
        className="cs-short"
        label="Keep entries for, years"
        name="log_retention_years"
        inputMode="numeric"
        autoComplete="off"
        maxLength={3}
        placeholder="For ever"
        value={values.years}
        error={error.fields.log_retention_years}
        help="Empty keeps them for ever. Older entries lose their text and keep their hash: who changed what can no longer be read, and the chain still verifies."
        onChange={(event) => set({ years: event.target.value })}
      />
      <Addresses
        emails={values.emails}
        errors={ADDRESS_FIELDS.map((name) => error.fields[name])}
        onChange={(emails) => set({ emails })}
      />
    </SettingsForm>
  );
}

interface AddressesProps {
  readonly emails: readonly string[];
  readonly errors: readonly (string | undefined)[];
  readonly onChange: (emails: string[]) => void;
}

function Addresses({ emails, errors, onChange }: AddressesProps) {
  const place = useRef<HTMLFieldSetElement>(null);
  const takeOff = (index: number) => {
    // The button that was pressed may be about to go.
    place.current?.focus();
    onChange(emails.toSpliced(index, 1));
  };
  return (
    <fieldset ref={place} tabIndex={-1} className="stack">
      <legend className="label">Send the head of the log to</legend>
      <p className="help">
        With each day that is signed, these people get the last hash of the log by email. Kept outside, it shows whether
        someone rewrote the log.
      </p>
      {emails.map((email, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an address is known by its place alone
        <div key={index} className="cs-address">
          <TextInput
            label={`Email ${index + 1}`}
            isLabelHidden
            name={`log_head_emails.${index}`}
            type="email"
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={254}
            // One that was just added; what the server has is not empty.
            autoFocus={email === ''}
            value={email}
            error={errors[index]}
            onChange={(event) => onChange(emails.with(index, event.target.value))}
          />
          <Button
            variant="ghost"
            color="neutral"
            iconOnly
            icon={X}
            label={`Remove email ${index + 1}`}
            onClick={() => takeOff(index)}
          />
        </div>
      ))}
      {emails.length < MOST_ADDRESSES && (
        <div>
          <Button variant="outline" color="neutral" icon={Plus} onClick={() => onChange([...emails, ''])}>
            Add an email
          </Button>
        </div>
      )}
    </fieldset>
  );
}

function readYears(text: string): number | null {
  if (text.trim() === '') return null;
  return readNumbers({ log_retention_years: { text, least: 1, most: 100 } }).log_retention_years;
}

/** The addresses as they are sent; what is no address is refused at its own field, what is empty is left out. */
function readAddresses(emails: readonly string[]): string[] {
  const wrong: Record<string, string> = {};
  const read = emails.flatMap((email, index) => {
    if (email.trim() === '') return [];
    const parsed = z.safeParse(Email, email);
    if (parsed.success) return [parsed.data];
    wrong[`log_head_emails.${index}`] = parsed.error.issues[0]?.message ?? '';
    return [];
  });
  if (Object.keys(wrong).length > 0) throw refusal(wrong);
  return read;
}

function isShorter(standing: number | null, next: number | null): next is number {
  return next !== null && (standing === null || next < standing);
}

function shortening(years: number) {
  const span = counted(years, 'year');
  return {
    title: `Keep the log for ${span} only?`,
    description: `What was changed, by whom and why can no longer be read in entries older than ${span}. Their text is gone for good; their hashes stay, so the chain still verifies.`,
    confirmLabel: `Keep ${span}`,
    onConfirm: async () => undefined,
  };
}

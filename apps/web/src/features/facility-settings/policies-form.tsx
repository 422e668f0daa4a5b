import { type FacilitySettings, setFacilityPolicies } from '@wardline/contract/facilities/facility-settings.ts';
import { counted } from '@wardline/format/counts.ts';
import { Card } from '@wardline/ui/card/card.tsx';
import { Checkbox } from '@wardline/ui/input/checkbox.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useState } from 'react';
import { checkWhole } from '#/shared/forms/check-whole.ts';
import { useConfirmedCall } from '#/shared/forms/dialogs/use-confirmed-call.ts';
import { loadAnewOnConflict } from '#/shared/forms/load-anew-on-conflict.ts';
import { SaveRow } from '#/shared/forms/save-row.tsx';
import { useForm } from '#/shared/forms/use-form.ts';
import { useRefreshFacility } from './facility-queries.ts';

const MINUTES = { label: 'Minutes', least: 1, most: 60 };

interface PoliciesFormProps {
  readonly facility: FacilitySettings;
  /** The rule may hold for who sets it as well. */
  readonly onOwnChange: () => Promise<void>;
}

/** ADM-1: from which day members need a second factor, how soon a shared screen is covered, and what leaves with people. */
export function PoliciesForm({ facility, onOwnChange }: PoliciesFormProps) {
  const call = useConfirmedCall();
  const refresh = useRefreshFacility(facility.id);
  const [isSaved, setIsSaved] = useState(false);
  const {
    second_factor_from: from = null,
    without_factor_count: without = 0,
    idle_lock_minutes: minutes = 15,
  } = facility;
  const { props, error, isBusy } = useForm({
    names: ['second_factor_from', 'idle_lock_minutes'],
    required: { idle_lock_minutes: 'Enter a number of minutes.' },
    check: (given) => ({ idle_lock_minutes: checkWhole(given.idle_lock_minutes, MINUTES) }),
    async send(given, data) {
      setIsSaved(false);
      const body = {
        expected_version: facility.version,
        second_factor_from: given.second_factor_from === '' ? null : given.second_factor_from,
        idle_lock_minutes: Number(given.idle_lock_minutes),
        own_texts_in_copies: data.has('own_texts_in_copies'),
      };
      await loadAnewOnConflict(call(setFacilityPolicies, { params: { facility: facility.id }, body }), refresh);
      setIsSaved(true);
      await Promise.all([refresh(), onOwnChange()]);
    },
  });
  const { fields } = error;
  return (
    <Card hasPadding>
      <form className="stack stack-4" {...props}>
        {error.general && <Banner tone="error">{error.general}</Banner>}
        <div className="fs-fields">
          <TextInput
            label="Members need a second factor from"
            name="second_factor_from"
            type="date"
            defaultValue={from ?? ''}
            help="Empty: nobody needs one. Until that day they are reminded; from it on, who has signed in without an authenticator app or a passkey sees nothing of this facility. A patient system that signs in needs one too."
            error={fields.second_factor_from}
          />
          <TextInput
            label="Lock shared computers after (minutes)"
            name="idle_lock_minutes"
            type="number"
            min={MINUTES.least}
            max={MINUTES.most}
            step={1}
            inputMode="numeric"
            defaultValue={String(minutes)}
            help="Without any input, 1 to 60. Not where somebody signed in on a device of their own."
            error={fields.idle_lock_minutes}
          />
        </div>
        <Checkbox
          label="People may take along what they wrote here"
          name="own_texts_in_copies"
          defaultChecked={facility.own_texts_in_copies ?? false}
          help="The copy of their own data that people can download then has the texts of their messages, which may be about patients. Otherwise it has only when and where they wrote."
        />
        <p className="help">{formatWithout(without, facility.member_count)}</p>
        <SaveRow label="Save security rules" {...{ isBusy, isSaved }} />
      </form>
    </Card>
  );
}

function formatWithout(without: number, members: number): string {
  if (without === 0) return 'Everyone here has a second factor.';
  return `${without} of ${counted(members, 'person', 'people')} ${without === 1 ? 'has' : 'have'} no second factor yet.`;
}

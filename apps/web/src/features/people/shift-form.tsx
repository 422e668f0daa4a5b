import { serverNow } from '@wardline/client/server-clock.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { type OnCallRole, planShift } from '@wardline/contract/facilities/on-call.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { Colleagues } from '#/shared/forms/fields/colleagues.tsx';
import { useForm } from '#/shared/forms/use-form.ts';
import { readLocalTime, toLocalTime } from '#/shared/time/local-time.ts';
import { useRefreshOnCall } from './use-on-call.ts';

const MINUTE_MS = 60_000;
const USUAL_HOURS = 12;
const OLDEST = '1970';

interface ShiftFormProps {
  readonly facility: Facility;
  readonly role: OnCallRole;
  /** Where the last known shift ends, if there is one. */
  readonly after: string | undefined;
  readonly onPlanned: () => void;
}

/** Plans a shift, by the facility's clock: from where the last one ends, for half a day, unless another time is said. */
export function ShiftForm({ facility, role, after, onPlanned }: ShiftFormProps) {
  const call = useCall();
  const refresh = useRefreshOnCall(facility.id);
  const zone = facility.time_zone;
  const [begin] = useState(() => (after === undefined ? serverNow() : Date.parse(after)));
  const [who, setWho] = useState('');
  const { props, error, isBusy } = useForm({
    names: ['person_id', 'starts_at', 'ends_at'],
    required: { person_id: 'Choose who is on call.', starts_at: 'Enter a time.', ends_at: 'Enter a time.' },
    check: ({ starts_at, ends_at }) => ({
      starts_at: checkTime('From', starts_at, zone),
      ends_at: checkTime('To', ends_at, zone),
    }),
    async send({ person_id, starts_at, ends_at }) {
      await call(planShift, {
        params: { facility: facility.id, role: role.id },
        body: { person_id, starts_at: readLocalTime(starts_at, zone), ends_at: readLocalTime(ends_at, zone) },
      });
      await refresh();
      onPlanned();
    },
  });
  const field = (name: 'starts_at' | 'ends_at', at: number) => ({
    ...{ name, type: 'datetime-local', defaultValue: toLocalTime(at, zone), error: error.fields[name] },
  });
  return (
    <form className="stack stack-4" aria-label="Add shift" {...props}>
      <h3 className="semi strong">Add shift</h3>
      {error.general && <Banner tone="error">{error.general}</Banner>}
      <Colleagues
        facilityId={facility.id}
        may="on_call.take"
        chosen={who}
        onChoose={setWho}
        error={error.fields.person_id}
      />
      <input type="hidden" name="person_id" value={who} />
      <div className="shift-times">
        <TextInput label="From" {...field('starts_at', begin)} />
        <TextInput label="To" {...field('ends_at', begin + USUAL_HOURS * 60 * MINUTE_MS)} />
      </div>
      <Button type="submit" isLoading={isBusy}>
        Add shift
      </Button>
    </form>
  );
}

/** The server says of a time how far ahead it may lie; what is none at all, or of no year that it knows, never gets there. */
function checkTime(label: string, text: string, zone: string): string | undefined {
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && text >= OLDEST;
  return isTime && !Number.isNaN(Date.parse(readLocalTime(text, zone)))
    ? undefined
    : `${label}: enter a day and a time.`;
}

import {
  type FacilitySettings,
  SHIFT_NAME_MAX,
  SHIFT_STARTS_MAX,
  type ShiftStart,
  updateFacility,
} from '@wardline/contract/facilities/facility-settings.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card } from '@wardline/ui/card/card.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { loadAnewOnConflict } from '#/shared/forms/load-anew-on-conflict.ts';
import { SaveRow } from '#/shared/forms/save-row.tsx';
import { useForm } from '#/shared/forms/use-form.ts';
import { useRefreshFacility } from './facility-queries.ts';

const PLACES = Array.from({ length: SHIFT_STARTS_MAX }, (_, place) => place);
const nameOf = (place: number) => `name-${place}` as const;
const timeOf = (place: number) => `time-${place}` as const;

/** HAND-1: when the shifts begin and what they are called, one to four of them. */
export function ShiftsForm({ facility }: { readonly facility: FacilitySettings }) {
  const call = useCall();
  const refresh = useRefreshFacility(facility.id);
  const [shown, setShown] = useState<readonly { readonly place: number; readonly start: ShiftStart }[]>(() =>
    (facility.shift_starts ?? []).map((start, place) => ({ place, start })),
  );
  const [isSaved, setIsSaved] = useState(false);
  const { props, error, isBusy } = useForm({
    names: PLACES.flatMap((place) => [nameOf(place), timeOf(place)]),
    required: Object.fromEntries(
      shown.flatMap(({ place }) => [
        [nameOf(place), 'Enter what the shift is called.'],
        [timeOf(place), 'Enter when it begins.'],
      ]),
    ),
    async send(given) {
      setIsSaved(false);
      const shift_starts = shown.map(({ place }) => ({
        name: given[nameOf(place)] ?? '',
        time: given[timeOf(place)] ?? '',
      }));
      const body = { expected_version: facility.version, shift_starts };
      await loadAnewOnConflict(call(updateFacility, { params: { facility: facility.id }, body }), refresh);
      setIsSaved(true);
      await refresh();
    },
  });
  const add = () => {
    const place = PLACES.find((free) => shown.every((one) => one.place !== free));
    if (place !== undefined) setShown([...shown, { place, start: { name: '', time: '' } }]);
  };
  return (
    <Card hasPadding>
      <form className="stack stack-4" {...props}>
        {error.general && <Banner tone="error">{error.general}</Banner>}
        {shown.map(({ place, start }, at) => (
          <fieldset key={place} className="fs-shift">
            <legend className="sr">Shift {at + 1}</legend>
            <TextInput
              label="Name"
              name={nameOf(place)}
              autoComplete="off"
              maxLength={SHIFT_NAME_MAX}
              defaultValue={start.name}
              error={error.fields[nameOf(place)]}
            />
            <TextInput
              label="Begins at"
              name={timeOf(place)}
              type="time"
              defaultValue={start.time}
              error={error.fields[timeOf(place)]}
            />
            {shown.length > 1 && (
              <Button
                variant="ghost"
                color="neutral"
                iconOnly
                icon={X}
                label={`Remove shift ${at + 1}`}
                onClick={() => setShown(shown.filter((one) => one.place !== place))}
              />
            )}
          </fieldset>
        ))}
        {shown.length < SHIFT_STARTS_MAX && (
          <p>
            <Button variant="outline" color="neutral" icon={Plus} onClick={add}>
              Add a shift
            </Button>
          </p>
        )}
        <SaveRow label="Save shifts" {...{ isBusy, isSaved }} />
      </form>
    </Card>
  );
}

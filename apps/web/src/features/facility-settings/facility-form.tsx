import {
  FacilityCode,
  type FacilitySettings,
  updateFacility,
} from '@wardline/contract/facilities/facility-settings.ts';
import { Card } from '@wardline/ui/card/card.tsx';
import { Checkbox } from '@wardline/ui/input/checkbox.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useReloadFacilities } from '#/shared/contexts/reload-facilities.ts';
import { checkBy } from '#/shared/forms/fields/check-by.ts';
import { PlaceFields } from '#/shared/forms/fields/place-fields.tsx';
import { checkPlace, readPlace } from '#/shared/forms/fields/read-place.ts';
import { loadAnewOnConflict } from '#/shared/forms/load-anew-on-conflict.ts';
import { SaveRow } from '#/shared/forms/save-row.tsx';
import { useForm } from '#/shared/forms/use-form.ts';
import { useRefreshFacility } from './facility-queries.ts';

interface FacilityFormProps {
  readonly facility: FacilitySettings;
  /** The clock of its census, for the way to where it is set. */
  readonly clock: string | null;
}

/** What a facility is called and where it lies. */
export function FacilityForm({ facility, clock }: FacilityFormProps) {
  const call = useCall();
  const refresh = useRefreshFacility(facility.id);
  const reload = useReloadFacilities();
  const [isSaved, setIsSaved] = useState(false);
  const { shows_last_seen: showsLastSeen } = facility;
  const { props, error, isBusy } = useForm({
    names: ['name', 'code', 'latitude', 'longitude'],
    required: { name: 'Enter the name of the facility.', code: 'Enter a short name.' },
    check: ({ code, latitude, longitude }) => ({
      code: checkBy(FacilityCode, code),
      ...checkPlace({ latitude, longitude }),
    }),
    async send({ name, code, latitude, longitude }, data) {
      setIsSaved(false);
      const body = {
        ...{ expected_version: facility.version, name, code, ...readPlace({ latitude, longitude }) },
        ...(showsLastSeen !== undefined && { shows_last_seen: data.has('shows_last_seen') }),
      };
      await loadAnewOnConflict(call(updateFacility, { params: { facility: facility.id }, body }), refresh);
      setIsSaved(true);
      await Promise.all([refresh(), reload()]);
    },
  });
  const { fields } = error;
  return (
    <Card hasPadding>
      <form className="stack stack-4" {...props}>
        {error.general && <Banner tone="error">{error.general}</Banner>}
        <div className="fs-fields">
          <TextInput
            label="Facility name"
            name="name"
            autoComplete="off"
            maxLength={120}
            defaultValue={facility.name}
            error={fields.name}
          />
          <TextInput
            label="Short name"
            name="code"
            autoComplete="off"
            autoCapitalize="characters"
            maxLength={4}
            defaultValue={facility.code}
            help="2 to 4 letters or digits, for narrow places and files."
            error={fields.code}
          />
          <PlaceFields latitude={facility.latitude} longitude={facility.longitude} errors={fields} />
        </div>
        {showsLastSeen !== undefined && (
          <Checkbox
            name="shows_last_seen"
            defaultChecked={showsLastSeen}
            label="Show about when people were last seen"
            help="“Seen today” or “seen yesterday” beside the names of those who are off duty, never a time."
          />
        )}
        <SaveRow label="Save facility" {...{ isBusy, isSaved }} />
      </form>
      {clock !== null && (
        <p className="fs-clock">
          Census hour and time zone: <b>{clock}</b>. <Link href="/census?view=settings#clock">Change them</Link>
        </p>
      )}
    </Card>
  );
}

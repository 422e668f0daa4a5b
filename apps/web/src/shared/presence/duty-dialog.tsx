import type { OverlayControl } from '@wardline/client/overlays/overlay.ts';
import { serverNow } from '@wardline/client/server-clock.ts';
import { type BusyReason, type DutyState, dutyOf } from '@wardline/contract/facilities/decide-presence.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { BUSY_REASONS, type Presence, setPresence } from '@wardline/contract/facilities/presence.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { RadioGroup } from '@wardline/ui/input/radio-group.tsx';
import { Select } from '@wardline/ui/input/select.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { sayDone } from '#/shared/contexts/show-toast.ts';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { formatAction } from '#/shared/forms/form-errors.ts';
import { useQueryClient } from '#/shared/queries/use-query.ts';
import { endChoices } from './duty-choices.ts';
import { formatPresence, formatUntil, REASON_LABELS } from './format-presence.ts';
import { PresenceMark } from './presence-mark.tsx';
import { takeStated, usePresences } from './use-presences.ts';

interface DutyDialogProps {
  /** The one it begins with first. */
  readonly facilities: readonly Facility[];
  readonly myId: string;
  readonly overlay: OverlayControl<undefined>;
}

/** Where one says oneself whether one is there (CHAT-12), in one facility at a time. */
export function DutyDialog({ facilities, myId, overlay }: DutyDialogProps) {
  const [facilityId, setFacilityId] = useState(facilities[0]?.id ?? '');
  const facility = facilities.find(({ id }) => id === facilityId);
  const own = usePresences(facilityId, [myId]).get(myId);
  const isOnline = useOnline();
  return (
    <Dialog
      open={overlay.isOpen}
      onOpenChange={(isOpen) => !isOpen && overlay.dismiss()}
      onAfterLeave={overlay.afterLeave}
      title="Your duty"
      description="The people of this facility see it beside your name."
      closeLabel="Close"
    >
      <div className="stack stack-4">
        {facilities.length > 1 && (
          <Select
            label="Facility"
            value={facilityId}
            onValueChange={setFacilityId}
            options={facilities.map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
        {!isOnline && (
          <Banner tone="warning">
            You’re offline. This can’t be changed now, as it would no longer be true once it is sent.
          </Banner>
        )}
        {facility && own && (
          <DutyForm key={facilityId} {...{ facility, own, isOnline }} onSaved={() => overlay.dismiss()} />
        )}
        {!own && isOnline && <Skeleton count={2} label="Loading your duty" />}
      </div>
    </Dialog>
  );
}

interface DutyFormProps {
  readonly facility: Facility;
  readonly own: Presence;
  readonly isOnline: boolean;
  readonly onSaved: () => void;
}

const NO_REASON = 'none';

function DutyForm({ facility, own, isOnline, onSaved }: DutyFormProps) {
  const call = useCall();
  const queries = useQueryClient();
  const zone = facility.time_zone;
  const [now] = useState(serverNow);
  const [state, setState] = useState<DutyState>(() => dutyOf(own, now).state);
  const [wanted, setWanted] = useState('');
  const [reason, setReason] = useState<BusyReason | typeof NO_REASON>(own.busy?.reason ?? NO_REASON);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const choices = endChoices(state, own, { zone, now });
  const until = choices.find(({ value }) => value === wanted)?.value ?? choices[0]?.value ?? '';
  // The shift itself says until when; one's own word is not needed for that.
  const isByShift = (at: string) => own.shift_until !== null && Date.parse(at) <= Date.parse(own.shift_until);

  const save = async () => {
    setIsBusy(true);
    setError(null);
    const body = {
      on_duty_until: state === 'busy' ? own.on_duty_until : state === 'on_duty' && !isByShift(until) ? until : null,
      busy: state === 'busy' ? { until, reason: reason === NO_REASON ? null : reason } : null,
    };
    try {
      const said = await call(setPresence, { params: { facility: facility.id }, body });
      takeStated(queries, { facility_id: facility.id, ...said });
      sayDone(formatPresence({ ...said, last_seen: null }, { zone, now: serverNow() }));
      onSaved();
    } catch (failure) {
      setError(formatAction(failure));
      setIsBusy(false);
    }
  };
  const heldUntil = own.shift_until === null ? null : formatUntil(Date.parse(own.shift_until), { zone, now });
  return (
    <>
      <p>
        Now: <PresenceMark presence={{ ...own, last_seen: null }} zone={zone} />
      </p>
      {error && <Banner tone="error">{error}</Banner>}
      <RadioGroup<DutyState>
        label="You are"
        value={state}
        onValueChange={(next) => {
          setState(next);
          setWanted('');
        }}
        choices={[
          { value: 'on_duty', label: 'On duty' },
          { value: 'busy', label: 'Busy', help: 'Urgent messages still reach you.' },
          {
            value: 'off_duty',
            label: 'Off duty',
            isDisabled: heldUntil !== null,
            ...(heldUntil === null ? {} : { help: `You’re on call until ${heldUntil}. Hand over first.` }),
          },
        ]}
      />
      {state !== 'off_duty' && <Select label="Until" options={choices} value={until} onValueChange={setWanted} />}
      {state === 'busy' && (
        <Select
          label="Reason (optional)"
          options={[
            { value: NO_REASON, label: 'No reason' },
            ...BUSY_REASONS.map((value) => ({ value, label: REASON_LABELS[value] })),
          ]}
          value={reason}
          onValueChange={setReason}
        />
      )}
      <div className="dialog-foot">
        <Button variant="ghost" color="neutral" onClick={onSaved}>
          Cancel
        </Button>
        <Button isLoading={isBusy} disabled={!isOnline} onClick={() => void save()}>
          Save
        </Button>
      </div>
    </>
  );
}

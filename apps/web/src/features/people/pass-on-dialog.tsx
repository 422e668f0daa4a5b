import { serverNow } from '@wardline/client/server-clock.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { handOver, type OnCallRole, takeOver } from '@wardline/contract/facilities/on-call.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { Select } from '@wardline/ui/input/select.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { Colleagues } from '#/shared/forms/fields/colleagues.tsx';
import { formatAction } from '#/shared/forms/form-errors.ts';
import { formatWhen } from './format-when.ts';
import { untilChoices } from './until-choices.ts';
import { useRefreshOnCall } from './use-on-call.ts';

interface PassOnDialogProps {
  readonly facility: Facility;
  /** As it is now: it may change while this is open. */
  readonly role: OnCallRole;
  readonly act: 'take-over' | 'hand-over';
  readonly myId: string;
  readonly onClose: () => void;
}

/** Asks until when, and for a hand-over whom. Who took the role meanwhile is said here, and one may go on from there. */
export function PassOnDialog({ facility, role, act, myId, onClose }: PassOnDialogProps) {
  const call = useCall();
  const refresh = useRefreshOnCall(facility.id);
  const isOnline = useOnline();
  const [openedAt] = useState(serverNow);
  const [wanted, setWanted] = useState('');
  const choices = untilChoices(role, { zone: facility.time_zone, now: openedAt });
  const until = choices.find(({ value }) => value === wanted)?.value ?? choices[0]?.value ?? '';
  const [to, setTo] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const params = { facility: facility.id, role: role.id };
  const replaces = role.now?.id ?? null;

  const send = async () => {
    setIsBusy(true);
    setError(null);
    try {
      if (act === 'take-over') await call(takeOver, { params, body: { until, replaces } });
      else await call(handOver, { params, body: { person_id: to, until, replaces } });
      await refresh();
      onClose();
    } catch (error) {
      setError(formatAction(error));
      await refresh();
    }
    setIsBusy(false);
  };
  const label = act === 'take-over' ? 'Take over' : 'Hand over';
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`${label}: ${role.name}`}
      description={whoHas(role, facility.time_zone)}
      closesOutside={act === 'take-over'}
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={onClose}>
            Cancel
          </Button>
          <Button
            disabled={!isOnline || until === '' || (act === 'hand-over' && to === '')}
            isLoading={isBusy}
            onClick={() => void send()}
          >
            {label}
          </Button>
        </>
      }
    >
      <div className="stack stack-4">
        {error && <Banner tone="error">{error}</Banner>}
        {!isOnline && <Banner tone="warning">You’re offline. Try again once you’re back online.</Banner>}
        {act === 'hand-over' && (
          <Colleagues
            facilityId={facility.id}
            may="on_call.take"
            without={[role.now?.person.user_id, myId]}
            chosen={to}
            onChoose={setTo}
          />
        )}
        <Select label="Until" options={choices} value={until} onValueChange={setWanted} />
      </div>
    </Dialog>
  );
}

function whoHas({ now }: OnCallRole, zone: string): string {
  if (!now) return 'No one is on call now.';
  return `${now.person.name} is on call until ${formatWhen(zone, Date.parse(now.ends_at), serverNow())}.`;
}

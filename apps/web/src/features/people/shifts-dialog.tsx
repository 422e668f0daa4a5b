import { serverNow } from '@wardline/client/server-clock.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { deleteShift, listShifts, type OnCallRole, type Shift } from '@wardline/contract/facilities/on-call.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { ListRow } from '@wardline/ui/list/list-row.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { X } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { useConfirm } from '#/shared/forms/dialogs/use-confirm.ts';
import { PersonAvatar } from '#/shared/pictures/person-avatar.tsx';
import { ShowMore } from '#/shared/queries/show-more.tsx';
import { usePages } from '#/shared/queries/use-pages.ts';
import { formatSpan } from './format-when.ts';
import { ShiftForm } from './shift-form.tsx';
import { useRefreshOnCall } from './use-on-call.ts';

interface ShiftsDialogProps {
  readonly facility: Facility;
  readonly role: OnCallRole;
  readonly onClose: () => void;
}

/** Who is on call for a role and who will be; whoever plans adds shifts here and removes them. */
export function ShiftsDialog({ facility, role, onClose }: ShiftsDialogProps) {
  const shifts = useShifts(facility.id, role.id);
  const [planned, setPlanned] = useState(0);
  const mayPlan = facility.permissions.includes('on_call.manage');
  const known = shifts.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closesOutside={!mayPlan}
      size="lg"
      closeLabel="Close"
      title={`Shifts: ${role.name}`}
    >
      <div className="stack stack-4">
        {shifts.isPending && <Skeleton count={3} label="Loading shifts" />}
        {shifts.isError && !shifts.data && (
          <ErrorState
            title="The shifts did not load"
            message={formatFailure(shifts.error)}
            onRetry={() => void shifts.refetch()}
          />
        )}
        {shifts.data && known.length === 0 && <p className="muted">No shifts planned.</p>}
        {known.length > 0 && (
          <ul className="shifts" aria-label="Shifts">
            {known.map((shift) => (
              <li key={shift.id}>
                <ShiftRow {...{ facility, role, shift, mayPlan }} />
              </li>
            ))}
          </ul>
        )}
        <ShowMore list={shifts} />
        {mayPlan && shifts.data && (
          // Made anew after each shift, so that the next begins where it ends.
          <ShiftForm
            key={planned}
            {...{ facility, role }}
            after={known.at(-1)?.ends_at}
            onPlanned={() => setPlanned(planned + 1)}
          />
        )}
      </div>
    </Dialog>
  );
}

function useShifts(facilityId: string, roleId: string) {
  const call = useCall();
  return usePages({
    queryKey: ['shifts', facilityId, roleId],
    load: (asked) => call(listShifts, { params: { facility: facilityId, role: roleId }, ...asked }),
  });
}

interface ShiftRowProps extends Omit<ShiftsDialogProps, 'onClose'> {
  readonly shift: Shift;
  readonly mayPlan: boolean;
}

function ShiftRow({ facility, role, shift, mayPlan }: ShiftRowProps) {
  const call = useCall();
  const confirm = useConfirm();
  const refresh = useRefreshOnCall(facility.id);
  const { person, starts_at, ends_at } = shift;
  const now = serverNow();
  const hasBegun = Date.parse(starts_at) <= now;
  const times = formatSpan(facility.time_zone, { from: Date.parse(starts_at), to: Date.parse(ends_at), now });
  const remove = () =>
    void confirm({
      title: hasBegun ? 'End this shift now?' : 'Remove this shift?',
      description: `${person.name}, ${role.name}, ${times}.`,
      confirmLabel: hasBegun ? 'End shift' : 'Remove',
      onConfirm: async () => {
        await call(deleteShift, { params: { facility: facility.id, role: role.id, shift: shift.id } });
        await refresh();
      },
    });
  return (
    <ListRow
      leading={<PersonAvatar name={person.name} url={person.avatar_url} size={40} />}
      title={person.name}
      mark={hasBegun && <Badge tone="primary">Now</Badge>}
      text={<span className="on-call-times">{times}</span>}
      isTextWhole
      trailing={
        mayPlan && (
          <Button
            size="sm"
            variant="ghost"
            color="neutral"
            iconOnly
            icon={X}
            label={`${hasBegun ? 'End' : 'Remove'} shift of ${person.name}, ${times}`}
            onClick={remove}
          />
        )
      }
    />
  );
}

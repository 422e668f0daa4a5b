import { serverNow } from '@wardline/client/server-clock.ts';
import type { OnCallRole } from '@wardline/contract/facilities/on-call.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Badge } from '@wardline/ui/mark/badge.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { CalendarDays, Pencil } from 'lucide-react';
import { useState } from 'react';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { hasEveryWord } from '#/shared/forms/search-text.ts';
import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { PersonAvatar } from '#/shared/pictures/person-avatar.tsx';
import { formatWhen } from './format-when.ts';
import { type NamePlace, PersonName, PhoneLink } from './person-name.tsx';
import { useOnCall } from './use-on-call.ts';

const PassOnDialog = lazyPart(async () => (await import('./pass-on-dialog.tsx')).PassOnDialog, {
  onMissing: closeMissing,
});
const LadderDialog = lazyPart(async () => (await import('./ladder-dialog.tsx')).LadderDialog, {
  onMissing: closeMissing,
});
const RoleDialog = lazyPart(async () => (await import('./role-dialog.tsx')).RoleDialog, { onMissing: closeMissing });

const ShiftsDialog = lazyPart(async () => (await import('./shifts-dialog.tsx')).ShiftsDialog, {
  onMissing: closeMissing,
});

type Act = 'take-over' | 'hand-over' | 'shifts' | 'edit';

interface OnCallListProps extends NamePlace {
  readonly q: string;
}

/** The on-call roles of a facility: who holds each now and until when, who comes next, and taking or handing it over. */
export function OnCallList({ q, ...place }: OnCallListProps) {
  const { facility } = place;
  const roles = useOnCall(facility.id);
  const isOnline = useOnline();
  const [open, setOpen] = useState<{ readonly act: Act; readonly id: string } | null>(null);
  const [isLadderOpen, setIsLadderOpen] = useState(false);
  if (roles.isPending && !isOnline)
    return <EmptyState title="You’re offline">Who is on call shows once you’re back online.</EmptyState>;
  if (roles.isPending) return <Skeleton count={6} label="Loading who is on call" />;
  if (roles.isError && !roles.data) {
    return (
      <ErrorState
        title="Who is on call did not load"
        message={formatFailure(roles.error)}
        onRetry={() => void roles.refetch()}
      />
    );
  }
  const all = roles.data.data;
  const shown = all.filter((role) => hasEveryWord(wordsOf(role), q));
  const chosen = all.find(({ id }) => id === open?.id);
  const close = () => setOpen(null);
  if (all.length === 0) {
    return (
      <EmptyState title="No on-call roles yet">
        {facility.permissions.includes('on_call.manage')
          ? 'Add the first with “New role”, such as “Medical registrar on call”.'
          : 'Whoever plans the shifts adds them here.'}
      </EmptyState>
    );
  }
  if (shown.length === 0) return <EmptyState title={`No on-call role found for “${q}”`} />;
  return (
    <>
      <ul className="on-call" aria-label="On call">
        {shown.map((role) => (
          <li key={role.id}>
            <OnCallRow {...place} role={role} isOnline={isOnline} onAct={(act) => setOpen({ act, id: role.id })} />
          </li>
        ))}
      </ul>
      {facility.permissions.includes('on_call.manage') && (
        <Button variant="outline" color="neutral" disabled={!isOnline} onClick={() => setIsLadderOpen(true)}>
          Who urgent messages call
        </Button>
      )}
      {isLadderOpen && <LadderDialog {...{ facility }} roles={all} onClose={() => setIsLadderOpen(false)} />}
      {(open?.act === 'take-over' || open?.act === 'hand-over') && chosen && (
        <PassOnDialog facility={facility} role={chosen} act={open.act} myId={place.myId} onClose={close} />
      )}
      {open?.act === 'shifts' && chosen && <ShiftsDialog facility={facility} role={chosen} onClose={close} />}
      {open?.act === 'edit' && chosen && <RoleDialog facility={facility} existing={chosen} onClose={close} />}
    </>
  );
}

function wordsOf({ name, unit, now, next }: OnCallRole): string {
  return [name, unit?.name, unit?.code, now?.person.name, next?.person.name].join(' ');
}

interface OnCallRowProps extends NamePlace {
  readonly role: OnCallRole;
  readonly isOnline: boolean;
  readonly onAct: (act: Act) => void;
}

function OnCallRow({ role, isOnline, onAct, ...place }: OnCallRowProps) {
  const { facility, myId } = place;
  const { name, unit, phone, now, next } = role;
  const may = (permission: string) => facility.permissions.includes(permission);
  const isMine = now?.person.user_id === myId;
  const when = (at: string) => formatWhen(facility.time_zone, Date.parse(at), serverNow());
  return (
    <section className="on-call-row" aria-label={name}>
      <div className="on-call-role">
        <div className="grow">
          <h2 className="semi strong">
            {isMine ? (
              name
            ) : (
              <Link className="person-link" href={place.roleHrefOf(facility.id, role.id)} title={`Write to ${name}`}>
                {name}
              </Link>
            )}
          </h2>
          {unit && <span className="t13 muted">{unit.name}</span>}
        </div>
        {phone !== null && <PhoneLink of={name} phone={phone} />}
      </div>
      <div className="on-call-who">
        {now ? <PersonAvatar name={now.person.name} url={now.person.avatar_url} size={40} /> : null}
        <div className="grow">
          <div className="row wrap">
            {now ? <PersonName {...place} person={now.person} /> : <Badge tone="line">No one on call</Badge>}
            {now && <span className="on-call-times t13 muted">until {when(now.ends_at)}</span>}
          </div>
          <span className="t13 muted">
            {next ? `Next: ${next.person.name}, from ${when(next.starts_at)}` : 'No one planned next'}
          </span>
        </div>
        {now && now.person.phone !== null && !isMine && <PhoneLink of={now.person.name} phone={now.person.phone} />}
      </div>
      <div className="on-call-acts">
        {now && ((isMine && may('on_call.take')) || may('on_call.manage')) && (
          <Button
            size="sm"
            variant="outline"
            color="neutral"
            disabled={!isOnline}
            aria-label={`Hand over ${name}`}
            onClick={() => onAct('hand-over')}
          >
            Hand over
          </Button>
        )}
        {may('on_call.take') && !isMine && (
          <Button
            size="sm"
            variant="outline"
            disabled={!isOnline}
            aria-label={`Take over ${name}`}
            onClick={() => onAct('take-over')}
          >
            Take over
          </Button>
        )}
      </div>
      <div className="on-call-tools">
        <Button
          size="sm"
          variant="ghost"
          color="neutral"
          iconOnly
          icon={CalendarDays}
          label={`Shifts of ${name}`}
          disabled={!isOnline}
          onClick={() => onAct('shifts')}
        />
        {may('on_call.manage') && (
          <Button
            size="sm"
            variant="ghost"
            color="neutral"
            iconOnly
            icon={Pencil}
            label={`Edit ${name}`}
            disabled={!isOnline}
            onClick={() => onAct('edit')}
          />
        )}
      </div>
    </section>
  );
}

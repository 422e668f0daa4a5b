import { listParticipants } from '@wardline/contract/chat/chat.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { listOnCallRoles, MOST_ON_CALL_ROLES } from '@wardline/contract/facilities/on-call.ts';
import { Select } from '@wardline/ui/input/select.tsx';
import { useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { Colleagues } from '#/shared/forms/fields/colleagues.tsx';
import { useQuery } from '#/shared/queries/use-query.ts';

interface ReceiverFieldProps {
  readonly facility: Facility;
  readonly chatId: string;
  readonly myId: string;
  /** Whoever is not in the chat may be chosen too, and comes in by it. */
  readonly mayAdd: boolean;
  /** `user:…` or `role:…`; empty for nobody. */
  readonly value: string;
  readonly error: string | undefined;
  readonly onValue: (value: string) => void;
}

const NOBODY = 'nobody';
const OTHER = 'other';
const PAGE = 200;

/** To whom it goes: who is on call, somebody of the chat, or anybody of the facility where they may be added. */
export function ReceiverField({ facility, chatId, myId, mayAdd, value, error, onValue }: ReceiverFieldProps) {
  const call = useCall();
  const roles = useQuery({
    queryKey: ['on-call', facility.id],
    queryFn: ({ signal }) =>
      call(listOnCallRoles, { params: { facility: facility.id }, query: { limit: MOST_ON_CALL_ROLES }, signal }),
  });
  const people = useQuery({
    queryKey: ['handover-people', chatId],
    queryFn: ({ signal }) => call(listParticipants, { params: { chat: chatId }, query: { limit: PAGE }, signal }),
  });
  const [isOther, setIsOther] = useState(false);
  const options = [
    ...(roles.data?.data ?? []).map(({ id, name, now }) => ({
      value: `role:${id}`,
      label: now ? `On call: ${name}, ${now.person.name}` : `On call: ${name}, nobody now`,
    })),
    ...(people.data?.data ?? [])
      .filter(({ user_id, access }) => user_id !== myId && (mayAdd || access !== 'read'))
      .map(({ user_id, name, title }) => ({ value: `user:${user_id}`, label: title ? `${name}, ${title}` : name })),
  ];
  const isKnown = options.some((option) => option.value === value);
  const showsOthers = isOther || (mayAdd && value !== '' && !isKnown && people.isSuccess && roles.isSuccess);
  return (
    <div className="hand-block">
      <Select
        label="Hand over to"
        value={showsOthers ? OTHER : isKnown ? value : NOBODY}
        error={showsOthers ? undefined : error}
        options={[
          { value: NOBODY, label: 'Choose…' },
          ...options,
          ...(mayAdd ? [{ value: OTHER, label: 'Somebody who is not in this chat…' }] : []),
        ]}
        onValueChange={(next) => {
          setIsOther(next === OTHER);
          onValue(next === OTHER || next === NOBODY ? '' : next);
        }}
      />
      {showsOthers && (
        <>
          <p className="t13 muted">They come into the chat with it and see all messages.</p>
          <Colleagues
            facilityId={facility.id}
            without={[myId, ...(people.data?.data ?? []).map(({ user_id }) => user_id)]}
            chosen={value.replace('user:', '')}
            error={error}
            onChoose={(userId) => {
              setIsOther(true);
              onValue(`user:${userId}`);
            }}
          />
        </>
      )}
    </div>
  );
}

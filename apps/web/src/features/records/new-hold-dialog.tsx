import { ApiError } from '@wardline/client/http/api-error.ts';
import { serverNow } from '@wardline/client/server-clock.ts';
import { type HoldablePerson, listHoldablePeople, placeLegalHold } from '@wardline/contract/chat/records.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { RadioGroup } from '@wardline/ui/input/radio-group.tsx';
import { SearchInput } from '@wardline/ui/input/search-input.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { useDeferredValue, useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { ReasonDialog } from '#/shared/forms/dialogs/reason-dialog.tsx';
import { keepPreviousData, useQuery } from '#/shared/queries/use-query.ts';
import { useRefreshRecords } from '#/shared/records/record-queries.ts';
import { dayIn, formatDay } from '#/shared/time/zoned-time.ts';

interface NewHoldDialogProps {
  readonly facility: Facility;
  readonly onClose: () => void;
}

const KINDS = [
  { value: 'patient', label: 'A patient' },
  { value: 'person', label: 'A person' },
] as const;

/** Holds the chats of a patient, or all that a person wrote. */
export function NewHoldDialog({ facility, onClose }: NewHoldDialogProps) {
  const call = useCall();
  const refresh = useRefreshRecords(facility.id);
  const [clientId] = useState(() => crypto.randomUUID());
  const [kind, setKind] = useState<'patient' | 'person'>('patient');
  const [person, setPerson] = useState<string>();
  const isPatient = kind === 'patient';
  return (
    <ReasonDialog
      title="New legal hold"
      description="Nothing of it is deleted until the hold is ended: not for its age, and not by whoever wrote it."
      submitLabel="Place hold"
      help="It is read by those who answer for the record."
      names={['identifier', 'person']}
      required={isPatient ? { identifier: 'Enter the number.' } : {}}
      onClose={onClose}
      onSend={async ({ identifier, reason }) => {
        const subject = isPatient
          ? { kind, identifier: identifier.trim() }
          : person === undefined
            ? null
            : ({ kind: 'person', user_id: person } as const);
        if (subject === null) throw fieldError({ person: ['Choose a person.'] });
        await call(placeLegalHold, {
          params: { facility: facility.id },
          body: { client_id: clientId, subject, reason },
        });
        await refresh();
      }}
    >
      {(errors) => (
        <>
          <RadioGroup label="What is held" isInline value={kind} onValueChange={setKind} choices={KINDS} />
          {isPatient ? (
            <TextInput
              label="MRN or other ID"
              name="identifier"
              autoComplete="off"
              maxLength={60}
              help="All chats of this facility with this number, also later ones."
              error={errors.identifier}
            />
          ) : (
            <PersonChoice {...{ facility }} value={person} onChange={setPerson} error={errors.person} />
          )}
        </>
      )}
    </ReasonDialog>
  );
}

function fieldError(fieldErrors: Readonly<Record<string, readonly string[]>>): ApiError {
  return new ApiError('', { status: 422, code: 'unprocessable', fieldErrors });
}

const MOST = 6;

interface PersonChoiceProps {
  readonly facility: Facility;
  readonly value: string | undefined;
  readonly onChange: (userId: string) => void;
  readonly error: string | undefined;
}

function PersonChoice({ facility, value, onChange, error }: PersonChoiceProps) {
  const [search, setSearch] = useState('');
  const people = usePeople(facility.id, useDeferredValue(search.trim()));
  return (
    <div className="stack stack-4">
      <SearchInput label="Search people, also who has left" value={search} onValueChange={setSearch} maxLength={80} />
      <RadioGroup
        label="Person"
        help="They are not told. Where older messages are deleted, people in the chat see that these stay."
        value={value}
        onValueChange={onChange}
        error={value === undefined ? error : undefined}
        choices={(people.data?.data ?? []).map((person) => ({
          value: person.id,
          label: formatPerson(person, facility.time_zone),
        }))}
      />
    </div>
  );
}

function usePeople(facilityId: string, q: string) {
  const call = useCall();
  return useQuery({
    queryKey: ['records', facilityId, 'people', q],
    queryFn: ({ signal }) =>
      call(listHoldablePeople, {
        params: { facility: facilityId },
        query: { limit: MOST, ...(q ? { q } : {}) },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

function formatPerson({ name, title, left_at: leftAt }: HoldablePerson, zone: string): string {
  const left = leftAt && `left ${formatDay(dayIn(zone, Date.parse(leftAt)), dayIn(zone, serverNow()))}`;
  return [name, title, left].filter(Boolean).join(', ');
}

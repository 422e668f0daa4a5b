import { ApiError } from '@wardline/client/http/api-error.ts';
import { placeLegalHold } from '@wardline/contract/chat/records.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { RadioGroup } from '@wardline/ui/input/radio-group.tsx';
import { SearchInput } from '@wardline/ui/input/search-input.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { useDeferredValue, useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { ReasonDialog } from '#/shared/forms/dialogs/reason-dialog.tsx';
import { useMembers } from '#/shared/queries/use-members.ts';
import { useRefreshRecords } from '#/shared/records/record-queries.ts';

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
            <PersonChoice facilityId={facility.id} value={person} onChange={setPerson} error={errors.person} />
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
  readonly facilityId: string;
  readonly value: string | undefined;
  readonly onChange: (userId: string) => void;
  readonly error: string | undefined;
}

function PersonChoice({ facilityId, value, onChange, error }: PersonChoiceProps) {
  const [search, setSearch] = useState('');
  const members = useMembers(facilityId, useDeferredValue(search.trim()));
  const found = (members.data?.pages[0]?.data ?? []).slice(0, MOST);
  return (
    <div className="stack stack-4">
      <SearchInput label="Search people" value={search} onValueChange={setSearch} maxLength={80} />
      <RadioGroup
        label="Person"
        value={value}
        onValueChange={onChange}
        error={value === undefined ? error : undefined}
        choices={found.map(({ user_id, name, title }) => ({
          value: user_id,
          label: title ? `${name}, ${title}` : name,
        }))}
      />
    </div>
  );
}

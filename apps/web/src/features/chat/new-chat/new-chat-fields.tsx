import { CHAT_TITLE_MAX, type OwnCase } from '@wardline/contract/chat/chat-management.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Select } from '@wardline/ui/input/select.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import type { ReactNode } from 'react';
import type { NewChatErrors, NewChatForm } from './new-chat-input.ts';
import { PeoplePicker } from './people-picker.tsx';
import { SameCase } from './same-case.tsx';

interface NewChatFieldsProps {
  readonly form: NewChatForm;
  readonly error: NewChatErrors;
  readonly facilities: readonly Facility[];
  readonly myId: string;
  /** What goes on already about the patient of the form. */
  readonly sameCases: readonly OwnCase[];
  readonly onOpenSame: () => void;
  readonly onChange: (form: NewChatForm) => void;
}

const kinds = [
  { value: 'case', label: 'Patient' },
  { value: 'group', label: 'Team' },
] as const;
/** For who manages the facility's chats: only those who manage it write in it. */
const withAnnouncement = [...kinds, { value: 'announcement', label: 'Announcement' }] as const;

/** What a new chat asks: where, of which kind, about whom, with whom. */
export function NewChatFields({ form, error, facilities, myId, sameCases, onOpenSame, onChange }: NewChatFieldsProps) {
  const set = (change: Partial<NewChatForm>) => onChange({ ...form, ...change });
  const facility = facilities.find(({ id }) => id === form.facilityId);
  const mayAnnounce = facility?.permissions.includes('chats.manage') ?? false;
  return (
    <>
      {facilities.length > 1 && (
        <Select
          label="Facility"
          options={facilities.map(({ id, name }) => ({ value: id, label: name }))}
          value={form.facilityId}
          onValueChange={(facilityId) =>
            set({ facilityId, people: [], ...(form.kind === 'announcement' && { kind: 'group' }) })
          }
        />
      )}
      <fieldset className="field">
        <legend className="label">Kind</legend>
        <div className="seg kinds">
          {(mayAnnounce ? withAnnouncement : kinds).map(({ value, label }) => (
            <label key={value}>
              <input
                className="sr"
                type="radio"
                name="kind"
                value={value}
                checked={form.kind === value}
                onChange={() => set({ kind: value })}
              />
              {label}
            </label>
          ))}
        </div>
        {form.kind === 'announcement' && (
          <p className="help">The people you choose read it. Only those who manage it write in it.</p>
        )}
      </fieldset>
      {form.kind !== 'case' ? (
        <TextInput
          label="Title"
          maxLength={CHAT_TITLE_MAX}
          value={form.title}
          error={error.title}
          onChange={(event) => set({ title: event.target.value })}
        />
      ) : (
        <PatientFields form={form} error={error} set={set}>
          <SameCase cases={sameCases} typedName={form.patientName} onOpen={onOpenSame} />
        </PatientFields>
      )}
      <PeoplePicker
        facilityId={form.facilityId}
        myId={myId}
        chosen={form.people}
        onChange={(people) => set({ people })}
      />
    </>
  );
}

interface PatientFieldsProps {
  readonly form: NewChatForm;
  readonly error: NewChatErrors;
  readonly set: (change: Partial<NewChatForm>) => void;
  /** Stands below the patient's number. */
  readonly children: ReactNode;
}

function PatientFields({ form, error, set, children }: PatientFieldsProps) {
  return (
    <>
      <div className="new-chat-pair">
        <TextInput
          label="Patient’s name"
          autoComplete="off"
          maxLength={120}
          value={form.patientName}
          error={error.patientName}
          onChange={(event) => set({ patientName: event.target.value })}
        />
        <TextInput
          label="MRN or other ID"
          help="e.g. 40-118-236"
          autoComplete="off"
          maxLength={60}
          value={form.identifier}
          error={error.identifier}
          onChange={(event) => set({ identifier: event.target.value })}
        />
      </div>
      {children}
      <div className="new-chat-pair">
        <TextInput
          label="Born (optional)"
          type="date"
          autoComplete="off"
          value={form.bornOn}
          error={error.bornOn}
          onChange={(event) => set({ bornOn: event.target.value })}
        />
        <TextInput
          label="Bed (optional)"
          help="Location only"
          autoComplete="off"
          maxLength={20}
          value={form.bed}
          error={error.bed}
          onChange={(event) => set({ bed: event.target.value })}
        />
      </div>
    </>
  );
}

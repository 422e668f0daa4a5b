import { exportPatientRecord } from '@wardline/contract/chat/records.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { ReasonDialog } from '#/shared/forms/dialogs/reason-dialog.tsx';
import { useDownload } from '#/shared/forms/dialogs/use-download.ts';

interface PatientRecordDialogProps {
  readonly facility: Facility;
  readonly onClose: () => void;
}

/** All chats of the facility about one patient, as one archive. */
export function PatientRecordDialog({ facility, onClose }: PatientRecordDialogProps) {
  const { download } = useDownload();
  return (
    <ReasonDialog
      title="Export a patient’s chats"
      description="You get an archive with all chats about the patient, as PDF and JSON, with their files. Everybody in them reads that you took it, and why."
      submitLabel="Export"
      help="It is written into each chat."
      names={['identifier', 'born_on']}
      required={{ identifier: 'Enter the number.' }}
      onClose={onClose}
      onSend={async ({ identifier, born_on, reason }) => {
        const body = { identifier: identifier.trim(), born_on: born_on || null, reason };
        const input = { params: { facility: facility.id }, body };
        await download(exportPatientRecord, input, { fileName: 'record.zip' });
      }}
    >
      {(errors) => (
        <>
          <TextInput
            label="MRN or other ID"
            name="identifier"
            autoComplete="off"
            maxLength={60}
            error={errors.identifier}
          />
          <TextInput
            label="Date of birth"
            name="born_on"
            type="date"
            help="Chats that name one are found by both together."
            error={errors.born_on}
          />
        </>
      )}
    </ReasonDialog>
  );
}

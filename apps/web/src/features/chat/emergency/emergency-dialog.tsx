import type { PatientChat } from '@wardline/contract/chat/emergency-access.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { useState } from 'react';
import { FindPatient, type PatientQuestion } from './find-patient.tsx';
import { OpenPatientChat } from './open-patient-chat.tsx';

interface EmergencyDialogProps {
  readonly facilities: readonly Facility[];
  /** What the field begins with. */
  readonly identifier: string;
  readonly onClose: () => void;
}

/** Two steps: who the patient is, then which chat, and why. */
export function EmergencyDialog({ facilities, identifier, onClose }: EmergencyDialogProps) {
  const [asked, setAsked] = useState<PatientQuestion>(() => ({
    facilityId: facilities[0]?.id ?? '',
    // A number has a digit; words that found nothing are no help here.
    identifier: /\d/.test(identifier) ? identifier : '',
    bornOn: '',
  }));
  const [found, setFound] = useState<readonly PatientChat[] | null>(null);
  if (found === null) {
    return (
      <FindPatient
        facilities={facilities}
        asked={asked}
        onFound={(question, chats) => {
          setAsked(question);
          setFound(chats);
        }}
        onClose={onClose}
      />
    );
  }
  return <OpenPatientChat chats={found} asked={asked} onBack={() => setFound(null)} onClose={onClose} />;
}

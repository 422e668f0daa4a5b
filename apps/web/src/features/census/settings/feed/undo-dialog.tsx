import { forgetCensusFeed, stopCensusFeed } from '@wardline/contract/census/feed.ts';
import { useState } from 'react';
import { v7 as uuidv7 } from 'uuid';
import { mustBeReason } from '#/features/census/core/must-be-reason.ts';
import { useSettingsPlace } from '#/features/census/settings/core/settings-context.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { sayDone } from '#/shared/contexts/show-toast.ts';
import { ReasonDialog } from '#/shared/forms/dialogs/reason-dialog.tsx';
import { useRefreshFeed } from './feed-queries.ts';

const ACTS = {
  stop: {
    endpoint: stopCensusFeed,
    title: 'Stop the patient system?',
    description:
      'No report shows what it says any more, and no alert tells of it. Its messages are still taken, so that it can be started again.',
    submitLabel: 'Stop',
    done: 'The patient system is stopped',
  },
  forget: {
    endpoint: forgetCensusFeed,
    title: 'Forget who is in?',
    description:
      'All that the patient system has told of patients and beds is forgotten: after a trial, or before another one takes its place. Reports stay as they are. Bring in who is in before you start it.',
    submitLabel: 'Forget',
    isDanger: true,
    done: 'The patient system knows of nobody now',
  },
} as const;

interface UndoDialogProps {
  readonly act: keyof typeof ACTS;
  readonly onClose: () => void;
}

/** Takes back that the patient system counts, or what it has told. */
export function UndoDialog({ act, onClose }: UndoDialogProps) {
  const { facility } = useSettingsPlace();
  const call = useCall();
  const refresh = useRefreshFeed(facility.id);
  const [clientId] = useState(() => uuidv7());
  const { endpoint, done, ...texts } = ACTS[act];
  return (
    <ReasonDialog
      {...texts}
      help="At least 5 characters. No patient names. It stands in the census log."
      maxLength={500}
      onClose={onClose}
      onSend={async ({ reason }) => {
        mustBeReason(reason);
        await call(endpoint, { params: { facility: facility.id }, body: { client_id: clientId, reason } });
        sayDone(done);
        await refresh();
      }}
    />
  );
}

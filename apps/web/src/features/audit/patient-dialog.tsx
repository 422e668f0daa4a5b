import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { SearchInput } from '@wardline/ui/input/search-input.tsx';
import { ListRow } from '@wardline/ui/list/list-row.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { useState } from 'react';
import { formatFailure } from '#/shared/errors/format-error.ts';
import { useDebounced } from '#/shared/forms/use-debounced.ts';
import { useAuditedChats } from './use-audit.ts';

interface PatientDialogProps {
  readonly facilityId: string;
  readonly onChoose: (chatId: string) => void;
  readonly onClose: () => void;
}

/** Chooses the patient, or the chat, whose readers are shown. */
export function PatientDialog({ facilityId, onChoose, onClose }: PatientDialogProps) {
  const [search, setSearch] = useState('');
  const q = useDebounced(search).trim();
  const chats = useAuditedChats(facilityId, q);
  const found = q.length < 2 ? [] : (chats.data?.data ?? []);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Who saw this patient"
      description="Search by name, MRN or other ID. That you looked is listed too."
      closeLabel="Close"
    >
      <div className="stack stack-3">
        <SearchInput label="Search patients and chats" value={search} onValueChange={setSearch} maxLength={80} />
        {chats.isLoading && <Skeleton count={3} label="Searching" />}
        {chats.isError && (
          <ErrorState
            title="The search did not work"
            level={3}
            message={formatFailure(chats.error)}
            onRetry={() => void chats.refetch()}
          />
        )}
        {chats.isSuccess && !chats.isPlaceholderData && q.length >= 2 && found.length === 0 && (
          <p className="muted">No one found for “{q}”.</p>
        )}
        <ul className="list log-people">
          {found.map(({ id, title, patient }) => (
            <li key={id}>
              <ListRow
                title={patient?.name ?? title ?? 'Chat'}
                text={patient ? patient.identifier : 'No patient'}
                onClick={() => {
                  onChoose(id);
                  onClose();
                }}
              />
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}

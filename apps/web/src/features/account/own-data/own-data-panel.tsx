import type { User } from '@wardline/contract/account/auth.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card } from '@wardline/ui/card/card.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { SettingsRow } from '@wardline/ui/settings/settings.tsx';
import { ScrollText, UserX } from 'lucide-react';
import { useState } from 'react';
import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { CopyRows } from './copy-rows.tsx';

const DeleteAccountDialog = lazyPart(async () => (await import('./delete-account-dialog.tsx')).DeleteAccountDialog, {
  onMissing: closeMissing,
});

export interface OwnDataPanelProps {
  readonly user: User;
  /** The account is no more: leaves this device as nobody. */
  readonly onDeleted: () => Promise<void>;
}

/** ACC-5: what is recorded, what one takes along, and the end of the account. */
export function OwnDataPanel({ user, onDeleted }: OwnDataPanelProps) {
  const [isDeleting, setIsDeleting] = useState(false);
  return (
    <Card isList>
      <ul className="list">
        <li>
          <SettingsRow
            icon={ScrollText}
            title="What is recorded"
            text="For how long, and what an administrator can and can’t see."
          >
            <Button asChild variant="outline" color="neutral">
              <Link href="/settings/recorded">See what is recorded</Link>
            </Button>
          </SettingsRow>
        </li>
        <CopyRows />
        <li>
          <SettingsRow
            icon={UserX}
            title="Delete account"
            text="At once and for good. What you signed and wrote stays in the records under your name."
          >
            <Button variant="outline" color="error" label="Delete account" onClick={() => setIsDeleting(true)}>
              Delete
            </Button>
          </SettingsRow>
        </li>
      </ul>
      {isDeleting && <DeleteAccountDialog user={user} onDeleted={onDeleted} onClose={() => setIsDeleting(false)} />}
    </Card>
  );
}

import type { Member } from '@wardline/contract/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { meAt } from '#/app/services/person.ts';
import { useUser } from '#/features/auth/index.ts';
import { NewChat } from '#/features/chat/index.ts';
import { useCurrentFacility } from '#/features/facilities/index.ts';

/** Somebody found in the palette: starts a chat with them, or says who could. */
export function ChatWithPerson({ member, onClose }: { member: Member; onClose: () => void }) {
  const facility = useCurrentFacility();
  const me = meAt(useUser(), facility?.id ?? null);
  if (facility?.permissions.includes('chats.create')) {
    return <NewChat facilities={[facility]} facilityId={facility.id} me={me} people={[member]} onClose={onClose} />;
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={member.name}
      description={[member.title, member.roles.join(', ')].filter(Boolean).join(' · ')}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <p>You can’t start chats here. Ask someone who can to add you both to one.</p>
    </Dialog>
  );
}

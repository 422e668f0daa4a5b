import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { Person } from '#/features/chat/core/chat-view.ts';
import { NewChat } from './new-chat.ts';

interface NewChatButtonProps {
  readonly facilities: readonly Facility[];
  readonly me: Person;
  /** Where the chat is made unless one says otherwise. */
  readonly facilityId?: string | undefined;
  /** 'bar' in a top bar (not on the phone), 'floating' over the phone's bottom bar, 'icon' in a pane, 'plain' in a page. */
  readonly look: 'bar' | 'floating' | 'icon' | 'plain';
}

/** Opens the form for a new chat; nothing is shown where one may not create any. */
export function NewChatButton({ facilities, me, facilityId, look }: NewChatButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const allowed = facilities.filter(({ permissions }) => permissions.includes('chats.create'));
  if (allowed.length === 0) return null;
  const open = () => setIsOpen(true);
  return (
    <>
      {look === 'icon' ? (
        <Button variant="ghost" color="neutral" iconOnly icon={Plus} label="New chat" onClick={open} />
      ) : (
        <Button
          className={look === 'bar' ? 'only-desk' : look === 'floating' ? 'fab only-phone' : undefined}
          size={look === 'floating' ? 'xl' : 'md'}
          icon={Plus}
          onClick={open}
        >
          New chat
        </Button>
      )}
      {isOpen && <NewChat facilities={allowed} facilityId={facilityId} me={me} onClose={() => setIsOpen(false)} />}
    </>
  );
}

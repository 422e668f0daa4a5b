import type { Chat } from '@wardline/contract/chat/chat.ts';
import { CHAT_MOVES, setFavorite } from '@wardline/contract/chat/chat-management.ts';
import { exportChat } from '@wardline/contract/examinations/examinations.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Menu, MenuItem, MenuSeparator } from '@wardline/ui/menu/menu.tsx';
import {
  Archive,
  ArrowRightLeft,
  CalendarDays,
  CircleAlert,
  CircleDot,
  ClipboardCheck,
  FileDown,
  FileUp,
  FlaskConical,
  FolderArchive,
  Lock,
  LockOpen,
  Pencil,
  Star,
  Users,
} from 'lucide-react';
import type { ReactElement } from 'react';
import { mayManageChat, readOnlyReason } from '#/features/chat/core/chat-labels.ts';
import { examinationsPath, newHandoverPath } from '#/features/chat/core/chat-paths.ts';
import type { MarkUnread } from '#/features/chat/message-acts/use-unread-mark.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { showToast } from '#/shared/contexts/show-toast.ts';
import { useDownload } from '#/shared/forms/dialogs/use-download.ts';
import { formatAction } from '#/shared/forms/form-errors.ts';
import { formatMove } from './move-labels.ts';

interface ChatMenuProps {
  readonly trigger: ReactElement;
  readonly chat: Chat;
  readonly facility: Facility;
  readonly onPeople: () => void;
  /** Brings the chat as it is now. */
  readonly onChanged: () => void;
  readonly markUnread: MarkUnread | null;
  readonly onGo: () => void;
  readonly onRename: () => void;
  readonly onMove: (to: Chat['state']) => void;
  readonly onImport: () => void;
  readonly onRecord: () => void;
}

const GLYPHS = { open: LockOpen, handed_over: ArrowRightLeft, closed: Lock, archived: Archive } as const;

/** What can be done with a chat; who manages it changes its title and state. */
export function ChatMenu({ trigger, chat, facility, markUnread, ...acts }: ChatMenuProps) {
  const { onPeople, onChanged, onGo, onRename, onMove, onImport, onRecord } = acts;
  const { download } = useDownload();
  const exportIt = () =>
    download(
      exportChat,
      { params: { chat: chat.id } },
      { fileName: `chat-${chat.id}.json`, failed: 'The file was not made' },
    );
  const call = useCall();
  const mark = async (is_favorite: boolean) => {
    try {
      await call(setFavorite, { params: { chat: chat.id }, body: { is_favorite } });
      onChanged();
    } catch (error) {
      const title = 'Your favourites were not changed';
      await showToast({ title, description: formatAction(error), icon: CircleAlert, colour: 'error' });
    }
  };
  return (
    <Menu align="end" trigger={trigger}>
      <MenuItem icon={Users} onSelect={onPeople}>
        People and notifications
      </MenuItem>
      {/* Only a back end that knows of favourites says whether it is one. */}
      {chat.my.is_favorite !== undefined && (
        <MenuItem icon={Star} onSelect={() => void mark(!chat.my.is_favorite)}>
          {chat.my.is_favorite ? 'Remove from favourites' : 'Add to favourites'}
        </MenuItem>
      )}
      {markUnread && chat.head_seq > 0 && (
        <MenuItem icon={CircleDot} onSelect={() => markUnread(chat.my.marked_unread_seq ? null : chat.head_seq)}>
          {chat.my.marked_unread_seq ? 'Mark as read' : 'Mark as unread'}
        </MenuItem>
      )}
      <MenuItem icon={CalendarDays} onSelect={onGo}>
        Go to date
      </MenuItem>
      {chat.patient && (
        <MenuItem icon={FlaskConical} href={examinationsPath(chat)}>
          Examinations
        </MenuItem>
      )}
      {chat.patient && readOnlyReason(chat) === null && (
        <MenuItem icon={ArrowRightLeft} href={newHandoverPath(chat)}>
          Hand over
        </MenuItem>
      )}
      {chat.patient && (
        <MenuItem icon={ClipboardCheck} href={`/handovers?facility=${chat.facility_id}`}>
          Hand-over list
        </MenuItem>
      )}
      {chat.patient && readOnlyReason(chat) === null && facility.permissions.includes('examinations.sign') && (
        <MenuItem icon={FileUp} onSelect={onImport}>
          Import from FHIR
        </MenuItem>
      )}
      {mayManageChat(chat, facility) && (
        <>
          <MenuSeparator />
          {/* On screen a case is called by its patient. */}
          {!chat.patient && (
            <MenuItem icon={Pencil} onSelect={onRename}>
              Rename
            </MenuItem>
          )}
          <MenuItem icon={FileDown} onSelect={() => void exportIt()}>
            Export as FHIR
          </MenuItem>
          {CHAT_MOVES[chat.state].map((to) => (
            <MenuItem key={to} icon={GLYPHS[to]} onSelect={() => onMove(to)}>
              {formatMove(chat, to).label}
            </MenuItem>
          ))}
        </>
      )}
      {facility.permissions.includes('records.manage') && (
        <>
          <MenuSeparator />
          <MenuItem icon={FolderArchive} onSelect={onRecord}>
            Record and legal hold
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

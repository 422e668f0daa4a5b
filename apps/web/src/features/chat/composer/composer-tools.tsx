import type { Chat, Participant } from '@wardline/contract/chat/chat.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { ArrowRightLeft, FlaskConical, NotepadText, OctagonAlert, Smile } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { mayReact } from '#/features/chat/core/chat-labels.ts';
import { examinationsPath, newHandoverPath } from '#/features/chat/core/chat-paths.ts';
import type { Person } from '#/features/chat/core/chat-view.ts';
import { RoleHint } from '#/features/chat/roles/role-hint.tsx';
import { useChats } from '#/features/chat/runtime/hooks.ts';
import { DutyHint } from '#/features/chat/urgent/duty-hint.tsx';
import { askBefore, type SendGuard } from '#/features/chat/urgent/send-guard.ts';
import { useConfirm } from '#/shared/forms/dialogs/use-confirm.ts';
import { lazyMenu } from '#/shared/lazy/lazy-menu.tsx';
import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';

const UrgentDialog = lazyPart(async () => (await import('#/features/chat/urgent/urgent-dialog.tsx')).UrgentDialog, {
  onMissing: closeMissing,
});

const EmojiDialog = lazyPart(async () => (await import('#/features/chat/emoji/emoji-dialog.tsx')).EmojiDialog, {
  onMissing: closeMissing,
});

const TemplateMenu = lazyMenu(async () => (await import('#/features/chat/templates/template-menu.tsx')).TemplateMenu);

interface ComposerToolsProps {
  readonly chat: Chat;
  readonly facility: Facility;
  readonly me: Person;
  readonly people: readonly Participant[];
  /** What stands in the box, by chat. */
  readonly drafts: { read(chatId: string): string; write(chatId: string, text: string): void };
  /** Is asked before a text goes, once this is here. */
  readonly guard: RefObject<SendGuard | null>;
  /** An urgent message stands in the chat. */
  readonly onSent: () => void;
}

/** What helps to reach the right person, beside the box one writes in: the way to call somebody, and who is on call. */
export function ComposerTools({ chat, facility, me, people, drafts, guard, onSent }: ComposerToolsProps) {
  const { items } = useChats();
  const confirm = useConfirm();
  const [isOpen, setIsOpen] = useState(false);
  const [isChoosing, setIsChoosing] = useState(false);
  const templates = useRef<HTMLButtonElement>(null);
  const box = () => templates.current?.form?.querySelector('textarea') ?? null;
  useEffect(() => {
    guard.current = (body) => askBefore({ body, chat, items, confirm });
    return () => {
      guard.current = null;
    };
  });
  return (
    <>
      {chat.direct_role && <RoleHint role={chat.direct_role} facility={facility} myId={me.id} />}
      {chat.direct?.is_member && <DutyHint chat={chat} person={chat.direct} />}
      <TemplateMenu
        facilityId={facility.id}
        mayEdit={facility.permissions.includes('facility.manage')}
        box={box}
        trigger={
          <Button ref={templates} variant="ghost" color="neutral" iconOnly icon={NotepadText} label="Templates" />
        }
      />
      {/* The keyboard of a phone has them, and the room goes to the way to send. */}
      <Button
        className="only-desk"
        variant="ghost"
        color="neutral"
        iconOnly
        icon={Smile}
        label="Emoji"
        onClick={() => setIsChoosing(true)}
      />
      {isChoosing && <EmojiDialog box={box} onClose={() => setIsChoosing(false)} />}
      {chat.patient && facility.permissions.includes('examinations.write') && (
        <Button asChild variant="ghost" color="neutral" iconOnly icon={FlaskConical} label="New examination">
          <Link href={examinationsPath(chat)} />
        </Button>
      )}
      {chat.patient && (
        <Button asChild variant="ghost" color="neutral" iconOnly icon={ArrowRightLeft} label="Hand over">
          <Link href={newHandoverPath(chat)} />
        </Button>
      )}
      {/* One that is over is opened again by a plain message first. */}
      {mayReact(chat) && (
        <Button variant="ghost" color="neutral" icon={OctagonAlert} onClick={() => setIsOpen(true)}>
          Urgent
        </Button>
      )}
      {isOpen && (
        <UrgentDialog
          {...{ chat, me }}
          timeZone={facility.time_zone}
          participants={people}
          text={drafts.read(chat.id)}
          onSent={() => {
            drafts.write(chat.id, '');
            onSent();
          }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}

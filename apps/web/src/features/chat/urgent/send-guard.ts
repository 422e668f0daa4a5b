import type { Chat } from '@wardline/contract/chat/chat.ts';
import { formatIdentifier, formatList } from '@wardline/format/names.ts';
import type { ChatListItem } from '#/features/chat/core/chat-view.ts';
import type { useConfirm } from '#/shared/forms/dialogs/use-confirm.ts';
import { findOtherPatients, type OtherPatient } from './other-patients.ts';

/** Null where a text may go at once; else whether it goes, once that was asked. */
export type SendGuard = (body: string) => Promise<boolean> | null;

interface Guarded {
  readonly body: string;
  readonly chat: Chat;
  readonly items: readonly ChatListItem[];
  readonly confirm: ReturnType<typeof useConfirm>;
}

/** Asks where a text for a case chat has the number of another patient (URG-3). The text stays where it is meanwhile. */
export function askBefore({ body, chat, items, confirm }: Guarded): Promise<boolean> | null {
  const { patient } = chat;
  if (!patient) return null;
  const others = findOtherPatients(
    body,
    chat,
    items.map((item) => item.chat),
  );
  if (others.length === 0) return null;
  const asked = confirm({
    title: 'Another patient’s number',
    description: `Your text has ${formatList(others.map(formatOther))}. This chat is about ${patient.name}, ${formatIdentifier(patient.identifier)}.`,
    confirmLabel: 'Send anyway',
    cancelLabel: 'Back to the text',
    onConfirm: async () => undefined,
  });
  return asked.then((isWanted) => isWanted === true);
}

function formatOther({ number, name }: OtherPatient): string {
  return name === null ? formatIdentifier(number) : `${formatIdentifier(number)} of ${name}`;
}

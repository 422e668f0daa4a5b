import { statusOf } from '@wardline/client/http/api-error.ts';
import { type Chat, getChat } from '@wardline/contract/chat/chat.ts';
import { updateChat } from '@wardline/contract/chat/chat-management.ts';
import { useState } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { changedMeanwhile } from './move-labels.ts';

interface ChatChangeDeps {
  readonly chat: Chat;
  /** The chat is another one now, by me or by somebody else. */
  readonly onChanged: () => void;
}

/** Changes a chat as it stood when this was asked for; where somebody was faster nothing is done, and it says what they did. */
export function useChatChange({ chat, onChanged }: ChatChangeDeps) {
  const call = useCall();
  const [before] = useState(chat);
  const [changed, setChanged] = useState<string | null>(null);
  const params = { chat: before.id };
  /** True once it is done; false where somebody was faster. */
  const change = async (wanted: Partial<Pick<Chat, 'title' | 'state'>>): Promise<boolean> => {
    try {
      await call(updateChat, { params, body: { expected_version: before.version, ...wanted } });
    } catch (error) {
      if (statusOf(error) !== 409) throw error;
      setChanged(changedMeanwhile(before, await call(getChat, { params })));
      onChanged();
      return false;
    }
    onChanged();
    return true;
  };
  return { before, changed, change };
}

import { type ChatPicture, listChatPictures } from '@wardline/contract/chat/pictures.ts';
import { useMemo } from 'react';
import { useCall } from '#/shared/contexts/call-context.ts';
import { usePages } from '#/shared/queries/use-pages.ts';
import type { ViewedPicture } from './viewed-picture.ts';

const PAGE = 100;

/** The pictures of a chat in the order in which they came, beside those that are at hand already; older ones come when they are asked for. */
export function useChatPictures(chatId: string, atHand: readonly ViewedPicture[]) {
  const call = useCall();
  const list = usePages({
    queryKey: ['chat-pictures', chatId],
    load: ({ query, signal }) =>
      call(listChatPictures, { params: { chat: chatId }, query: { ...query, limit: PAGE }, signal }),
  });
  const pages = list.data?.pages;
  const pictures = useMemo(() => {
    const found = pages?.flatMap((page) => page.data.map(toViewed)) ?? [];
    const others = atHand.filter(({ file }) => !found.some((known) => known.file.id === file.id));
    // Ids are made as they come.
    return [...found, ...others].sort((a, b) => (a.file.id < b.file.id ? -1 : 1));
  }, [pages, atHand]);
  return { pictures, list };
}

function toViewed({ file, sender }: ChatPicture): ViewedPicture {
  return { file, sender: sender.name };
}

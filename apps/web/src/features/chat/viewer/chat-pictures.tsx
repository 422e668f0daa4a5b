import type { Region } from '@wardline/contract/examinations/regions.ts';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { ImageOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { usePatientOf } from '#/features/chat/runtime/hooks.ts';
import { NotLoaded } from '#/shared/errors/not-loaded.tsx';
import type { NamedRegion } from './picture-overlay.tsx';
import { PictureViewer } from './picture-viewer.tsx';
import { useChatPictures } from './use-chat-pictures.ts';
import type { ViewedPicture } from './viewed-picture.ts';

export interface ChatPicturesProps {
  readonly chatId: string;
  /** What is known already, as the pictures of the message that was pressed. */
  readonly atHand?: readonly ViewedPicture[];
  /** The one that is shown first; null for the newest. */
  readonly first: string | null;
  readonly regions?: readonly NamedRegion[];
  readonly marking?: { readonly label: string; readonly onMark: (region: Region) => void } | undefined;
  readonly onClose: () => void;
}

const NONE: readonly ViewedPicture[] = [];

/** All pictures of a chat, beginning with one of them. */
export function ChatPictures({ chatId, atHand = NONE, first, onClose, ...looked }: ChatPicturesProps) {
  const { pictures, list } = useChatPictures(chatId, atHand);
  const patient = usePatientOf(chatId);
  const shown = first ?? pictures.at(-1)?.file.id;
  const isThere = pictures.some(({ file }) => file.id === shown);
  // Where it is older than what has come so far, the way to it is loaded.
  const isComing = list.isPending || (!isThere && list.hasNextPage);
  const isToGoOn = shown !== undefined && !isThere && list.hasNextPage && !list.isFetching && !list.error;
  const { fetchNextPage } = list;
  useEffect(() => {
    if (isToGoOn) void fetchNextPage();
  }, [isToGoOn, fetchNextPage]);
  if (shown !== undefined && isThere) {
    const onFirst = list.hasNextPage && !list.isFetching ? () => void list.fetchNextPage() : undefined;
    return <PictureViewer {...{ pictures, patient, onClose, onFirst }} {...looked} first={shown} />;
  }
  return (
    <Waiting
      isComing={isComing}
      error={list.error}
      isAsked={first !== null}
      onRetry={() => void (list.data ? list.fetchNextPage() : list.refetch())}
      onClose={onClose}
    />
  );
}

interface WaitingProps {
  readonly isComing: boolean;
  readonly error: Error | null;
  /** One of them was asked for. */
  readonly isAsked: boolean;
  readonly onRetry: () => void;
  readonly onClose: () => void;
}

function Waiting({ isComing, error, isAsked, onRetry, onClose }: WaitingProps) {
  const [isOpen, setIsOpen] = useState(true);
  return (
    <Dialog open={isOpen} onOpenChange={setIsOpen} onAfterLeave={onClose} title="Pictures" closeLabel="Close">
      {error ? (
        <NotLoaded title="The pictures did not load" error={error} onRetry={onRetry} />
      ) : isComing ? (
        <Skeleton shape="fields" count={3} label="Loading the pictures" />
      ) : isAsked ? (
        <EmptyState icon={ImageOff} title="This picture can’t be shown">
          Its message was deleted, or it was sent before you joined the chat.
        </EmptyState>
      ) : (
        <EmptyState icon={ImageOff} title="No pictures in this chat yet">
          Send a picture in the chat, then mark the finding on it.
        </EmptyState>
      )}
    </Dialog>
  );
}

import { useEffect, useState, useSyncExternalStore } from 'react';
import { useChatRuntime } from '#/features/chat/runtime/chat-runtime-provider.tsx';
import type { Uploads, UploadView } from '#/features/chat/uploads/uploads.ts';

const NONE: ReadonlyMap<string, UploadView> = new Map();
const nothing = () => () => undefined;

/** My files on their way, and how far each is; null until their code is here. */
export function useUploads(): { readonly uploads: Uploads | null; readonly views: ReadonlyMap<string, UploadView> } {
  const { uploads: load } = useChatRuntime();
  const [uploads, setUploads] = useState<Uploads | null>(null);
  useEffect(() => {
    let isWanted = true;
    load().then(
      (made) => isWanted && setUploads(made),
      // They wait on the device for a page that has the code.
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [load]);
  const views = useSyncExternalStore(uploads?.subscribe ?? nothing, uploads?.get ?? (() => NONE));
  return { uploads, views };
}

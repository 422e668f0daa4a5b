import { counted } from '@wardline/format/counts.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { FileRef } from '#/features/chat/core/file-ref.ts';
import type { UploadView } from '#/features/chat/uploads/uploads.ts';
import { FileChip } from './file-chip.tsx';
import { useUploads } from './use-uploads.ts';

interface FileTrayProps {
  readonly chatId: string;
  readonly files: readonly FileRef[];
  readonly onChange: (files: readonly FileRef[]) => void;
  /** Whether one of them can't be sent. */
  readonly onBlocked: (isBlocked: boolean) => void;
  /** Takes out what can't be sent: whoever sends all the same is led to it. */
  readonly removal?: RefObject<HTMLButtonElement | null>;
}

/** Over the box one writes in: the files that go with the message. */
export function FileTray({ chatId, files, onChange, onBlocked, removal }: FileTrayProps) {
  const { uploads, views } = useUploads();
  const refused = files.filter(({ id }) => views.get(id)?.phase === 'refused');
  const isBlocked = refused.length > 0;
  const tell = useEffectEvent(() => onBlocked(isBlocked));
  useEffect(() => {
    // What an earlier page took; those of this page are under way.
    uploads?.resume(chatId, files);
  }, [uploads, chatId, files]);
  // Before it is painted: whoever presses at once does not send it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: told when it changes
  useLayoutEffect(() => tell(), [isBlocked]);
  const list = useRef<HTMLUListElement>(null);
  const remove = (gone: readonly FileRef[]) => {
    // The button that was pressed goes.
    list.current?.closest('form')?.querySelector('textarea')?.focus();
    onChange(files.filter((file) => !gone.includes(file)));
    for (const { id } of gone) uploads?.cancel(id);
  };
  return (
    <>
      <ul ref={list} className="file-tray" aria-label="Files of this message">
        {files.map((file) => (
          <li key={file.id}>
            <FileChip
              file={file}
              view={views.get(file.id)}
              isExplained
              onRemove={() => remove([file])}
              onRetry={() => uploads?.retry(file.id)}
            />
          </li>
        ))}
      </ul>
      {isBlocked && (
        <p className="composer-trouble" role="alert">
          {formatRefused(refused, views)}{' '}
          <Button ref={removal} variant="link" size="sm" onClick={() => remove(refused)}>
            {refused.length === 1 ? 'Remove it' : 'Remove them'}
          </Button>
        </p>
      )}
      <p className="sr" role="status" aria-live="polite">
        {formatFiles(files, views)}
      </p>
    </>
  );
}

/** Files of a message that waits to be sent. */
export function PendingFiles({ files }: { readonly files: readonly FileRef[] }) {
  const { views } = useUploads();
  return (
    <div className="m-files">
      {files.map((file) => (
        <FileChip key={file.id} file={file} view={views.get(file.id)} />
      ))}
    </div>
  );
}

/** How it stands with all of them, for who cannot see the bars. */
function formatFiles(files: readonly FileRef[], views: ReadonlyMap<string, UploadView>): string {
  const inPhase = (phase: UploadView['phase']) => files.filter(({ id }) => views.get(id)?.phase === phase);
  // Said aloud where it stands.
  if (inPhase('refused').length > 0) return '';
  const ready = inPhase('ready').length;
  if (ready < files.length) return `Uploading ${counted(files.length, 'file')}`;
  return counted(files.length, 'file is ready to send', 'files are ready to send');
}

/** What can't be sent, why, and what to do about it. */
function formatRefused(refused: readonly FileRef[], views: ReadonlyMap<string, UploadView>): string {
  const why = refused.map(({ id, name }) => `“${name}” can’t be sent. ${views.get(id)?.reason ?? ''}`);
  const mayRetry = refused.some(({ id }) => views.get(id)?.mayRetry);
  const cure = `${mayRetry ? 'Retry or remove' : 'Remove'} ${refused.length === 1 ? 'it' : 'them'}`;
  return [...why, `${cure} to send your message.`].join(' ');
}

interface FileDropsProps {
  /** Takes what was dropped; without it nothing comes of it. */
  readonly onFiles?: (files: readonly File[]) => void;
}

/** Takes files that somebody drags over the page, and says that they can be dropped. One that nobody took would open in its place. */
export function FileDrops({ onFiles }: FileDropsProps) {
  const [isDropping, setIsDropping] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const take = useEffectEvent((event: DragEvent) => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    clearTimeout(timer.current);
    setIsDropping(event.type === 'dragover');
    // A browser tells of the way over the page all the time, and not always of its end.
    if (event.type === 'dragover') timer.current = setTimeout(() => setIsDropping(false), 300);
    else if (event.dataTransfer.files.length > 0) onFiles?.([...event.dataTransfer.files]);
  });
  useEffect(() => {
    const listener = (event: DragEvent) => take(event);
    const kinds = ['dragover', 'drop'] as const;
    for (const kind of kinds) window.addEventListener(kind, listener);
    return () => {
      for (const kind of kinds) window.removeEventListener(kind, listener);
    };
  }, []);
  return onFiles && isDropping && <p className="drop-here">Drop files to attach them</p>;
}

import type { Attachment } from '@wardline/contract/attachments.ts';
import { useState } from 'react';
import { photoBox, photosClass } from '#/features/chat/core/photo-box.ts';
import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { FileCard } from './file-card.tsx';
import { Photo } from './photo.tsx';

const PhotoViewer = lazyPart(async () => (await import('./photo-viewer.tsx')).PhotoViewer, {
  onMissing: closeMissing,
});

interface MessageFilesProps {
  readonly files: readonly Attachment[];
  /** Who sent them. */
  readonly sender: string;
}

/** The files of a message: pictures in boxes that never change their size, the rest as cards. */
export function MessageFiles({ files, sender }: MessageFilesProps) {
  const [opened, setOpened] = useState<number | null>(null);
  const pictures = files.filter(({ kind }) => kind === 'image');
  return (
    <div className="m-files">
      {pictures.length > 0 && (
        <div className={photosClass(pictures.length)}>
          {pictures.map((file, index) => (
            <PhotoButton key={file.id} {...{ file, sender }} onOpen={() => setOpened(index)} />
          ))}
        </div>
      )}
      {files.map((file) => file.kind !== 'image' && <FileCard key={file.id} file={file} />)}
      {opened !== null && <PhotoViewer {...{ pictures, sender }} first={opened} onClose={() => setOpened(null)} />}
    </div>
  );
}

interface PhotoButtonProps {
  readonly file: Attachment;
  readonly sender: string;
  readonly onOpen: () => void;
}

function PhotoButton({ file, sender, onOpen }: PhotoButtonProps) {
  return (
    <button type="button" className="m-photo" style={photoBox(file.width, file.height)} onClick={onOpen}>
      <Photo file={file} size="small" alt={`${file.name}, from ${sender}`} />
    </button>
  );
}

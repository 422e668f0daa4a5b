import type { Attachment } from '@wardline/contract/chat/attachments.ts';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Hourglass, ShieldAlert } from 'lucide-react';
import { useMemo, useState } from 'react';
import { usePlayableAddress } from '#/features/chat/attachments/file-address.ts';
import { FileCard } from '#/features/chat/attachments/file-card.tsx';
import { Photo } from '#/features/chat/attachments/photo.tsx';
import { photoBox, photosClass } from '#/features/chat/core/photo-box.ts';
import { ChatPictures } from '#/features/chat/viewer/chat-pictures-part.ts';
import { lazyPart } from '#/shared/lazy/lazy-part.tsx';

const VoicePlayer = lazyPart(async () => (await import('#/features/chat/voice/voice-player.tsx')).VoicePlayer, {
  whileLoading: () => <div className="filechip" />,
});

interface MessageFilesProps {
  readonly chatId: string;
  readonly files: readonly Attachment[];
  /** Who sent them. */
  readonly sender: string;
}

/** The files of a message: pictures in boxes that never change their size, the rest as cards. */
export function MessageFiles({ chatId, files, sender }: MessageFilesProps) {
  const [opened, setOpened] = useState<string | null>(null);
  const playable = usePlayableAddress();
  const pictures = files.filter(({ kind, held }) => kind === 'image' && held === undefined);
  const atHand = useMemo(() => files.filter(isViewable).map((file) => ({ file, sender })), [files, sender]);
  return (
    <div className="m-files">
      {pictures.length > 0 && (
        <div className={photosClass(pictures.length)}>
          {pictures.map((file) => (
            <PhotoButton key={file.id} {...{ file, sender }} onOpen={() => setOpened(file.id)} />
          ))}
        </div>
      )}
      {files.map((file) => {
        if (file.held !== undefined) return <HeldFile key={file.id} file={file} />;
        if (file.voice) {
          const label = `voice note from ${sender}`;
          return <VoicePlayer key={file.id} voice={file.voice} label={label} load={() => playable(file.id)} />;
        }
        return file.kind !== 'image' && <FileCard key={file.id} file={file} onPicture={() => setOpened(file.id)} />;
      })}
      {opened !== null && <ChatPictures {...{ chatId, atHand }} first={opened} onClose={() => setOpened(null)} />}
    </div>
  );
}

const isViewable = ({ kind, held }: Attachment) => (kind === 'image' || kind === 'dicom') && held === undefined;

const HELD_LABELS: Readonly<Record<string, string>> = {
  checking: 'Being checked for malware',
  malware: 'Held back: it may contain malware',
};
const HELD = 'Held back: it could not be checked for malware';

/** A file that nobody is given, for now or for good; who sent it sees the same. */
function HeldFile({ file: { name, held = '' } }: { readonly file: Attachment }) {
  const isChecking = held === 'checking';
  return (
    <div className="filechip">
      <span className="filechip-thumb">
        <Icon of={isChecking ? Hourglass : ShieldAlert} size="lg" />
      </span>
      <span className="filechip-text">
        <span className="filechip-name" dir="auto">
          {name}
        </span>
        <span className={isChecking ? 'filechip-line' : 'filechip-line c-error'}>{HELD_LABELS[held] ?? HELD}</span>
      </span>
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

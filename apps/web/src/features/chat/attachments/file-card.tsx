import type { Attachment } from '@wardline/contract/chat/attachments.ts';
import { formatBytes } from '@wardline/format/bytes.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Download, Eye, Play } from 'lucide-react';
import { useEffect, useState } from 'react';
import { closeMissing, lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { download } from './download.ts';
import { useAddressOf, usePlayableAddress } from './file-address.ts';
import { iconOfKind } from './file-icon.ts';

const PdfViewer = lazyPart(async () => (await import('./pdf-viewer.tsx')).PdfViewer, { onMissing: closeMissing });

const OFFLINE = 'Not available offline';
const GONE = 'This file can’t be loaded now';

interface FileCardProps {
  readonly file: Attachment;
  /** Shows it among the pictures of the chat. */
  readonly onPicture: () => void;
}

/** A file of a message: what it is, and the way to it. Sound and video play in their place, a PDF and a DICOM file open over the screen. */
export function FileCard({ file, onPicture }: FileCardProps) {
  const addressOf = useAddressOf();
  const playable = usePlayableAddress();
  const [playing, setPlaying] = useState<string | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const isPlayable = file.kind === 'audio' || file.kind === 'video';
  useEffect(() => () => void (playing?.startsWith('blob:') && URL.revokeObjectURL(playing)), [playing]);
  const load = async (ask: () => Promise<string | null>, then: (address: string) => void) => {
    setError(null);
    if (!navigator.onLine) {
      setError(OFFLINE);
      return;
    }
    const address = await ask().catch(() => null);
    if (address === null) setError(GONE);
    else then(address);
  };
  const onError = () => {
    setPlaying(null);
    setError(navigator.onLine ? 'This browser can’t play it. Download it to listen or watch.' : OFFLINE);
  };
  const Player = file.kind === 'video' ? 'video' : 'audio';
  return (
    <div className="file-card">
      <div className="filechip">
        <span className="filechip-thumb">
          <Icon of={iconOfKind(file.kind)} size="lg" />
        </span>
        <span className="filechip-text">
          <span className="filechip-name" dir="auto">
            {file.name}
          </span>
          <span className={error ? 'filechip-line c-error' : 'filechip-line num'} role={error ? 'alert' : undefined}>
            {error ?? formatBytes(file.bytes)}
          </span>
        </span>
        {isPlayable && playing === null && (
          <Button
            {...look}
            icon={Play}
            label={`Play ${file.name}`}
            onClick={() => void load(() => playable(file.id), setPlaying)}
          />
        )}
        {file.kind === 'pdf' && (
          <Button {...look} icon={Eye} label={`Open ${file.name}`} onClick={() => setIsOpen(true)} />
        )}
        {file.kind === 'dicom' && <Button {...look} icon={Eye} label={`Open ${file.name}`} onClick={onPicture} />}
        <Button
          {...look}
          icon={Download}
          label={`Download ${file.name}`}
          onClick={() => void load(() => addressOf(file.id, 'file'), download)}
        />
      </div>
      {isOpen && <PdfViewer file={file} onClose={() => setIsOpen(false)} />}
      {playing !== null && (
        <Player className="file-player" controls autoPlay src={playing} aria-label={file.name} onError={onError} />
      )}
    </div>
  );
}

const look = { variant: 'ghost', color: 'neutral', size: 'sm', iconOnly: true } as const;

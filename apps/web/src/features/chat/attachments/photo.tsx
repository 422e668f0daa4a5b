import type { Attachment, AttachmentSize } from '@wardline/contract/chat/attachments.ts';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { decode, isBlurhashValid } from 'blurhash';
import { CloudOff, ImageOff } from 'lucide-react';
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';
import { useOnline } from '#/shared/contexts/use-online.ts';
import { useFileAddress } from './file-address.ts';

const PLACEHOLDER = 24;

interface PhotoProps extends Pick<ComponentProps<'img'>, 'className' | 'style' | 'draggable'> {
  readonly file: Attachment;
  readonly size: AttachmentSize;
  readonly alt: string;
  /** What to do where it did not load, beside the words that say so. */
  readonly whenMissing?: (retry: () => void) => ReactNode;
}

/** A picture of a message: blurred until it is here; where it does not come the box says why. */
export function Photo({ file, size, alt, whenMissing, ...image }: PhotoProps) {
  const isOnline = useOnline();
  const [attempt, setAttempt] = useState(0);
  const [shown, setShown] = useState<'waiting' | 'here' | 'missing'>('waiting');
  const { src, hasFailed } = useFileAddress(file.id, size, attempt);
  const isMissing = hasFailed || shown === 'missing';
  const retry = () => {
    setShown('waiting');
    setAttempt((before) => before + 1);
  };
  const wasOnline = useRef(isOnline);
  useEffect(() => {
    // What failed without a network is asked for again with it.
    const isBack = isOnline && !wasOnline.current;
    wasOnline.current = isOnline;
    if (!isBack || !isMissing) return;
    setShown('waiting');
    setAttempt((before) => before + 1);
  }, [isOnline, isMissing]);
  return (
    <>
      {shown !== 'here' && file.blurhash && <Blurred hash={file.blurhash} />}
      {src !== null && !isMissing && (
        <img
          {...image}
          key={attempt}
          src={src}
          alt={alt}
          data-shown={shown === 'here'}
          onLoad={() => setShown('here')}
          onError={() => setShown('missing')}
        />
      )}
      {isMissing && (
        <span className="photo-missing">
          <Icon of={isOnline ? ImageOff : CloudOff} />
          {isOnline ? 'This picture did not load' : 'Not available offline'}
          <span className="sr">: {alt}</span>
          {isOnline && whenMissing?.(retry)}
        </span>
      )}
    </>
  );
}

function Blurred({ hash }: { readonly hash: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || !isBlurhashValid(hash).result) return;
    const pixels = new Uint8ClampedArray(decode(hash, PLACEHOLDER, PLACEHOLDER));
    context.putImageData(new ImageData(pixels, PLACEHOLDER, PLACEHOLDER), 0, 0);
  }, [hash]);
  return <canvas className="photo-blurred" width={PLACEHOLDER} height={PLACEHOLDER} ref={canvas} />;
}

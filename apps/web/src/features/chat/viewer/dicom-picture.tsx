import type { Attachment } from '@wardline/contract/chat/attachments.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Icon } from '@wardline/ui/icon/icon.tsx';
import { Spinner } from '@wardline/ui/spinner/spinner.tsx';
import { ImageOff } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useAddressOf } from '#/features/chat/attachments/file-address.ts';
import { type DicomFile, type DicomFrame, drawFrame, openDicom } from './dicom/open-dicom.ts';
import type { PictureGeometry } from './viewed-picture.ts';
import type { Side } from './viewer-state.ts';

interface DicomPictureProps {
  readonly file: Attachment;
  readonly side: Side;
  readonly alt: string;
  readonly onGeometry: (geometry: PictureGeometry) => void;
}

/** A picture of a DICOM file, as its values say that it looks. */
export function DicomPicture({ file, side, alt, onGeometry }: DicomPictureProps) {
  const { opened, problem, retry } = useDicom(file.id, onGeometry);
  const shown = useFrame(opened, side.frame);
  const head = opened?.head;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [greys, setGreys] = useState('');
  const { adjust } = side;
  useEffect(() => {
    if (!head || !shown.frame || !canvas.current) return;
    const { width, height } = head.geometry;
    const { rgba, window } = drawFrame(head, shown.frame, adjust);
    canvas.current.getContext('2d')?.putImageData(new ImageData(rgba, width, height), 0, 0);
    setGreys(window ? `C ${Math.round(window.center)} · W ${Math.round(window.width)}` : '');
  }, [head, shown.frame, adjust]);
  const said = problem ?? shown.problem;
  if (said !== null) {
    return (
      <span className="photo-missing" role="alert">
        <Icon of={ImageOff} />
        {said}
        {retry && (
          <Button variant="link" size="sm" onClick={retry}>
            Try again
          </Button>
        )}
      </span>
    );
  }
  const isColour = shown.frame?.kind === 'colour';
  return (
    <>
      {!shown.frame && <Spinner label="Loading the picture" />}
      {head && (
        <canvas
          ref={canvas}
          className="viewer-photo"
          role="img"
          aria-label={alt}
          width={head.geometry.width}
          height={head.geometry.height}
          style={isColour ? { filter: `brightness(${adjust.brightness}) contrast(${adjust.contrast})` } : {}}
        />
      )}
      {greys && <span className="viewer-greys num">{greys}</span>}
    </>
  );
}

interface Opened {
  readonly opened: DicomFile | null;
  readonly problem: string | null;
  readonly mayRetry: boolean;
}
const NOTHING: Opened = { opened: null, problem: null, mayRetry: false };

function useDicom(id: string, onGeometry: (geometry: PictureGeometry) => void) {
  const addressOf = useAddressOf();
  const [attempt, setAttempt] = useState(0);
  const [{ mayRetry, ...state }, setOpened] = useState(NOTHING);
  const tell = useEffectEvent(onGeometry);
  // biome-ignore lint/correctness/useExhaustiveDependencies: opened anew with each attempt
  useEffect(() => {
    const stop = new AbortController();
    setOpened(NOTHING);
    const open = async () => {
      const address = await addressOf(id, 'file');
      if (address === null) throw new Error('it may not be read any more');
      const opened = await openDicom(address, stop.signal);
      if (stop.signal.aborted) return;
      tell(opened.head.geometry);
      setOpened({ opened, problem: null, mayRetry: false });
    };
    open().catch((error: unknown) => {
      if (!stop.signal.aborted) setOpened({ opened: null, ...wordsFor(error) });
    });
    return () => stop.abort();
  }, [id, addressOf, attempt]);
  return { ...state, retry: mayRetry ? () => setAttempt((now) => now + 1) : null };
}

function wordsFor(error: unknown): Omit<Opened, 'opened'> {
  if (error instanceof Error && error.name === 'DicomError') return { problem: error.message, mayRetry: false };
  return { problem: navigator.onLine ? 'This picture did not load' : 'Not available offline', mayRetry: true };
}

interface Shown {
  readonly frame: DicomFrame | null;
  readonly problem: string | null;
}

/** While the next one is unpacked the one before stays. */
function useFrame(opened: DicomFile | null, index: number): Shown {
  const [shown, setShown] = useState<Shown>({ frame: null, problem: null });
  useEffect(() => {
    if (!opened) return;
    const stop = new AbortController();
    opened.frame(index, stop.signal).then(
      (frame) => stop.signal.aborted || setShown({ frame, problem: null }),
      (error: unknown) => stop.signal.aborted || setShown({ frame: null, problem: wordsFor(error).problem }),
    );
    return () => stop.abort();
  }, [opened, index]);
  return shown;
}

import type { Attachment } from '@wardline/contract/chat/attachments.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { ArrowLeft, ArrowRight, Download, ZoomIn, ZoomOut } from 'lucide-react';
import { type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { download } from './download.ts';
import { useAddressOf } from './file-address.ts';
import { Photo } from './photo.tsx';
import { moved, type View, WHOLE, zoomed } from './photo-zoom.ts';

interface PhotoViewerProps {
  readonly pictures: readonly Attachment[];
  readonly first: number;
  readonly sender: string;
  readonly onClose: () => void;
}

/** Pictures of a message over the whole screen: arrow keys lead to the others, + and − zoom, Escape closes. */
export function PhotoViewer({ pictures, first, sender, onClose }: PhotoViewerProps) {
  const [at, setAt] = useState(first);
  const [isOpen, setIsOpen] = useState(true);
  const [error, setError] = useState<string | null>(null);
  const stage = useRef<HTMLDivElement>(null);
  const addressOf = useAddressOf();
  const file = pictures[at];
  const zoom = useZoom(stage, at);
  const go = (step: number) => setAt((now) => Math.min(pictures.length - 1, Math.max(0, now + step)));
  const keep = async (id: string) => {
    const address = await addressOf(id, 'file').catch(() => null);
    setError(address === null ? 'This picture can’t be downloaded now.' : null);
    if (address !== null) download(address);
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const act = {
      ArrowLeft: () => go(-1),
      ArrowRight: () => go(1),
      '+': () => zoom.by(1.5),
      '-': () => zoom.by(1 / 1.5),
      '0': zoom.reset,
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
  if (!file) return null;
  const { x, y, scale } = zoom.view;
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setIsOpen}
      onAfterLeave={onClose}
      size="full"
      title={file.name}
      description={pictures.length > 1 ? `From ${sender} · ${at + 1} of ${pictures.length}` : `From ${sender}`}
      closeLabel="Close"
    >
      <div className="viewer-stage" ref={stage} {...zoom.pointers}>
        <Photo
          key={file.id}
          file={file}
          size="large"
          alt={`${file.name}, from ${sender}`}
          className="viewer-photo"
          draggable={false}
          style={{ transform: `translate(${x}px, ${y}px) scale(${scale})` }}
          whenMissing={(retry) => (
            <Button variant="link" size="sm" onClick={retry}>
              Try again
            </Button>
          )}
        />
      </div>
      <div className="viewer-tools">
        {pictures.length > 1 && (
          <Button {...look} icon={ArrowLeft} label="Picture before" disabled={at === 0} onClick={() => go(-1)} />
        )}
        <Button {...look} icon={ZoomOut} label="Zoom out" disabled={scale === 1} onClick={() => zoom.by(1 / 1.5)} />
        <Button {...look} icon={ZoomIn} label="Zoom in" onClick={() => zoom.by(1.5)} />
        <Button {...look} icon={Download} label={`Download ${file.name}`} onClick={() => void keep(file.id)} />
        {pictures.length > 1 && (
          <Button
            {...look}
            icon={ArrowRight}
            label="Picture after"
            disabled={at === pictures.length - 1}
            onClick={() => go(1)}
          />
        )}
        {error && (
          <p className="c-error" role="alert">
            {error}
          </p>
        )}
      </div>
    </Dialog>
  );
}

const look = { variant: 'ghost', color: 'neutral', iconOnly: true } as const;

/** What of the picture is in view: fingers pinch and push it, a wheel and two quick presses zoom. */
function useZoom(stage: { readonly current: HTMLElement | null }, at: number) {
  const [view, setView] = useState<View>(WHOLE);
  const fingers = useRef(new Map<number, { readonly x: number; readonly y: number }>());
  // biome-ignore lint/correctness/useExhaustiveDependencies: another picture begins whole
  useEffect(() => setView(WHOLE), [at]);
  /** From the middle of the stage, where the picture's own middle is. */
  const placeOf = ({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }) => {
    const box = stage.current?.getBoundingClientRect();
    return { x: clientX - (box ? box.left + box.width / 2 : 0), y: clientY - (box ? box.top + box.height / 2 : 0) };
  };
  const onWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault();
    setView((now) => zoomed(now, Math.exp(-event.deltaY / 400), placeOf(event)));
  });
  useEffect(() => {
    const element = stage.current;
    const listener = (event: WheelEvent) => onWheel(event);
    // React's own would be passive, and the page would scroll.
    element?.addEventListener('wheel', listener, { passive: false });
    return () => element?.removeEventListener('wheel', listener);
  }, [stage]);
  const lift = ({ pointerId }: PointerEvent) => void fingers.current.delete(pointerId);
  return {
    view,
    by: (factor: number) => setView((now) => zoomed(now, factor, { x: 0, y: 0 })),
    reset: () => setView(WHOLE),
    pointers: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        if (event.target instanceof Element && event.target.closest('button')) return;
        event.currentTarget.setPointerCapture?.(event.pointerId);
        fingers.current.set(event.pointerId, placeOf(event));
      },
      onPointerMove(event: PointerEvent) {
        const before = fingers.current.get(event.pointerId);
        if (!before) return;
        const now = placeOf(event);
        const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1];
        fingers.current.set(event.pointerId, now);
        setView((seen) => {
          if (!other) return moved(seen, now.x - before.x, now.y - before.y);
          const factor = distance(now, other) / Math.max(1, distance(before, other));
          return zoomed(seen, factor, { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
        });
      },
      onPointerUp: lift,
      onPointerCancel: lift,
      onDoubleClick(event: { readonly clientX: number; readonly clientY: number }) {
        setView((now) => (now.scale > 1 ? WHOLE : zoomed(now, 2.5, placeOf(event))));
      },
    },
  };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

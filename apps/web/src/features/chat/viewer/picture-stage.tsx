import { type CSSProperties, type PointerEvent, type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { type NamedRegion, PictureOverlay } from './picture-overlay.tsx';
import type { PictureGeometry } from './viewed-picture.ts';
import { isDrawing, type Place, type Side, type ViewerEvent, type ViewerState } from './viewer-state.ts';

interface PictureStageProps {
  readonly state: ViewerState;
  readonly index: number;
  readonly side: Side;
  readonly geometry: PictureGeometry;
  readonly regions: readonly NamedRegion[];
  readonly label: string;
  readonly send: (event: ViewerEvent) => void;
  /** The finger was lifted: what was drawn stands. */
  readonly onDrawn: () => void;
  /** The picture itself. */
  readonly children: ReactNode;
}

/** Where one picture is looked at: fingers pinch and push it, a wheel and two quick presses zoom, a drag draws where a tool is chosen. */
export function PictureStage({ state, index, side, geometry, regions, label, children, ...acts }: PictureStageProps) {
  const frame = useRef<HTMLDivElement>(null);
  const stage = useRef<HTMLElement>(null);
  const isActive = state.active === index;
  const pointers = usePointers({ state, index, stage, frame, ...acts });
  const { x, y, scale } = side.view;
  const look = {
    '--ratio': String(ratioOf(geometry)),
    '--zoom': String(scale),
    transform: `translate(${x}px, ${y}px) scale(${scale})`,
  } as CSSProperties;
  return (
    <section
      ref={stage}
      className="viewer-stage"
      aria-label={label}
      data-active={isActive && state.sides.length > 1}
      data-tool={isDrawing(state.tool) ? 'draw' : state.tool}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move the picture that has the focus
      tabIndex={0}
      onFocus={() => acts.send({ type: 'activate', side: index })}
      {...pointers}
    >
      <div className="viewer-frame" ref={frame} style={look}>
        {children}
        <PictureOverlay {...{ side, geometry, regions }} drawing={isActive ? state : null} />
      </div>
    </section>
  );
}

interface Pointing extends Pick<PictureStageProps, 'state' | 'index' | 'send' | 'onDrawn'> {
  readonly stage: { readonly current: HTMLElement | null };
  readonly frame: { readonly current: HTMLElement | null };
}

/** Pixels need not be square. */
function ratioOf({ width, height, spacing }: PictureGeometry): number {
  return (width * (spacing?.x ?? 1)) / (height * (spacing?.y ?? 1));
}

const ADJUST_PX = 200;

function usePointers({ state, index, send, onDrawn, stage, frame }: Pointing) {
  const fingers = useRef(new Map<number, Place>());
  /** From the middle of the stage, where the picture's own middle is. */
  const placeOf = ({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }) => {
    const box = stage.current?.getBoundingClientRect();
    return { x: clientX - (box ? box.left + box.width / 2 : 0), y: clientY - (box ? box.top + box.height / 2 : 0) };
  };
  const shareOf = ({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }): Place => {
    const box = frame.current?.getBoundingClientRect();
    if (!box || box.width === 0 || box.height === 0) return { x: 0, y: 0 };
    const within = (value: number) => Math.min(1, Math.max(0, value));
    return { x: within((clientX - box.left) / box.width), y: within((clientY - box.top) / box.height) };
  };
  const activate = () => send({ type: 'activate', side: index });
  const onWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault();
    activate();
    send({ type: 'zoom', factor: Math.exp(-event.deltaY / 400), point: placeOf(event) });
  });
  useEffect(() => {
    const element = stage.current;
    const listener = (event: WheelEvent) => onWheel(event);
    // React's own would be passive, and the page would scroll.
    element?.addEventListener('wheel', listener, { passive: false });
    return () => element?.removeEventListener('wheel', listener);
  }, [stage]);
  const push = (before: Place, now: Place, event: PointerEvent) => {
    const [x, y] = [now.x - before.x, now.y - before.y];
    if (isDrawing(state.tool)) send({ type: 'extend', place: shareOf(event) });
    else if (state.tool === 'move') send({ type: 'move', x, y });
    else send({ type: 'adjust-by', brightness: -y / ADJUST_PX, contrast: x / ADJUST_PX });
  };
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.target instanceof Element && event.target.closest('button')) return;
      event.currentTarget.setPointerCapture?.(event.pointerId);
      activate();
      fingers.current.set(event.pointerId, placeOf(event));
      if (!isDrawing(state.tool)) return;
      // Two fingers zoom, whatever one of them had begun.
      send(fingers.current.size > 1 ? { type: 'cancel' } : { type: 'begin', place: shareOf(event) });
    },
    onPointerMove(event: PointerEvent) {
      const before = fingers.current.get(event.pointerId);
      if (!before) return;
      const now = placeOf(event);
      const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1];
      fingers.current.set(event.pointerId, now);
      if (!other) return push(before, now, event);
      const factor = distance(now, other) / Math.max(1, distance(before, other));
      send({ type: 'zoom', factor, point: { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 } });
    },
    onPointerUp({ pointerId }: PointerEvent) {
      const wasDown = fingers.current.delete(pointerId);
      if (wasDown && fingers.current.size === 0 && state.begun) onDrawn();
    },
    onPointerCancel({ pointerId }: PointerEvent) {
      fingers.current.delete(pointerId);
      if (state.begun) send({ type: 'cancel' });
    },
    onDoubleClick(event: { readonly clientX: number; readonly clientY: number }) {
      if (state.tool !== 'move') return;
      const isWhole = state.sides[index]?.view.scale === 1;
      send(isWhole ? { type: 'zoom', factor: 2.5, point: placeOf(event) } : { type: 'whole' });
    },
  };
}

function distance(one: Place, other: Place): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

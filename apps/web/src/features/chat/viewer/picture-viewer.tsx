import type { Attachment } from '@wardline/contract/chat/attachments.ts';
import type { Patient } from '@wardline/contract/chat/chat.ts';
import type { Region, RegionShape } from '@wardline/contract/examinations/regions.ts';
import { formatPatient } from '@wardline/format/names.ts';
import { formatPercent } from '@wardline/format/numbers.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { ShortcutList } from '@wardline/ui/mark/shortcut-list.tsx';
import { Spinner } from '@wardline/ui/spinner/spinner.tsx';
import { useEffect, useEffectEvent, useReducer, useRef, useState } from 'react';
import { download } from '#/features/chat/attachments/download.ts';
import { useAddressOf } from '#/features/chat/attachments/file-address.ts';
import { Photo } from '#/features/chat/attachments/photo.tsx';
import { lazyPart } from '#/shared/lazy/lazy-part.tsx';
import { formatLength } from './measure.ts';
import { type NamedRegion, regionOf } from './picture-overlay.tsx';
import { PictureStage } from './picture-stage.tsx';
import type { PictureGeometry, ViewedPicture } from './viewed-picture.ts';
import { KEYS, keyEvent } from './viewer-keys.ts';
import { activeSide, isDrawing, openedAt, reduceViewer, type Side, type ViewerEvent } from './viewer-state.ts';
import { AdjustBar, FrameSlider, ViewerTools } from './viewer-tools.tsx';
import './viewer.css';

export interface PictureViewerProps {
  readonly pictures: readonly ViewedPicture[];
  /** The one that is shown first, by the id of its file. */
  readonly first: string;
  /** Whom they are of; null where they are of nobody. */
  readonly patient?: Patient | null;
  /** Places that are pointed to, on any of the pictures. */
  readonly regions?: readonly NamedRegion[];
  /** Somebody is to point to a place for this. */
  readonly marking?: { readonly label: string; readonly onMark: (region: Region) => void } | undefined;
  /** There are older ones, which come when the first is reached. */
  readonly onFirst?: (() => void) | undefined;
  readonly onClose: () => void;
}

/** Pictures over the whole screen: looked at closely, measured, beside each other, all of it by keyboard as well. */
export function PictureViewer({ pictures, first, regions = [], onFirst, onClose, ...given }: PictureViewerProps) {
  const { patient = null, marking } = given;
  const [state, send] = useReducer(reduceViewer, Math.max(0, indexOf(pictures, first)), openedAt);
  const [isOpen, setIsOpen] = useState(true);
  const [showsKeys, setShowsKeys] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const stages = useRef<HTMLDivElement>(null);
  const addressOf = useAddressOf();
  useKeptPlaces(pictures, state.sides, send);
  const active = activeSide(state);
  const picture = pictures[active.at];
  const [read, setRead] = useState<Readonly<Record<string, PictureGeometry>>>({});
  const geometryOf = ({ id, width, height }: Attachment): PictureGeometry =>
    read[id] ?? { width: width ?? 1, height: height ?? 1, spacing: null, frames: 1 };
  const geometry = picture ? geometryOf(picture.file) : null;
  useEffect(() => {
    if (active.at === 0) onFirst?.();
  }, [active.at, onFirst]);

  const focusStage = (index: number) => stages.current?.querySelectorAll<HTMLElement>('.viewer-stage')[index]?.focus();
  const count = state.sides.length;
  useEffect(() => {
    // Keys are about the picture that came last, and the focus says so.
    stages.current?.querySelectorAll<HTMLElement>('.viewer-stage')[count - 1]?.focus();
  }, [count]);
  const finish = () => {
    const { begun, cursor, tool } = state;
    if (begun && cursor && picture && marking && isDrawing(tool) && tool !== 'measure') {
      const region = regionOf({ from: begun, to: cursor }, tool);
      // A press without a drag spans nothing.
      if (tool === 'point' || (region.width > 0 && region.height > 0)) {
        const frame = (geometry?.frames ?? 1) > 1 ? { frame: active.frame } : {};
        marking.onMark({ attachment_id: picture.file.id, ...region, ...frame });
      }
    }
    send({ type: 'end' });
  };
  const act = (event: ViewerEvent) => {
    send(event);
    if (event.type === 'tool') focusStage(state.active);
  };
  const go = (step: number) => {
    const at = active.at + step;
    if (pictures[at]) send({ type: 'show', at });
  };
  const split = () => {
    const next = active.at + 1 < pictures.length ? active.at + 1 : active.at - 1;
    if (state.sides.length > 1) act({ type: 'join' });
    else if (pictures[next]) send({ type: 'split', at: next });
  };
  const keep = async (id: string) => {
    const address = await addressOf(id, 'file').catch(() => null);
    setError(address === null ? 'This picture can’t be downloaded now.' : null);
    if (address !== null) download(address);
  };
  const doKey = (key: NonNullable<ReturnType<typeof keyEvent>>) => {
    if (typeof key !== 'string') return act(key);
    const acts = {
      previous: () => go(-1),
      next: () => go(1),
      split,
      keys: () => setShowsKeys((shown) => !shown),
      press: () => (state.begun ? finish() : state.cursor && send({ type: 'begin', place: state.cursor })),
      'frame-before': () => send({ type: 'frame', frame: active.frame - 1, count: geometry?.frames ?? 1 }),
      'frame-after': () => send({ type: 'frame', frame: active.frame + 1, count: geometry?.frames ?? 1 }),
    };
    acts[key]();
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape' && (showsKeys || state.begun || state.tool !== 'move')) {
      // Ends what is under way; the next one closes the dialog.
      event.preventDefault();
      event.stopPropagation();
      if (showsKeys) setShowsKeys(false);
      else act(state.begun ? { type: 'cancel' } : { type: 'tool', tool: 'move' });
      return;
    }
    const key = keyEvent(event, { state, canMark: marking !== undefined });
    if (key === null) return;
    event.preventDefault();
    doKey(key);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    // Before the dialog hears it.
    window.addEventListener('keydown', listener, { capture: true });
    return () => window.removeEventListener('keydown', listener, { capture: true });
  }, []);
  if (!picture || !geometry) return null;

  return (
    <Dialog
      open={isOpen}
      onOpenChange={setIsOpen}
      onAfterLeave={onClose}
      size="full"
      title={marking ? `Mark: ${marking.label}` : picture.file.name}
      description={[
        ...(patient ? [formatPatient(patient)] : []),
        describe(picture, active.at, pictures.length, marking !== undefined),
      ].join(' · ')}
      closeLabel="Close"
    >
      <div className="viewer-stages" data-count={state.sides.length} ref={stages}>
        {state.sides.map((side, index) => {
          const shown = pictures[side.at];
          if (!shown) return null;
          const label = `Picture ${side.at + 1} of ${pictures.length}: ${shown.file.name}`;
          return (
            <PictureStage
              // biome-ignore lint/suspicious/noArrayIndexKey: a side is its place on the screen
              key={index}
              {...{ state, index, side, label, send }}
              geometry={geometryOf(shown.file)}
              regions={regions.filter(({ region }) => isOn(region, shown.file, side))}
              onDrawn={finish}
            >
              <Picture
                {...shown}
                side={side}
                onGeometry={(geometry) => setRead((known) => ({ ...known, [shown.file.id]: geometry }))}
              />
            </PictureStage>
          );
        })}
        {showsKeys && (
          <div className="viewer-keys">
            <ShortcutList groups={KEYS} />
          </div>
        )}
      </div>
      <div className="viewer-foot">
        {geometry.frames > 1 && <FrameSlider frame={active.frame} count={geometry.frames} send={send} />}
        {state.tool === 'adjust' && <AdjustBar adjust={active.adjust} send={send} />}
        <ViewerTools
          {...{ state, pictures, go, split, showsKeys }}
          shapes={marking ? SHAPES : []}
          send={act}
          onKeys={() => setShowsKeys(!showsKeys)}
          onDownload={() => void keep(picture.file.id)}
        />
        <output className="viewer-status num">{statusOf(state.tool, active, geometry)}</output>
        {error && (
          <p className="c-error" role="alert">
            {error}
          </p>
        )}
      </div>
    </Dialog>
  );
}

/** With what reads such files: most pictures are none. */
const DicomPicture = lazyPart(async () => (await import('./dicom-picture.tsx')).DicomPicture, {
  whileLoading: () => <Spinner label="Loading the picture" />,
});

const SHAPES: readonly RegionShape[] = ['rectangle', 'ellipse', 'point'];

interface PictureProps extends ViewedPicture {
  readonly side: Side;
  readonly onGeometry: (geometry: PictureGeometry) => void;
}

function Picture({ file, sender, side, onGeometry }: PictureProps) {
  if (file.kind === 'dicom') {
    return <DicomPicture key={file.id} {...{ file, side, onGeometry }} alt={`${file.name}, from ${sender}`} />;
  }
  const { brightness, contrast } = side.adjust;
  return (
    <Photo
      key={file.id}
      file={file}
      size="large"
      alt={`${file.name}, from ${sender}`}
      className="viewer-photo"
      draggable={false}
      style={{ filter: `brightness(${brightness}) contrast(${contrast})` }}
      whenMissing={(retry) => (
        <Button variant="link" size="sm" onClick={retry}>
          Try again
        </Button>
      )}
    />
  );
}

function describe({ file, sender }: ViewedPicture, at: number, count: number, isMarking: boolean): string {
  const from = isMarking ? `${file.name}, from ${sender}` : `From ${sender}`;
  return count > 1 ? `${from} · ${at + 1} of ${count}` : from;
}

const TOOL_HELP = {
  ...{ move: '', adjust: 'Drag, or use the sliders' },
  ...{ measure: 'Drag from end to end', rectangle: 'Drag from corner to corner' },
  ...{ ellipse: 'Drag from corner to corner', point: 'Press where it is' },
} as const;

/** What a screen reader says when it changes, and everybody sees. */
function statusOf(tool: keyof typeof TOOL_HELP, { view, lines }: Side, geometry: PictureGeometry): string {
  const last = lines.at(-1);
  const length = last && tool === 'measure' ? formatLength(last, geometry) : '';
  return [formatPercent(Math.round(view.scale * 100)), length || TOOL_HELP[tool]].filter(Boolean).join(' · ');
}

function isOn({ attachment_id, frame = 0 }: Region, file: Attachment, side: Side): boolean {
  return attachment_id === file.id && frame === side.frame;
}

function indexOf(pictures: readonly ViewedPicture[], id: string): number {
  return pictures.findIndex(({ file }) => file.id === id);
}

/** More pictures may come while one is looked at: what is shown stays shown. */
function useKeptPlaces(
  pictures: readonly ViewedPicture[],
  sides: readonly Side[],
  send: (event: ViewerEvent) => void,
): void {
  const before = useRef(pictures);
  useEffect(() => {
    const places = sides.map(({ at }) => indexOf(pictures, before.current[at]?.file.id ?? ''));
    before.current = pictures;
    if (places.some((at, index) => at !== sides[index]?.at)) send({ type: 'place', places, count: pictures.length });
  }, [pictures, sides, send]);
}

import type { RegionShape } from '@wardline/contract/examinations/regions.ts';
import { formatPercent } from '@wardline/format/numbers.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import {
  ArrowLeft,
  ArrowRight,
  Circle,
  Columns2,
  Contrast,
  Crosshair,
  Download,
  Keyboard,
  Link2,
  Link2Off,
  Ruler,
  Square,
  ZoomIn,
  ZoomOut,
} from 'lucide-react';
import { useId } from 'react';
import type { ViewedPicture } from './viewed-picture.ts';
import { type Adjust, AS_IT_IS, activeSide, type Tool, type ViewerEvent, type ViewerState } from './viewer-state.ts';

const ZOOM = 1.5;
const SHAPE_BUTTONS = {
  rectangle: { icon: Square, label: 'Mark with a rectangle' },
  ellipse: { icon: Circle, label: 'Mark with an ellipse' },
  point: { icon: Crosshair, label: 'Mark a point' },
} as const;

interface ViewerToolsProps {
  readonly state: ViewerState;
  readonly pictures: readonly ViewedPicture[];
  readonly shapes: readonly RegionShape[];
  readonly showsKeys: boolean;
  readonly send: (event: ViewerEvent) => void;
  readonly go: (step: number) => void;
  readonly split: () => void;
  readonly onKeys: () => void;
  readonly onDownload: () => void;
}

export function ViewerTools({ state, pictures, shapes, send, go, split, ...others }: ViewerToolsProps) {
  const { at, view } = activeSide(state);
  const file = pictures[at]?.file;
  const isSplit = state.sides.length > 1;
  const toggle = (tool: Tool) =>
    ({
      ...look,
      variant: state.tool === tool ? 'soft' : 'ghost',
      'aria-pressed': state.tool === tool,
      onClick: () => send({ type: 'tool', tool: state.tool === tool ? 'move' : tool }),
    }) as const;
  return (
    <div className="viewer-tools" role="toolbar" aria-label="Picture">
      {pictures.length > 1 && (
        <Button {...look} icon={ArrowLeft} label="Picture before" disabled={at === 0} onClick={() => go(-1)} />
      )}
      <Button
        {...look}
        icon={ZoomOut}
        label="Zoom out"
        disabled={view.scale === 1}
        onClick={() => send({ type: 'zoom', factor: 1 / ZOOM })}
      />
      <Button {...look} icon={ZoomIn} label="Zoom in" onClick={() => send({ type: 'zoom', factor: ZOOM })} />
      <Button {...toggle('adjust')} icon={Contrast} label="Brightness and contrast" />
      <Button {...toggle('measure')} icon={Ruler} label="Measure" />
      {shapes.map((shape) => (
        <Button key={shape} {...toggle(shape)} {...SHAPE_BUTTONS[shape]} />
      ))}
      {pictures.length > 1 && (
        <Button
          {...look}
          variant={isSplit ? 'soft' : 'ghost'}
          icon={Columns2}
          label="Side by side"
          aria-pressed={isSplit}
          onClick={split}
        />
      )}
      {isSplit && (
        <Button
          {...look}
          icon={state.isLinked ? Link2 : Link2Off}
          label="Zoom both together"
          aria-pressed={state.isLinked}
          onClick={() => send({ type: 'link' })}
        />
      )}
      {file && <Button {...look} icon={Download} label={`Download ${file.name}`} onClick={others.onDownload} />}
      <Button
        {...look}
        className="only-desk"
        icon={Keyboard}
        label="Keys"
        aria-expanded={others.showsKeys}
        onClick={others.onKeys}
      />
      {pictures.length > 1 && (
        <Button
          {...look}
          icon={ArrowRight}
          label="Picture after"
          disabled={at === pictures.length - 1}
          onClick={() => go(1)}
        />
      )}
    </div>
  );
}

const look = { variant: 'ghost', color: 'neutral', iconOnly: true } as const;

interface AdjustBarProps {
  readonly adjust: Adjust;
  readonly send: (event: ViewerEvent) => void;
}

export function AdjustBar({ adjust, send }: AdjustBarProps) {
  const change = (given: Partial<Adjust>) => send({ type: 'adjust', change: given });
  return (
    <div className="viewer-adjust">
      <Slider label="Brightness" value={adjust.brightness} onValue={(brightness) => change({ brightness })} />
      <Slider label="Contrast" value={adjust.contrast} onValue={(contrast) => change({ contrast })} />
      <Button variant="link" size="sm" onClick={() => change(AS_IT_IS)}>
        As it was
      </Button>
    </div>
  );
}

interface FrameSliderProps {
  /** From 0. */
  readonly frame: number;
  readonly count: number;
  readonly send: (event: ViewerEvent) => void;
}

/** Which of the images of one file is shown. */
export function FrameSlider({ frame, count, send }: FrameSliderProps) {
  return (
    <div className="viewer-adjust">
      <Slider
        label={`Image ${frame + 1} of ${count}`}
        value={frame + 1}
        range={{ min: 1, max: count, step: 1 }}
        said={String(frame + 1)}
        onValue={(value) => send({ type: 'frame', frame: value - 1, count })}
      />
    </div>
  );
}

const ADJUST_RANGE = { min: 0.1, max: 3, step: 0.05 };

interface SliderProps {
  readonly label: string;
  readonly value: number;
  readonly range?: { readonly min: number; readonly max: number; readonly step: number };
  readonly said?: string;
  readonly onValue: (value: number) => void;
}

function Slider({ label, value, range = ADJUST_RANGE, said, onValue }: SliderProps) {
  const id = useId();
  return (
    <div className="viewer-slider">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        type="range"
        {...range}
        value={value}
        aria-valuetext={said ?? formatPercent(Math.round(value * 100))}
        onChange={({ target }) => onValue(Number(target.value))}
      />
    </div>
  );
}

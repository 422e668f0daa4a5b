import type { RegionShape } from '@wardline/contract/examinations/regions.ts';
import { moved, type View, WHOLE, zoomed } from './picture-view.ts';

/** What a drag, or the arrow keys, do. */
export type Tool = 'move' | 'adjust' | 'measure' | RegionShape;

/** A place on a picture, in shares of its width and height. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

export interface Line {
  readonly from: Place;
  readonly to: Place;
}

/** 1 leaves a picture as it is. */
export interface Adjust {
  readonly brightness: number;
  readonly contrast: number;
}

/** One picture as it is looked at. */
export interface Side {
  /** Which of the pictures. */
  readonly at: number;
  readonly view: View;
  readonly adjust: Adjust;
  /** Of a picture with several, from 0. */
  readonly frame: number;
  readonly lines: readonly Line[];
}

export interface ViewerState {
  /** One, or two beside each other. */
  readonly sides: readonly Side[];
  readonly active: number;
  /** Both are zoomed and moved together. */
  readonly isLinked: boolean;
  readonly tool: Tool;
  /** Where the keyboard or the finger is on the active picture, while something is drawn. */
  readonly cursor: Place | null;
  /** Where the drawing began. */
  readonly begun: Place | null;
}

export type ViewerEvent =
  | { readonly type: 'show'; readonly at: number }
  /** The list of pictures is another: where those that are shown stand in it, -1 for one that is gone. */
  | { readonly type: 'place'; readonly places: readonly number[]; readonly count: number }
  | { readonly type: 'zoom'; readonly factor: number; readonly point?: Place }
  | { readonly type: 'move'; readonly x: number; readonly y: number }
  | { readonly type: 'whole' }
  | { readonly type: 'adjust'; readonly change: Partial<Adjust> }
  | { readonly type: 'adjust-by'; readonly brightness: number; readonly contrast: number }
  | { readonly type: 'frame'; readonly frame: number; readonly count: number }
  | { readonly type: 'split'; readonly at: number }
  | { readonly type: 'join' }
  | { readonly type: 'link' }
  | { readonly type: 'activate'; readonly side: number }
  | { readonly type: 'tool'; readonly tool: Tool }
  | { readonly type: 'cursor'; readonly x: number; readonly y: number }
  | { readonly type: 'begin'; readonly place: Place }
  | { readonly type: 'extend'; readonly place: Place }
  | { readonly type: 'end' }
  | { readonly type: 'cancel' }
  | { readonly type: 'forget-lines' };

export const AS_IT_IS: Adjust = { brightness: 1, contrast: 1 };
const ADJUST_MIN = 0.1;
const ADJUST_MAX = 3;
const MIDDLE: Place = { x: 0.5, y: 0.5 };

export function openedAt(at: number): ViewerState {
  return { sides: [sideOf(at)], active: 0, isLinked: true, tool: 'move', cursor: null, begun: null };
}

function sideOf(at: number): Side {
  return { at, view: WHOLE, adjust: AS_IT_IS, frame: 0, lines: [] };
}

/** The picture that keys and buttons are about. */
export function activeSide({ sides, active }: ViewerState): Side {
  return sides[active] ?? sideOf(0);
}

/** True where a drag draws instead of moving the picture. */
export function isDrawing(tool: Tool): tool is Exclude<Tool, 'move' | 'adjust'> {
  return tool !== 'move' && tool !== 'adjust';
}

export function reduceViewer(state: ViewerState, event: ViewerEvent): ViewerState {
  switch (event.type) {
    case 'show':
      return event.at === activeSide(state).at ? state : stopped(onActive(state, () => sideOf(event.at)));
    case 'place':
      return {
        ...state,
        sides: state.sides.map((side, index) => {
          const at = event.places[index] ?? side.at;
          // The one that has taken its place, or the last.
          return at < 0 ? sideOf(Math.min(side.at, event.count - 1)) : { ...side, at };
        }),
      };
    case 'zoom':
      return onLinked(state, (side) => ({
        ...side,
        view: zoomed(side.view, event.factor, event.point ?? { x: 0, y: 0 }),
      }));
    case 'move':
      return onLinked(state, (side) => ({ ...side, view: moved(side.view, event.x, event.y) }));
    case 'whole':
      return onLinked(state, (side) => ({ ...side, view: WHOLE }));
    case 'adjust':
      return onActive(state, (side) => ({ ...side, adjust: limited({ ...side.adjust, ...event.change }) }));
    case 'adjust-by':
      return onActive(state, (side) => ({
        ...side,
        adjust: limited({
          brightness: side.adjust.brightness + event.brightness,
          contrast: side.adjust.contrast + event.contrast,
        }),
      }));
    case 'frame': {
      const frame = Math.min(event.count - 1, Math.max(0, event.frame));
      // What was measured was measured on another one.
      return onActive(state, (side) => (side.frame === frame ? side : { ...side, frame, lines: [] }));
    }
    case 'split':
      return state.sides.length > 1
        ? state
        : stopped({ ...state, sides: [...state.sides, sideOf(event.at)], active: 1 });
    case 'join':
      return stopped({ ...state, sides: [activeSide(state)], active: 0 });
    case 'link':
      return linked(state);
    case 'activate':
      return event.side === state.active ? state : { ...stopped(state), active: event.side };
    case 'tool':
      return {
        ...state,
        tool: event.tool,
        begun: null,
        cursor: isDrawing(event.tool) ? MIDDLE : null,
      };
    case 'cursor': {
      const from = state.cursor ?? MIDDLE;
      return { ...state, cursor: { x: share(from.x + event.x), y: share(from.y + event.y) } };
    }
    case 'begin':
      return { ...state, begun: event.place, cursor: event.place };
    case 'extend':
      return state.begun ? { ...state, cursor: event.place } : state;
    case 'end':
      return ended(state);
    case 'cancel':
      return state.begun ? { ...state, begun: null } : { ...state, tool: 'move', cursor: null };
    case 'forget-lines':
      return onActive(state, (side) => ({ ...side, lines: [] }));
  }
}

/** A line is kept with its picture; a mark goes to who asked for it. */
function ended(state: ViewerState): ViewerState {
  const { begun: from, cursor: to, tool } = state;
  if (!from || !to) return state;
  const isLine = tool === 'measure' && (from.x !== to.x || from.y !== to.y);
  const kept = isLine ? onActive(state, (side) => ({ ...side, lines: [...side.lines, { from, to }] })) : state;
  return { ...kept, begun: null };
}

/** From then on both show the same part. */
function linked(state: ViewerState): ViewerState {
  const { view } = activeSide(state);
  if (state.isLinked) return { ...state, isLinked: false };
  return { ...state, isLinked: true, sides: state.sides.map((side) => ({ ...side, view })) };
}

function stopped(state: ViewerState): ViewerState {
  return { ...state, begun: null, cursor: isDrawing(state.tool) ? MIDDLE : null };
}

function onActive(state: ViewerState, change: (side: Side) => Side): ViewerState {
  return { ...state, sides: state.sides.map((side, index) => (index === state.active ? change(side) : side)) };
}

function onLinked(state: ViewerState, change: (side: Side) => Side): ViewerState {
  return state.isLinked ? { ...state, sides: state.sides.map(change) } : onActive(state, change);
}

function limited({ brightness, contrast }: Adjust): Adjust {
  const within = (value: number) => Math.round(Math.min(ADJUST_MAX, Math.max(ADJUST_MIN, value)) * 100) / 100;
  return { brightness: within(brightness), contrast: within(contrast) };
}

function share(value: number): number {
  return Math.min(1, Math.max(0, value));
}

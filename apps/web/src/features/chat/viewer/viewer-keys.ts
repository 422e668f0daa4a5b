import { activeSide, isDrawing, type ViewerEvent, type ViewerState } from './viewer-state.ts';

/** What a key asks for; null where it is not for the pictures. */
type Key = ViewerEvent | 'previous' | 'next' | 'split' | 'keys' | 'press' | 'frame-before' | 'frame-after';

const ZOOM = 1.5;
const MOVE_PX = 60;
const CURSOR = 0.01;
const ADJUST = 0.1;

const ARROWS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ...{ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] },
};
/** What takes its keys itself. */
const ITS_OWN = 'input, select, textarea, [role="menu"]';

interface Asked {
  readonly state: ViewerState;
  readonly canMark: boolean;
}

export function keyEvent(event: KeyboardEvent, { state, canMark }: Asked): Key | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest(ITS_OWN)) return null;
  const arrow = ARROWS[event.key];
  if (arrow) return arrowEvent(arrow, event.shiftKey, state);
  if (event.key === 'Enter' || event.key === ' ') {
    return isDrawing(state.tool) && !target?.closest('button, a') ? 'press' : null;
  }
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const step = event.shiftKey ? -ADJUST : ADJUST;
  const tool = (name: ViewerState['tool']): ViewerEvent => ({
    type: 'tool',
    tool: state.tool === name ? 'move' : name,
  });
  const acts: Readonly<Record<string, Key>> = {
    ...{ PageUp: 'previous', PageDown: 'next', s: 'split', '?': 'keys', ',': 'frame-before', '.': 'frame-after' },
    '+': { type: 'zoom', factor: ZOOM },
    '=': { type: 'zoom', factor: ZOOM },
    '-': { type: 'zoom', factor: 1 / ZOOM },
    '0': { type: 'whole' },
    b: { type: 'adjust-by', brightness: step, contrast: 0 },
    c: { type: 'adjust-by', brightness: 0, contrast: step },
    r: { type: 'adjust', change: { brightness: 1, contrast: 1 } },
    m: tool('measure'),
    l: { type: 'link' },
    x: { type: 'forget-lines' },
    ...(canMark && { q: tool('rectangle'), e: tool('ellipse'), p: tool('point') }),
  };
  return acts[key] ?? null;
}

/** While something is drawn the arrows move the cross; an enlarged picture is moved by them; of a whole one they lead to the next. */
function arrowEvent([x, y]: readonly [number, number], isFar: boolean, state: ViewerState): Key | null {
  if (isDrawing(state.tool)) {
    const far = isFar ? 10 : 1;
    return { type: 'cursor', x: x * CURSOR * far, y: y * CURSOR * far };
  }
  if (activeSide(state).view.scale > 1) return { type: 'move', x: -x * MOVE_PX, y: -y * MOVE_PX };
  return x === 0 ? null : x < 0 ? 'previous' : 'next';
}

/** The list of them, as it is shown. */
export const KEYS = [
  {
    title: 'Pictures',
    shortcuts: [
      { label: 'Picture before, after', keys: ['Page Up', 'Page Down'] },
      { label: 'Zoom in, out, whole', keys: ['+', '−', '0'] },
      { label: 'Move an enlarged picture', keys: ['↑', '↓', '←', '→'] },
      { label: 'Side by side', keys: ['S'] },
      { label: 'Zoom both together', keys: ['L'] },
      { label: 'To the other picture', keys: ['Tab'] },
      { label: 'Image before, after, of several in one file', keys: [',', '.'] },
    ],
  },
  {
    title: 'Look and measure',
    shortcuts: [
      { label: 'Brighter', keys: ['B'] },
      { label: 'Darker', keys: ['Shift', 'B'] },
      { label: 'More contrast', keys: ['C'] },
      { label: 'Less contrast', keys: ['Shift', 'C'] },
      { label: 'As it was', keys: ['R'] },
      { label: 'Measure: arrows move the cross, Enter sets each end', keys: ['M'] },
      { label: 'Remove what was measured', keys: ['X'] },
      { label: 'Stop, then close', keys: ['Esc'] },
    ],
  },
  {
    title: 'Mark a finding',
    shortcuts: [
      { label: 'Rectangle', keys: ['Q'] },
      { label: 'Ellipse', keys: ['E'] },
      { label: 'Point', keys: ['P'] },
    ],
  },
] as const;

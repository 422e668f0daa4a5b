/** How a picture is seen: moved by so many pixels from the middle, so many times as large as when it is whole. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export const WHOLE: View = { x: 0, y: 0, scale: 1 };
const LARGEST = 8;

/** Larger by a factor; what lies under the point stays there. */
export function zoomed(view: View, factor: number, point: { readonly x: number; readonly y: number }): View {
  const scale = Math.min(LARGEST, Math.max(1, view.scale * factor));
  if (scale === 1) return WHOLE;
  const by = scale / view.scale;
  return { x: point.x - (point.x - view.x) * by, y: point.y - (point.y - view.y) * by, scale };
}

/** Pushed along; one that is whole stays in its place. */
export function moved(view: View, x: number, y: number): View {
  return view.scale === 1 ? view : { ...view, x: view.x + x, y: view.y + y };
}

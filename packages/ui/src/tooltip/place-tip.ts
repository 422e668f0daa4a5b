export type Side = 'top' | 'right' | 'bottom' | 'left';
export type Box = { x: number; y: number; width: number; height: number };
export type Size = { width: number; height: number };

const GAP_PX = 6;
const EDGE_PX = 8;

const OPPOSITE: Readonly<Record<Side, Side>> = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' };

/**
 * Where a tip stands beside its control, in pixels of the window: on the side asked for, on the other one where only
 * that has room, and never over the window's edge.
 */
export function placeTip(anchor: Box, tip: Size, view: Size, side: Side): { x: number; y: number } {
  const isUpright = side === 'top' || side === 'bottom';
  const needed = (isUpright ? tip.height : tip.width) + GAP_PX + EDGE_PX;
  const room: Record<Side, number> = {
    top: anchor.y,
    bottom: view.height - anchor.y - anchor.height,
    left: anchor.x,
    right: view.width - anchor.x - anchor.width,
  };
  const taken = room[side] < needed && room[OPPOSITE[side]] > room[side] ? OPPOSITE[side] : side;
  const centred = {
    x: anchor.x + (anchor.width - tip.width) / 2,
    y: anchor.y + (anchor.height - tip.height) / 2,
  };
  const beside: Record<Side, { x: number; y: number }> = {
    top: { ...centred, y: anchor.y - tip.height - GAP_PX },
    bottom: { ...centred, y: anchor.y + anchor.height + GAP_PX },
    left: { ...centred, x: anchor.x - tip.width - GAP_PX },
    right: { ...centred, x: anchor.x + anchor.width + GAP_PX },
  };
  return {
    x: within(beside[taken].x, view.width - tip.width),
    y: within(beside[taken].y, view.height - tip.height),
  };
}

function within(at: number, room: number): number {
  return Math.round(Math.max(EDGE_PX, Math.min(at, room - EDGE_PX)));
}

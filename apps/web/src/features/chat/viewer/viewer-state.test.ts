import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatLength } from './measure.ts';
import { regionOf } from './picture-overlay.tsx';
import { moved, WHOLE, zoomed } from './picture-view.ts';
import { activeSide, openedAt, reduceViewer, type ViewerEvent, type ViewerState } from './viewer-state.ts';

const after = (...events: readonly ViewerEvent[]): ViewerState => events.reduce(reduceViewer, openedAt(0));

describe('CHAT-14 how a picture is seen', () => {
  it('CHAT-14 what is under the finger stays there when the picture grows', () => {
    const larger = zoomed(WHOLE, 2, { x: 100, y: 40 });
    expect(larger).toEqual({ x: -100, y: -40, scale: 2 });
    expect(moved(larger, 10, 5)).toEqual({ x: -90, y: -35, scale: 2 });
    expect(zoomed(larger, 0.1, { x: 9, y: 9 })).toEqual(WHOLE);
    expect(moved(WHOLE, 10, 5)).toBe(WHOLE);
  });

  it('EXAM-7 two pictures beside each other are zoomed together until somebody parts them', () => {
    const both = after({ type: 'split', at: 1 }, { type: 'zoom', factor: 2 });
    expect(both.sides.map(({ at, view }) => [at, view.scale])).toEqual([
      [0, 2],
      [1, 2],
    ]);
    const parted = [{ type: 'link' }, { type: 'activate', side: 0 }, { type: 'whole' }] as const;
    expect(parted.reduce(reduceViewer, both).sides.map(({ view }) => view.scale)).toEqual([1, 2]);
    expect(
      reduceViewer([...parted].reduce(reduceViewer, both), { type: 'link' }).sides.map(({ view }) => view.scale),
    ).toEqual([1, 1]);
  });

  it('EXAM-7 brightness and contrast are of one picture, and stay within what shows anything', () => {
    const bright = after({ type: 'split', at: 1 }, { type: 'adjust-by', brightness: 9, contrast: -9 });
    expect(bright.sides.map(({ adjust }) => adjust)).toEqual([
      { brightness: 1, contrast: 1 },
      { brightness: 3, contrast: 0.1 },
    ]);
  });

  it('EXAM-7 what was measured stays with its picture, and goes with the next image of it', () => {
    const [from, to] = [
      { x: 0.1, y: 0.1 },
      { x: 0.4, y: 0.5 },
    ];
    const measured = after(
      { type: 'tool', tool: 'measure' },
      { type: 'begin', place: from },
      { type: 'extend', place: to },
      { type: 'end' },
    );
    expect(activeSide(measured).lines).toEqual([{ from, to }]);
    expect(activeSide(reduceViewer(measured, { type: 'frame', frame: 1, count: 3 })).lines).toEqual([]);
    // A press alone measures nothing.
    expect(
      activeSide(after({ type: 'tool', tool: 'measure' }, { type: 'begin', place: from }, { type: 'end' })).lines,
    ).toEqual([]);
  });

  it('EXAM-7 more pictures that come while one is looked at change nothing of it', () => {
    const looked = after({ type: 'zoom', factor: 3 });
    const placed = reduceViewer(looked, { type: 'place', places: [40], count: 50 });
    expect(activeSide(placed)).toEqual({ ...activeSide(looked), at: 40 });
  });

  it('EXAM-7 where the picture that is looked at is taken down, the next one is shown, as it is', () => {
    const looked = after({ type: 'show', at: 3 }, { type: 'zoom', factor: 3 });
    const gone = (count: number) => activeSide(reduceViewer(looked, { type: 'place', places: [-1], count }));
    expect(gone(10)).toEqual(activeSide(after({ type: 'show', at: 3 })));
    expect(gone(3).at).toBe(2);
  });
});

describe('EXAM-7 measuring', () => {
  const line = { from: { x: 0, y: 0 }, to: { x: 0.3, y: 0.4 } };
  it('EXAM-7 says pixels of the picture itself, and millimetres only where it says its spacing', () => {
    const geometry = { width: 1000, height: 1000, spacing: null, frames: 1 };
    expect(formatLength(line, geometry)).toBe('500 px');
    expect(formatLength(line, { ...geometry, spacing: { x: 0.2, y: 0.2 } })).toBe('100.0 mm');
    // Pixels need not be square: 300 × 0.5 mm across, 400 × 0.2 mm down.
    expect(formatLength(line, { ...geometry, spacing: { x: 0.5, y: 0.2 } })).toBe('170.0 mm');
  });

  it('EXAM-2 a drawn place is the box of its corners, whichever was first, and always within the picture', () => {
    const share = fc.integer({ min: 0, max: 100_000 }).map((n) => n / 100_000);
    const place = fc.record({ x: share, y: share });
    fc.assert(
      fc.property(place, place, (from, to) => {
        const box = regionOf({ from, to }, 'rectangle');
        expect(box).toEqual(regionOf({ from: to, to: from }, 'rectangle'));
        expect(Math.max(box.x + box.width, box.y + box.height)).toBeLessThanOrEqual(1 + 1e-9);
        expect(Math.min(box.x, box.y, box.width, box.height)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

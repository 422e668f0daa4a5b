import type { Region } from '@wardline/contract/examinations/regions.ts';
import type { CSSProperties } from 'react';
import { formatLength } from './measure.ts';
import type { PictureGeometry } from './viewed-picture.ts';
import { isDrawing, type Place, type Side, type Tool } from './viewer-state.ts';

/** A place that something points to, with its name. */
export interface NamedRegion {
  readonly region: Region;
  readonly label: string;
}

interface PictureOverlayProps {
  readonly side: Side;
  readonly geometry: PictureGeometry;
  readonly regions: readonly NamedRegion[];
  /** What is being drawn, on the picture that is active. */
  readonly drawing: { readonly tool: Tool; readonly begun: Place | null; readonly cursor: Place | null } | null;
}

/** What lies over a picture, and is zoomed with it: measured lines, marked places, what is being drawn. */
export function PictureOverlay({ side, geometry, regions, drawing }: PictureOverlayProps) {
  const { begun = null, cursor = null, tool = 'move' } = drawing ?? {};
  const line = begun && cursor && { from: begun, to: cursor };
  const lines = line && tool === 'measure' ? [...side.lines, line] : side.lines;
  const drawn = line && isDrawing(tool) && tool !== 'measure' && tool !== 'point' ? regionOf(line, tool) : null;
  return (
    <>
      <svg className="viewer-lines" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
        {regions.map(({ region, label }) => (
          <Shape key={`${label} ${placeName(region)}`} of={region} />
        ))}
        {drawn && <Shape of={drawn} />}
        {lines.map(({ from, to }) => (
          <line key={`${placeName(from)} ${placeName(to)}`} x1={from.x} y1={from.y} x2={to.x} y2={to.y} />
        ))}
      </svg>
      {regions.map(({ region, label }) => (
        <span key={`${label} ${placeName(region)}`} className="viewer-label" style={placed(region)}>
          {region.shape === 'point' && <span className="viewer-point" aria-hidden="true" />}
          {label}
        </span>
      ))}
      {lines.map(({ from, to }) => (
        <span key={`${placeName(from)} ${placeName(to)}`} className="viewer-label num" style={placed(to)}>
          {formatLength({ from, to }, geometry)}
        </span>
      ))}
      {cursor && isDrawing(tool) && <span className="viewer-cross" style={placed(cursor)} aria-hidden="true" />}
    </>
  );
}

function Shape({ of: { shape, x, y, width, height } }: { readonly of: Omit<Region, 'attachment_id'> }) {
  if (shape === 'ellipse') {
    return <ellipse cx={x + width / 2} cy={y + height / 2} rx={width / 2} ry={height / 2} />;
  }
  return shape === 'rectangle' ? <rect {...{ x, y, width, height }} /> : null;
}

/** The box that two corners span; a point is where the drawing ended. */
export function regionOf({ from, to }: { readonly from: Place; readonly to: Place }, shape: Region['shape']) {
  if (shape === 'point') return { shape, x: rounded(to.x), y: rounded(to.y), width: 0, height: 0 };
  const [x, y] = [rounded(Math.min(from.x, to.x)), rounded(Math.min(from.y, to.y))];
  const [width, height] = [rounded(Math.max(from.x, to.x) - x), rounded(Math.max(from.y, to.y) - y)];
  return { shape, x, y, width, height };
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

function placeName({ x, y }: Place): string {
  return `${x},${y}`;
}

function placed({ x, y }: Place): CSSProperties {
  return { left: `${x * 100}%`, top: `${y * 100}%` };
}

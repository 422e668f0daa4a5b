import { parseSvgBody, writeSvgNodes } from './safe-svg-body.ts';

/** An icon that may be drawn; its body was checked. */
export interface IconData {
  /** The elements inside `<svg>`. */
  readonly body: string;
  readonly width: number;
  readonly height: number;
}

const DEFAULT_SIZE = 16;
const LONGEST_ALIAS_CHAIN = 5;

/** What an icon or an alias may say of itself, or the collection of all. */
interface IconEntry {
  readonly body?: unknown;
  readonly parent?: unknown;
  readonly left?: unknown;
  readonly top?: unknown;
  readonly width?: unknown;
  readonly height?: unknown;
  readonly rotate?: unknown;
  readonly hFlip?: unknown;
  readonly vFlip?: unknown;
}

/** The part of an icon service's answer that is read; nothing of it is trusted. */
export interface IconAnswer extends IconEntry {
  readonly icons: Readonly<Record<string, IconEntry>>;
  readonly aliases?: Readonly<Record<string, IconEntry>>;
}

/** Whether an answer has the shape of icon data at all; `{icons: {…}}`. */
export function isIconAnswer(answer: unknown): answer is IconAnswer {
  const { icons, aliases = {} } = (answer ?? {}) as Partial<Record<'icons' | 'aliases', unknown>>;
  return isRecordOfObjects(icons) && isRecordOfObjects(aliases);
}

/** The icon of that name, aliases followed, or null: not in the answer, of no size, or with a body that may not be drawn. */
export function readIcon(answer: IconAnswer, name: string): IconData | null {
  const chain: IconEntry[] = [];
  let at: string | null = name;
  while (at !== null && chain.length <= LONGEST_ALIAS_CHAIN) {
    const entry: IconEntry | undefined = answer.icons[at] ?? answer.aliases?.[at];
    if (entry === undefined) return null;
    chain.push(entry);
    at = typeof entry.body === 'string' ? null : typeof entry.parent === 'string' ? entry.parent : null;
  }
  const body = chain.at(-1)?.body;
  const nodes = typeof body === 'string' ? parseSvgBody(body) : null;
  const box = boxOf([...chain, answer]);
  return nodes === null || box === null ? null : turned(writeSvgNodes(nodes), box, chain);
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The nearest word on each side of the box, or null for a size that nothing can be drawn in. */
function boxOf(entry: readonly IconEntry[]): Box | null {
  const side = (key: keyof Box, otherwise: number): number =>
    (entry.map((fact) => fact[key]).find((value) => typeof value === 'number' && Number.isFinite(value)) as number) ??
    otherwise;
  const box = {
    left: side('left', 0),
    top: side('top', 0),
    width: side('width', DEFAULT_SIZE),
    height: side('height', DEFAULT_SIZE),
  };
  return box.width > 0 && box.height > 0 ? box : null;
}

/** Flips, turns and moves to 0,0 what an alias (a mirrored arrow) or its icon says should be. */
function turned(body: string, { left, top, width, height }: Box, chain: readonly IconEntry[]): IconData {
  const isMirrored = (key: 'hFlip' | 'vFlip') => chain.filter((entry) => entry[key] === true).length % 2 === 1;
  const quarters = chain.reduce((sum, { rotate }) => sum + (Number.isInteger(rotate) ? Number(rotate) : 0), 0) & 3;
  const steps: string[] = [];
  if (quarters === 1) steps.push(`translate(${height} 0) rotate(90)`);
  if (quarters === 2) steps.push(`translate(${width} ${height}) rotate(180)`);
  if (quarters === 3) steps.push(`translate(0 ${width}) rotate(-90)`);
  if (isMirrored('hFlip')) steps.push(`translate(${width} 0) scale(-1 1)`);
  if (isMirrored('vFlip')) steps.push(`translate(0 ${height}) scale(1 -1)`);
  if (left !== 0 || top !== 0) steps.push(`translate(${-left} ${-top})`);
  const isSideways = quarters % 2 === 1;
  return {
    body: steps.length === 0 ? body : `<g transform="${steps.join(' ')}">${body}</g>`,
    width: isSideways ? height : width,
    height: isSideways ? width : height,
  };
}

function isRecordOfObjects(value: unknown): boolean {
  return isObject(value) && Object.values(value).every(isObject);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A whole SVG document: for a blob whose address is drawn as a mask in the text's colour. */
export function iconSvg({ body, width, height }: IconData): string {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>${body}</svg>`;
}

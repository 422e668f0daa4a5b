/** What a made lossless JPEG is to be. */
export interface MadeLosslessJpeg {
  readonly width: number;
  readonly height: number;
  readonly components: number;
  readonly precision: number;
  readonly predictor: number;
  readonly pointTransform: number;
  /** 0: no restart marks. */
  readonly restartRows: number;
  /** Side by side. */
  readonly samples: readonly number[];
}

/** Each size of a difference has a code of five bits, its own number. */
const CODE_BITS = 5;
const SIZES = 17;

/** A lossless JPEG as ITU-T T.81, annex H describes it, the slowest way. */
export function encodeLosslessJpeg(made: MadeLosslessJpeg): Uint8Array<ArrayBuffer> {
  const { width, height, components, precision, predictor, pointTransform, restartRows } = made;
  const ids = Array.from({ length: components }, (_, index) => index + 1);
  const word = (value: number) => [value >> 8, value & 0xff];
  const lengths = Array.from({ length: 16 }, (_, index) => (index + 1 === CODE_BITS ? SIZES : 0));
  return new Uint8Array([
    ...[0xff, 0xd8],
    ...segment(0xc4, [0, ...lengths, ...Array.from({ length: SIZES }, (_, size) => size)]),
    ...segment(0xdd, word(restartRows * width)),
    ...segment(0xc3, [precision, ...word(height), ...word(width), components, ...ids.flatMap((id) => [id, 0x11, 0])]),
    ...segment(0xda, [components, ...ids.flatMap((id) => [id, 0]), predictor, 0, pointTransform]),
    ...scanOf(made),
    ...[0xff, 0xd9],
  ]);
}

function segment(marker: number, body: readonly number[]): number[] {
  return [0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 0xff, ...body];
}

function scanOf({ width, height, components, restartRows, ...made }: MadeLosslessJpeg): number[] {
  const out: number[] = [];
  let bits = '';
  const flush = () => {
    bits = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1');
    for (let at = 0; at < bits.length; at += 8) {
      const byte = Number.parseInt(bits.slice(at, at + 8), 2);
      out.push(...(byte === 0xff ? [byte, 0] : [byte]));
    }
    bits = '';
  };
  for (let y = 0; y < height; y++) {
    const isStart = restartRows === 0 ? y === 0 : y % restartRows === 0;
    if (isStart && y > 0) {
      flush();
      out.push(0xff, 0xd0 + ((y / restartRows - 1) & 7));
    }
    for (let place = 0; place < width * components; place++) {
      const value = (x: number, row: number) =>
        (made.samples[row * width * components + x] ?? 0) >> made.pointTransform;
      const [left, above, corner] = [
        value(place - components, y),
        value(place, y - 1),
        value(place - components, y - 1),
      ];
      const start = 2 ** (made.precision - made.pointTransform - 1);
      const isFirst = place < components;
      const inside = [left, above, corner, left + above - corner, left + ((above - corner) >> 1)];
      inside.push(above + ((left - corner) >> 1), (left + above) >> 1);
      const expected = isFirst ? (isStart ? start : above) : isStart ? left : (inside[made.predictor - 1] ?? 0);
      bits += codeOf((value(place, y) - expected) & 0xffff);
    }
  }
  flush();
  return out;
}

/** Differences are counted modulo 65,536; 32,768 has no bits of its own. */
function codeOf(modulo: number): string {
  const difference = modulo > 32_768 ? modulo - 65_536 : modulo;
  const size = difference === 0 ? 0 : Math.floor(Math.log2(Math.abs(difference))) + 1;
  const code = size.toString(2).padStart(CODE_BITS, '0');
  if (size === 0 || size === 16) return code;
  return code + (difference > 0 ? difference : difference + 2 ** size - 1).toString(2).padStart(size, '0');
}

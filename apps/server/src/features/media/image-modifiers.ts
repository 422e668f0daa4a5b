import { IMAGE_SIDES } from '@wardline/contract/images.ts';
import { AppError } from '#/platform/http/app-error.ts';
import type { ImageFormat } from '#/platform/images/image-header.ts';
import type { ImageFit, ImageOrder } from '#/platform/images/image-order.ts';

/** How a picture is wanted. What is null follows from the picture itself. */
export interface Wanted extends Omit<ImageOrder, 'format' | 'enlarge'> {
  readonly format: ImageFormat | null;
}

const ALLOWED = new Set(IMAGE_SIDES);

const FORMATS: readonly string[] = ['webp', 'png', 'jpeg'] satisfies ImageFormat[];
const FITS: readonly string[] = ['cover', 'contain', 'inside'] satisfies ImageFit[];
const QUALITY = /^([1-9]\d?|100)$/;
const COLOUR = /^([0-9a-f]{6}|[0-9a-f]{3})$/i;
const NOTHING: Wanted = { width: null, height: null, fit: 'cover', format: null, quality: 80, background: null };

/**
 * Reads the modifiers of an address: `_` for none, else `key_value` joined by `&`, in any order, encoded or not. A key or
 * value that is not known, or comes twice, is refused with 400.
 */
export function readModifiers(segment: string): Wanted {
  const text = decodeOnce(segment);
  if (text === '_') return NOTHING;
  let wanted = NOTHING;
  const seen = new Set<string>();
  for (const part of text.split('&')) {
    const split = part.indexOf('_');
    const [key, value] = [part.slice(0, split), part.slice(split + 1)];
    const read = split > 0 ? readModifier(key, value) : null;
    const names = Object.keys(read ?? {});
    if (read === null || names.some((name) => seen.has(name))) throw unknownModifier();
    for (const name of names) seen.add(name);
    wanted = { ...wanted, ...read };
  }
  return wanted;
}

function readModifier(key: string, value: string): Partial<Wanted> | null {
  switch (key) {
    case 'w':
      return isSide(value) ? { width: Number(value) } : null;
    case 'h':
      return isSide(value) ? { height: Number(value) } : null;
    case 's': {
      const [width = '', height = '', ...more] = value.split('x');
      const isSize = more.length === 0 && isSide(width) && isSide(height);
      return isSize ? { width: Number(width), height: Number(height) } : null;
    }
    case 'f':
      return FORMATS.includes(value) ? { format: value as ImageFormat } : null;
    case 'q':
      return QUALITY.test(value) ? { quality: Number(value) } : null;
    case 'b':
      return COLOUR.test(value) ? { background: sixDigits(value.toLowerCase()) } : null;
    case 'fit':
      return FITS.includes(value) ? { fit: value as ImageFit } : null;
    default:
      return null;
  }
}

function isSide(text: string): boolean {
  return /^[1-9]\d{1,3}$/.test(text) && ALLOWED.has(Number(text));
}

function sixDigits(colour: string): string {
  return colour.length === 6 ? colour : [...colour].map((digit) => digit + digit).join('');
}

function decodeOnce(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw unknownModifier();
  }
}

function unknownModifier(): AppError {
  return new AppError('bad_request', { message: 'Unknown modifier.' });
}

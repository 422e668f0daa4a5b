import { AppError } from '#/platform/http/app-error.ts';

export interface IconRequest {
  readonly collection: string;
  /** Each once, sorted. */
  readonly names: readonly string[];
}

const LONGEST_URL = 500;
const NAME = /^[a-z0-9-]{1,64}$/;
const ADDRESS = /^\/icons\/_nuxt_icon\/([^/?]+)\.json\?icons=([^&]+)$/;

/** Reads the address of a request for icons, as it came over the wire; anything but a collection and names is 400. */
export function readIconRequest(url: string): IconRequest {
  const [, collection = '', list = ''] = ADDRESS.exec(url) ?? [];
  const names = [...new Set(list.replaceAll(/%2c/gi, ',').split(','))].sort();
  const isRead = url.length <= LONGEST_URL && isIconName(collection) && names.every(isIconName);
  if (!isRead) throw new AppError('bad_request', { message: 'These are not names of icons.' });
  return { collection, names };
}

/** The grammar of collections and icons: nothing that a path or an address could be made of. */
export function isIconName(text: string): boolean {
  return NAME.test(text);
}

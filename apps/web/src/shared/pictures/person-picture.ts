import { imageUrl } from '@wardline/client/images/image-url.ts';
import { IMAGE_SIDES } from '@wardline/contract/images.ts';
import type { AvatarSize } from '@wardline/ui/avatar/avatar.tsx';
import { usePageConfig } from '#/shared/contexts/page-config.ts';

interface PersonPicture {
  readonly src?: string;
  readonly srcSet?: string;
}

/** Somebody's picture through the proxy, for screens of one and of two dots per pixel; nothing for who has none (IMG-1). */
export function usePersonPicture(url: string | null | undefined, size: AvatarSize = 32): PersonPicture {
  const place = { mediaHost: usePageConfig().images.media_host, sides: IMAGE_SIDES };
  const [src, twice] = [size, 2 * size].map((side) =>
    url ? imageUrl(url, { width: side, height: side, fit: 'cover' }, place) : null,
  );
  return src ? { src, srcSet: `${src} 1x, ${twice} 2x` } : {};
}

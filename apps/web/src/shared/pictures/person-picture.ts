import { type ImageSources, imageSources } from '@wardline/client/images/image-sources.ts';
import { IMAGE_SIDES } from '@wardline/contract/images.ts';
import type { AvatarSize } from '@wardline/ui/avatar/avatar.tsx';
import { use, useEffect, useState } from 'react';
import { CallContext } from '#/shared/contexts/call-context.ts';
import { usePageConfig } from '#/shared/contexts/page-config.ts';

/** Somebody's picture through the proxy, for screens of one and of two dots per pixel; nothing for who has none (IMG-1). */
export function usePersonPicture(url: string | null | undefined, size: AvatarSize = 32): Partial<ImageSources> {
  const { base_url, mode, images } = usePageConfig();
  const isSigned = mode === 'token';
  const place = { mediaHost: images.media_host, sides: IMAGE_SIDES, origin: isSigned ? '' : base_url };
  const sources = url ? imageSources(url, { width: size, height: size, fit: 'cover' }, place) : null;
  const signed = useSigned(isSigned ? sources : null, base_url);
  return (isSigned ? signed : sources) ?? {};
}

/** In token mode a picture is asked for with neither cookie nor token: its addresses are signed first. */
function useSigned(sources: ImageSources | null, origin: string): ImageSources | null {
  const call = use(CallContext);
  const [signed, setSigned] = useState<readonly [of: string, sources: ImageSources | null]>();
  const { src, srcSet = '' } = sources ?? {};
  useEffect(() => {
    if (call === null || src === undefined) return;
    let isWanted = true;
    import('./sign-picture.ts')
      .then(({ signPicture }) => signPicture(call, origin, { src, srcSet }))
      .then((made) => isWanted && setSigned([src, made]))
      // The initials stand, as for a picture that does not load.
      .catch(() => undefined);
    return () => {
      isWanted = false;
    };
  }, [call, origin, src, srcSet]);
  return signed?.[0] === src ? (signed?.[1] ?? null) : null;
}

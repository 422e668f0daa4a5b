import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { classNames } from '#/class-names.ts';
import { Icon } from '#/icon/icon.tsx';

export type PictureProps = {
  src: string;
  /** Further addresses with their widths or densities, of which the browser takes the fitting one. */
  srcSet?: string | undefined;
  /** How wide the picture is drawn, for a `srcSet` of widths. */
  sizes?: string | undefined;
  /** What it shows, in words; empty for decoration. */
  alt: string;
  /** Its proportions, so that its place is kept while it loads. */
  width: number;
  height: number;
  /** True for one that is seen at once; others load when they come near. */
  isUrgent?: boolean | undefined;
  className?: string | undefined;
};

/** A picture that is never wider than its place; one that does not load says in words what it shows. */
export function Picture({ src, srcSet, sizes, alt, width, height, isUrgent = false, className }: PictureProps) {
  const [failedSrc, setFailedSrc] = useState<string>();
  if (src === failedSrc) return <MissingPicture alt={alt} className={className} />;
  return (
    <img
      className={classNames('picture', className)}
      src={src}
      srcSet={srcSet}
      sizes={sizes}
      alt={alt}
      width={width}
      height={height}
      loading={isUrgent ? 'eager' : 'lazy'}
      decoding="async"
      onError={() => setFailedSrc(src)}
    />
  );
}

function MissingPicture({ alt, className }: Pick<PictureProps, 'alt' | 'className'>) {
  return (
    <span className={classNames('picture picture-missing', className)}>
      <Icon of={ImageOff} />
      {alt}
    </span>
  );
}

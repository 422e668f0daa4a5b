import { initials } from '@wardline/format/names.ts';
import type { LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { classNames } from '#/class-names.ts';
import { Icon } from '#/icon/icon.tsx';
import { Dot, type Tone } from '#/mark/dot.tsx';

export type AvatarSize = 16 | 20 | 24 | 28 | 32 | 36 | 40 | 44 | 48;

export type AvatarProps = {
  /** Whose picture it is; the fallback shows its initials. */
  alt: string;
  src?: string | undefined;
  /** The same picture for screens of more dots per pixel. */
  srcSet?: string | undefined;
  /** True for one that is asked for at once; others load when they come near the screen. */
  isUrgent?: boolean | undefined;
  /** In place of the initials, for a group or a record. */
  icon?: LucideIcon | undefined;
  size?: AvatarSize | undefined;
  /** A dot at the lower right, with its word for a screen reader. */
  presence?: { tone: Tone; label: string } | undefined;
  /** True where the name does not stand beside it: the avatar then says it. */
  isNamed?: boolean | undefined;
};

/** A round picture of 16 to 48 px, or initials of up to two words. Decoration unless `isNamed`. */
export function Avatar(props: AvatarProps) {
  const { alt, src, size = 32, presence, isNamed = false } = props;
  const name = isNamed ? (presence ? `${alt}, ${presence.label}` : alt) : undefined;
  return (
    <span
      className={classNames('avatar', size !== 32 && `avatar-${size}`)}
      {...(name ? { role: 'img', 'aria-label': name } : {})}
    >
      <Face {...props} size={size} key={src} />
      {presence && <Dot tone={presence.tone} label={isNamed ? undefined : presence.label} />}
    </span>
  );
}

// Keyed by the address, so that another picture is tried even where the last one failed.
function Face(props: Pick<AvatarProps, 'alt' | 'src' | 'srcSet' | 'isUrgent' | 'icon'> & { size: AvatarSize }) {
  const { alt, src, srcSet, isUrgent = false, icon, size } = props;
  const [hasFailed, setHasFailed] = useState(false);
  if (src !== undefined && !hasFailed) {
    return (
      <img
        src={src}
        srcSet={srcSet}
        alt=""
        width={size}
        height={size}
        // In a long list only those near the screen are asked for.
        loading={isUrgent ? 'eager' : 'lazy'}
        decoding="async"
        onError={() => setHasFailed(true)}
      />
    );
  }
  return <span aria-hidden="true">{icon ? <Icon of={icon} size={size >= 40 ? 'lg' : 'sm'} /> : initials(alt)}</span>;
}

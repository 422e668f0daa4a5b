import { Avatar, type AvatarProps } from '@wardline/ui/avatar/avatar.tsx';
import { usePageConfig } from '#/shared/contexts/page-config.ts';
import { usePersonPicture } from './person-picture.ts';

interface PersonAvatarProps extends Omit<AvatarProps, 'alt' | 'src' | 'srcSet' | 'icon' | 'isUrgent'> {
  readonly name: string;
  /** Where the picture is, as the server says; without one, and where it may not be seen, the initials stand. */
  readonly url: string | null | undefined;
}

/** The picture of a person. */
export function PersonAvatar({ name, url, ...look }: PersonAvatarProps) {
  // A signed address does not wait until somebody scrolls there.
  const isUrgent = usePageConfig().mode === 'token';
  return <Avatar alt={name} {...usePersonPicture(url, look.size)} isUrgent={isUrgent} {...look} />;
}

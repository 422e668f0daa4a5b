import { Avatar, type AvatarProps } from '@wardline/ui/avatar/avatar.tsx';
import { usePersonPicture } from './person-picture.ts';

interface PersonAvatarProps extends Omit<AvatarProps, 'alt' | 'src' | 'srcSet' | 'icon'> {
  readonly name: string;
  /** Where the picture is, as the server says; without one, and where it may not be seen, the initials stand. */
  readonly url: string | null | undefined;
}

/** The picture of a person. */
export function PersonAvatar({ name, url, ...look }: PersonAvatarProps) {
  return <Avatar alt={name} {...usePersonPicture(url, look.size)} {...look} />;
}

import { iconSvg } from '@wardline/client/images/icon-data.ts';
import { createIconLoader, type IconLoader } from '@wardline/client/images/icon-loader.ts';
import { NamedIcon, type NamedIconProps } from '@wardline/ui/icon/named-icon.tsx';
import { useEffect, useState } from 'react';
import { usePageConfig } from '#/shared/contexts/page-config.ts';

interface RemoteIconProps extends Pick<NamedIconProps, 'size'> {
  /** `{collection}:{name}`. */
  readonly name: string;
}

const loaders = new WeakMap<readonly string[], IconLoader>();

/** An icon that is not in the build (ICON-1). Decoration: its place is empty until it has come, or for good. */
export function RemoteIcon({ name, ...look }: RemoteIconProps) {
  const loader = loaderOf(usePageConfig().icons.hosts);
  const [, setCome] = useState<string | null>(null);
  useEffect(() => {
    let isWanted = true;
    void loader.load(name).then((icon) => isWanted && icon !== null && setCome(name));
    return () => {
      isWanted = false;
    };
  }, [loader, name]);
  const icon = loader.peek(name);
  return <NamedIcon svg={icon ? iconSvg(icon) : null} {...look} />;
}

/** One for all icons of a page, so that many are asked for at once and each only once. */
function loaderOf(hosts: readonly string[]): IconLoader {
  const known = loaders.get(hosts);
  if (known) return known;
  const made = createIconLoader({ hosts });
  loaders.set(hosts, made);
  return made;
}

import { useEffect, useState } from 'react';
import { classNames } from '#/class-names.ts';
import type { IconSize } from '#/icon/icon.tsx';

export type NamedIconProps = {
  /** The whole drawing as SVG text; null while it is not there, or when it never will be. */
  svg: string | null;
  /** sm 14, md 16 (default), lg 20, xl 28 px. */
  size?: IconSize | undefined;
  /** Said by a screen reader; without it the icon is decoration. */
  label?: string | undefined;
  className?: string | undefined;
};

/**
 * An icon that is not in the bundle, in the colour of the text around it. The drawing is used as a mask, so nothing in it
 * can run or load, and its place is kept while it is on its way.
 */
export function NamedIcon({ svg, size = 'md', label, className }: NamedIconProps) {
  const address = useBlobAddress(svg);
  const classes = classNames('i named-icon', size !== 'md' && `i-${size}`, className);
  const look = address === null ? undefined : { maskImage: `url("${address}")` };
  if (label === undefined) return <span className={classes} style={look} data-drawn={look && ''} aria-hidden="true" />;
  return <span className={classes} style={look} data-drawn={look && ''} role="img" aria-label={label} />;
}

/** A `blob:` address, which the content policy allows where it forbids `data:`; given back when it is not needed. */
function useBlobAddress(svg: string | null): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (svg === null) return;
    const made = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
    setAddress(made);
    return () => {
      setAddress(null);
      URL.revokeObjectURL(made);
    };
  }, [svg]);
  return address;
}

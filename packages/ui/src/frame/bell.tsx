import { Bell as BellGlyph } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Button } from '#/button/button.tsx';
import { Icon } from '#/icon/icon.tsx';
import { Pill } from '#/mark/pill.tsx';

export type BellProps = Omit<ComponentProps<'button'>, 'type' | 'children' | 'className' | 'color'> & {
  count: number;
  /** The whole name, number included: '2 waiting for you'. */
  label: string;
};

/** The bell of the top bar with the count of what waits. */
export function Bell({ count, label, ...rest }: BellProps) {
  return (
    <Button {...rest} className="btn-icon bell" variant="ghost" color="neutral" label={label}>
      <Icon of={BellGlyph} size="lg" />
      <Pill count={count} label={label} tone="error" />
    </Button>
  );
}

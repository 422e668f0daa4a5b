import type { ComponentProps } from 'react';
import { classNames } from '#/class-names.ts';
import { MAIN_ID } from '#/frame/skip-link.tsx';

export type PageContentProps = Omit<ComponentProps<'main'>, 'id' | 'tabIndex'>;

/** The page itself: a column of sections, at most 1240 px wide. The skip link leads here. */
export function PageContent({ className, ...rest }: PageContentProps) {
  return <main {...rest} id={MAIN_ID} tabIndex={-1} className={classNames('content', className)} />;
}

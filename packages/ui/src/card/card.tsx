import type { ComponentProps, ReactNode } from 'react';
import { classNames } from '#/class-names.ts';

export type CardProps = ComponentProps<'div'> & {
  hasPadding?: boolean | undefined;
  /** Rows with a hairline between them. */
  isList?: boolean | undefined;
  /** On the phone the card runs from edge to edge. */
  isBleeding?: boolean | undefined;
};

/** A surface with a hairline. */
export function Card({ hasPadding, isList, isBleeding, className, ...rest }: CardProps) {
  return (
    <div
      {...rest}
      className={classNames('card', hasPadding && 'card-pad', isList && 'list', isBleeding && 'bleed', className)}
    />
  );
}

export type CardHeadProps = {
  title: ReactNode;
  level?: 2 | 3 | undefined;
  id?: string | undefined;
  /** At the right end: a badge, a button. */
  aside?: ReactNode;
};

/** The head line of a card. */
export function CardHead({ title, level = 3, id, aside }: CardHeadProps) {
  const Heading = `h${level}` as const;
  return (
    <div className="card-head">
      <Heading id={id}>{title}</Heading>
      {aside !== undefined && <span className="push row">{aside}</span>}
    </div>
  );
}

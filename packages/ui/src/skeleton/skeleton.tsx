import { classNames } from '#/class-names.ts';
import { SkeletonFrame, SkeletonLines, SkeletonRows } from './skeleton-rows.tsx';

export type SkeletonProps = {
  /**
   * 'rows' for a list of 64 px rows, 'messages' for messages, 'tiles' for a strip of figures, 'cards' for a grid of cards,
   * 'fields' for a form, 'chart' for a picture, 'text' for a paragraph.
   */
  shape?: 'rows' | 'messages' | 'tiles' | 'cards' | 'fields' | 'chart' | 'text' | undefined;
  count?: number | undefined;
  /** Said once by a screen reader; null where a neighbour says it. */
  label?: string | null | undefined;
};

/** The shape of what is being loaded. */
export function Skeleton({ shape = 'rows', count = 4, label = 'Loading' }: SkeletonProps) {
  if (shape === 'rows') return <SkeletonRows count={count} label={label} />;
  const isOne = shape === 'text' || shape === 'chart';
  return (
    <SkeletonFrame className={frames[shape]} label={label} count={isOne ? 1 : count}>
      <Part shape={shape} />
    </SkeletonFrame>
  );
}

type Shape = Exclude<NonNullable<SkeletonProps['shape']>, 'rows'>;

const frames: Readonly<Record<Shape, string | undefined>> = {
  messages: undefined,
  tiles: 'card skel-tiles',
  cards: 'skel-cards',
  fields: 'card skel-fields',
  chart: undefined,
  text: undefined,
};

function Part({ shape }: { shape: Shape }) {
  if (shape === 'chart') return <span className="skel skel-chart" />;
  if (shape === 'tiles' || shape === 'cards')
    return <SkeletonLines count={3} className={shape === 'cards' ? 'card card-pad' : ''} />;
  if (shape === 'fields') {
    return (
      <span className="skel-field">
        <span className="skel" />
        <span className="skel skel-input" />
      </span>
    );
  }
  return (
    <div className={classNames('skel-row', shape === 'messages' && 'm')}>
      {shape === 'messages' && <span className="skel skel-round skel-32" />}
      <SkeletonLines count={shape === 'text' ? 3 : 2} />
    </div>
  );
}

import { classNames } from '#/class-names.ts';

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
  const isOne = shape === 'text' || shape === 'chart';
  const parts = Array.from({ length: isOne ? 1 : count }, (_, part) => `part-${part}`);
  const said = label === null ? {} : { role: 'status', 'aria-label': label };
  return (
    <div {...said}>
      <div className={frames[shape]} aria-hidden="true">
        {parts.map((part) => (
          <Part key={part} shape={shape} />
        ))}
      </div>
    </div>
  );
}

type Shape = NonNullable<SkeletonProps['shape']>;

const frames: Readonly<Record<Shape, string | undefined>> = {
  rows: 'list',
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
    return <Lines count={3} className={shape === 'cards' ? 'card card-pad' : ''} />;
  if (shape === 'fields') {
    return (
      <span className="skel-field">
        <span className="skel" />
        <span className="skel skel-input" />
      </span>
    );
  }
  return (
    <div className={classNames('skel-row', shape === 'rows' && 'lrow', shape === 'messages' && 'm')}>
      {shape !== 'text' && <span className={classNames('skel skel-round', shape === 'messages' && 'skel-32')} />}
      <Lines count={shape === 'text' ? 3 : 2} />
      {shape === 'rows' && <span className="skel skel-time" />}
    </div>
  );
}

function Lines({ count, className }: { count: 2 | 3; className?: string }) {
  return (
    <span className={classNames('skel-lines', className)}>
      <span className="skel" />
      <span className="skel" />
      {count === 3 && <span className="skel" />}
    </span>
  );
}

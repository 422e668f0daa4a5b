import type { ComponentProps, ReactNode, Ref } from 'react';
import { classNames } from '#/class-names.ts';
import { Link } from '#/link/link.tsx';

export type Urgency = 'urgent' | 'soon';

type ListRowContent = {
  /** Avatar or bed tag. */
  leading?: ReactNode;
  title: ReactNode;
  /** Beside the title: a badge. */
  mark?: ReactNode;
  /** At the right end of the first line: the time. */
  meta?: ReactNode;
  /** The second line. */
  text?: ReactNode;
  /** The second line is not cut off but goes on below: it says what nothing else says. */
  isTextWhole?: boolean | undefined;
  /** At the right end of the second line: the unread pill. */
  count?: ReactNode;
  /** At the right end of the row: a button. Only in a row that is not itself a link or a button. */
  trailing?: ReactNode;
  /** A bar at the left edge; `urgencyWord` says it in words before the second line. */
  urgency?: Urgency | undefined;
  urgencyWord?: string | undefined;
  isSelected?: boolean | undefined;
  isUnread?: boolean | undefined;
  className?: string | undefined;
};

type ListRowTarget =
  | { href: string; onClick?: ComponentProps<'a'>['onClick']; ref?: Ref<HTMLAnchorElement> }
  | { href?: undefined; onClick: NonNullable<ComponentProps<'button'>['onClick']>; ref?: Ref<HTMLButtonElement> }
  | { href?: undefined; onClick?: undefined; ref?: Ref<HTMLDivElement> };

export type ListRowProps = ListRowContent & ListRowTarget;

/** A row of 64 px: a link with `href`, a button with `onClick`, else plain. */
export function ListRow(props: ListRowProps) {
  const { urgency, isSelected = false, isUnread = false, isTextWhole = false, className } = props;
  const classes = classNames(
    'lrow',
    urgency && `is-${urgency}`,
    isSelected && 'is-selected',
    isUnread && 'is-unread',
    isTextWhole && 'is-whole',
    className,
  );
  const current = isSelected ? ({ 'aria-current': 'true' } as const) : {};
  if (props.href !== undefined) {
    return (
      <Link className={classes} href={props.href} onClick={props.onClick} ref={props.ref} {...current}>
        <Content {...props} />
      </Link>
    );
  }
  if (props.onClick !== undefined) {
    return (
      <button type="button" className={classes} onClick={props.onClick} ref={props.ref} {...current}>
        <Content {...props} />
      </button>
    );
  }
  return (
    <div className={classes} ref={props.ref}>
      <Content {...props} />
    </div>
  );
}

function Content({ leading, title, mark, meta, text, count, trailing, urgencyWord }: ListRowContent) {
  const hasSecondLine = text !== undefined || count !== undefined || urgencyWord !== undefined;
  return (
    <>
      {leading}
      <span className="lrow-body">
        <span className="lrow-line">
          <span className="lrow-title">{title}</span>
          {mark}
          {meta !== undefined && <span className="lrow-meta">{meta}</span>}
        </span>
        {hasSecondLine && (
          <span className="lrow-line">
            {urgencyWord !== undefined && <span className="lrow-word">{urgencyWord}</span>}
            <span className="lrow-text">{text}</span>
            {count}
          </span>
        )}
      </span>
      {trailing !== undefined && <span className="lrow-end">{trailing}</span>}
    </>
  );
}

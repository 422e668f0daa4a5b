import { Clock, TriangleAlert } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { classNames } from '#/class-names.ts';
import { Icon } from '#/icon/icon.tsx';

export type MessageRowState =
  | { kind: 'pending'; word: string }
  | { kind: 'failed'; word: string; why?: string | undefined; actions?: ReactNode };

export type MessageTime = {
  label: string;
  /** For machines: '2026-11-20T00:37:00Z'. */
  dateTime: string;
  /** The day and the second; shown under the pointer, at a press and on focus. */
  exact?: string | undefined;
  isInTabOrder?: boolean | undefined;
};

export type MessageRowProps = Omit<ComponentProps<'article'>, 'children'> & {
  /** The first row of a group: avatar, name and role. Without it the margin keeps the time. */
  sender?: { avatar: ReactNode; name: ReactNode; role?: ReactNode } | undefined;
  time: MessageTime;
  isOwn?: boolean | undefined;
  /** The row somebody was led to, by search or by a link. */
  isFocused?: boolean | undefined;
  state?: MessageRowState | undefined;
  /** Buttons over the right end on hover and focus. */
  tools?: ReactNode;
  /** The words in a `p.m-text`, then attachments, then a `p.m-read`. */
  children: ReactNode;
};

/** One row of a chat. */
export function MessageRow(props: MessageRowProps) {
  const { sender, time, isOwn, isFocused, state, tools, className, children, ...rest } = props;
  const look = [
    isOwn && 'is-own',
    isFocused && 'is-focused',
    state && `is-${state.kind}`,
    tools !== undefined && 'has-tools',
  ];
  return (
    <article {...rest} className={classNames('m', ...look, className)}>
      <div className="m-margin">{sender ? sender.avatar : <Time {...time} className="m-time" />}</div>
      <div>
        {sender && (
          <header className="m-head">
            <span className="m-name">{sender.name}</span>
            {sender.role !== undefined && <span className="m-role">{sender.role}</span>}
            <Time {...time} />
          </header>
        )}
        {children}
        {state && <State {...state} />}
      </div>
      {tools !== undefined && <div className="m-tools float">{tools}</div>}
    </article>
  );
}

function Time({ label, dateTime, exact, isInTabOrder = false, className }: MessageTime & { className?: string }) {
  if (exact === undefined) {
    return (
      <time className={className} dateTime={dateTime}>
        {label}
      </time>
    );
  }
  return (
    <button type="button" className={classNames('m-when', className)} tabIndex={isInTabOrder ? 0 : -1}>
      <time dateTime={dateTime} title={exact}>
        {label}
      </time>
      <span className="m-exact">{exact}</span>
    </button>
  );
}

function State(state: MessageRowState) {
  if (state.kind === 'pending') {
    return (
      <p className="m-state">
        <Icon of={Clock} size="sm" />
        {state.word}
      </p>
    );
  }
  return (
    <div className="m-state">
      <span className="m-word">
        <Icon of={TriangleAlert} size="sm" />
        {state.word}
      </span>
      {state.why !== undefined && <span className="m-why">{state.why}</span>}
      {state.actions !== undefined && <span className="m-acts">{state.actions}</span>}
    </div>
  );
}

import type { ReactNode } from 'react';
import { classNames } from '#/class-names.ts';
import { MAIN_ID } from '#/frame/skip-link.tsx';
import { type Back, BackArrow } from '#/frame/top-bar.tsx';

export type PaneName = 'list' | 'chat' | 'detail';

export type PanesProps = {
  /** The page's h1, said but not shown: the panes have heads of their own, and only one may be in view. */
  title: string;
  /** Each one a `Pane`. */
  list: ReactNode;
  chat: ReactNode;
  detail?: ReactNode;
  /** The one that shows where only one fits; where two fit, 'detail' puts the list aside. */
  active: PaneName;
};

/** List, chat, detail side by side: three from 1280 px, two from 768 px, one below. */
export function Panes({ title, list, chat, detail, active }: PanesProps) {
  const hasDetail = detail !== undefined && detail !== null && detail !== false;
  return (
    <main
      className={classNames('panes', hasDetail && 'has-detail')}
      id={MAIN_ID}
      tabIndex={-1}
      data-active={active === 'detail' && !hasDetail ? 'chat' : active}
    >
      <h1 className="sr">{title}</h1>
      {list}
      {chat}
      {hasDetail && detail}
    </main>
  );
}

export type PaneProps = {
  name: PaneName;
  /** Names the region for a screen reader. */
  label: string;
  /** `PaneHead`, tools, a `pane-scroll`, a foot, from top to bottom. */
  children: ReactNode;
};

/** One pane: a head, a part that scrolls, a foot. A dialog whose button is gone gives the focus back to it. */
export function Pane({ name, label, children }: PaneProps) {
  return (
    <section className={`pane pane-${name}`} aria-label={label} tabIndex={-1}>
      {children}
    </section>
  );
}

export type PaneHeadProps = {
  title: ReactNode;
  /** Under the title, one line. */
  context?: ReactNode;
  /** The context is as long as it is: nothing is cut of what says who a patient is. */
  isContextWhole?: boolean | undefined;
  /** Before the title, on the desktop only: a glyph. */
  leading?: ReactNode;
  back?: Back | undefined;
  actions?: ReactNode;
};

/** The head of a pane. */
export function PaneHead({ title, context, isContextWhole = false, leading, back, actions }: PaneHeadProps) {
  return (
    <header className={classNames('pane-head', back && 'has-back')}>
      {back && <BackArrow {...back} />}
      {leading !== undefined && <span className="only-desk">{leading}</span>}
      <div className="pane-title">
        <h2 className="clip">{title}</h2>
        {context !== undefined && <p className={isContextWhole ? 'pane-whole' : 'clip'}>{context}</p>}
      </div>
      {actions}
    </header>
  );
}

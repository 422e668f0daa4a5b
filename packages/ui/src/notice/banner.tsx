import { Check, Info, type LucideIcon, OctagonAlert, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '#/class-names.ts';
import { Icon } from '#/icon/icon.tsx';

export type BannerTone = 'info' | 'warning' | 'error' | 'success' | 'primary' | 'neutral';

const GLYPHS: Readonly<Record<BannerTone, LucideIcon>> = {
  info: Info,
  warning: TriangleAlert,
  error: OctagonAlert,
  success: Check,
  primary: Info,
  neutral: Info,
};

export type BannerProps = {
  tone?: BannerTone | undefined;
  icon?: LucideIcon | undefined;
  /** The first words, in the tone's colour. */
  title?: ReactNode;
  children?: ReactNode;
  /** A button or a link at the right end. */
  action?: ReactNode;
  /** Without a frame, across the whole width above a page. */
  isFlush?: boolean | undefined;
  /** 'alert' interrupts, 'status' waits; by default an error is an alert. 'none' says nothing by itself. */
  announce?: 'alert' | 'status' | 'none' | undefined;
  className?: string | undefined;
};

/** One line that says what is the matter, with a glyph and, where there is one, the cure. */
export function Banner(props: BannerProps) {
  const { tone = 'info', icon, title, children, action, isFlush, announce, className } = props;
  const role = announce ?? (tone === 'error' ? 'alert' : 'status');
  return (
    <div
      className={classNames('banner', tone !== 'info' && `banner-${tone}`, isFlush && 'is-flush', className)}
      {...(role === 'none' ? {} : { role })}
    >
      <Icon of={icon ?? GLYPHS[tone]} />
      <p className="banner-text">
        {title !== undefined && <b>{title}</b>}
        {title !== undefined && children !== undefined && ' '}
        {children}
      </p>
      {action && <span className="banner-action">{action}</span>}
    </div>
  );
}

import { PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { type ReactNode, useCallback, useSyncExternalStore } from 'react';
import { Button } from '#/button/button.tsx';
import { classNames } from '#/class-names.ts';
import { BottomBar } from '#/frame/bottom-bar.tsx';
import type { NavItem } from '#/frame/nav-item.ts';
import { RailNav } from '#/frame/rail.tsx';
import { SkipLink } from '#/frame/skip-link.tsx';
import { Link } from '#/link/link.tsx';
import { Logo } from '#/logo/logo.tsx';
import { TooltipProvider } from '#/tooltip/tooltip.tsx';

export type AppFrameProps = {
  /** Stands beside the mark. */
  productName: string;
  homeHref: string;
  items: readonly NavItem[];
  /** Names the navigation for a screen reader. */
  navLabel?: string | undefined;
  /** Under the logo: `RailSwitch`. */
  switcher?: ReactNode;
  /** Under the switcher: `RailSearch`. */
  search?: ReactNode;
  /** At the foot of the rail, the state of the connection: `RailStatus`. */
  connection?: ReactNode;
  /** The last in the rail: `RailAccount`, usually as the trigger of a `Menu`. */
  account?: ReactNode;
  /** Icons only, on any width. Below 1024 px the rail is slim anyhow. */
  isSlim?: boolean | undefined;
  /** With it the rail has a button that folds and unfolds it. */
  onSlimChange?: ((isSlim: boolean) => void) | undefined;
  /** False gives a phone's page the whole height, an open chat for instance. */
  hasBottomBar?: boolean | undefined;
  /** Lines over the page: offline, update. */
  notices?: ReactNode;
  /** `TopBar` and `PageContent`, or `Panes`. */
  children: ReactNode;
};

/** The frame of every signed-in page: skip link, rail, bottom bar on the phone, and one tooltip provider for all of it. */
export function AppFrame(props: AppFrameProps) {
  const { productName, homeHref, items, navLabel = 'Pages', isSlim = false, onSlimChange, hasBottomBar = true } = props;
  const isNarrow = useMediaQuery('(max-width: 1023px)');
  return (
    <TooltipProvider>
      <div className={classNames('app', isSlim && 'is-slim', !hasBottomBar && 'no-bottombar')}>
        <SkipLink />
        <aside className="rail" aria-label={productName}>
          <div className="rail-in">
            <Link className="brand" href={homeHref}>
              <Logo />
              <span className="rail-text">{productName}</span>
            </Link>
            {props.switcher}
            {props.search}
            <RailNav label={navLabel} items={items} isSlim={isSlim || isNarrow} />
            <div className="rail-foot">
              {onSlimChange && <FoldButton isSlim={isSlim} onSlimChange={onSlimChange} />}
              {props.connection}
              {props.account}
            </div>
          </div>
        </aside>
        <div className="main">
          {props.notices}
          {props.children}
        </div>
        {hasBottomBar && <BottomBar label={`${navLabel}, bottom`} items={items} />}
      </div>
    </TooltipProvider>
  );
}

function FoldButton({ isSlim, onSlimChange }: { isSlim: boolean; onSlimChange: (isSlim: boolean) => void }) {
  return (
    <Button
      className="rail-fold"
      variant="ghost"
      color="neutral"
      iconOnly
      icon={isSlim ? PanelLeftOpen : PanelLeftClose}
      label={isSlim ? 'Expand navigation' : 'Collapse navigation'}
      onClick={() => onSlimChange(!isSlim)}
    />
  );
}

/** Whether a media query holds, followed while mounted; false where there is no window. */
function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = globalThis.matchMedia?.(query);
      list?.addEventListener('change', onChange);
      return () => list?.removeEventListener('change', onChange);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => globalThis.matchMedia?.(query).matches ?? false,
    () => false,
  );
}

import { serverNow } from '@wardline/client/server-clock.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { PageContent } from '@wardline/ui/frame/page-content.tsx';
import { TopBar } from '@wardline/ui/frame/top-bar.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { LinkTabs } from '@wardline/ui/tabs/link-tabs.tsx';
import { Tooltip } from '@wardline/ui/tooltip/tooltip.tsx';
import { Settings } from 'lucide-react';
import type { ReactNode } from 'react';
import { useShellActions } from '#/shared/contexts/shell-actions.ts';
import { PanelBoundary } from '#/shared/errors/panel-boundary.tsx';
import { usePageTitle } from '#/shared/navigation/page-title.ts';
import { dayIn, formatDay } from '#/shared/time/zoned-time.ts';
import { type CensusPath, censusPagesFor } from './census-pages.ts';
import { settingsPathFor } from './census-paths.ts';

interface CensusFrameProps {
  readonly title: string;
  readonly path: CensusPath;
  readonly facility: Facility;
  /** What the page is about beside its facility; by default the running census date. */
  readonly context?: string | undefined;
  /** At the right end of the top bar. */
  readonly actions?: ReactNode;
  /** Under the page, as wide as it: a bar that stays in view. */
  readonly foot?: ReactNode;
  readonly children: ReactNode;
}

/** Head and way between the census pages of one facility, where the rail does not list them. */
export function CensusFrame({ title, path, facility, context, actions, foot, children }: CensusFrameProps) {
  usePageTitle(title);
  const pages = censusPagesFor(facility.permissions).map(({ path: href, label }) => ({ href, label }));
  const shellActions = useShellActions();
  return (
    <>
      <TopBar
        title={title}
        context={`${facility.name} · ${context ?? censusDay(facility)}`}
        actions={
          <>
            {shellActions}
            {actions}
          </>
        }
      />
      <PageContent className="in-order">
        <LinkTabs label="Census" pages={pages} open={path} className="not-beside-rail" />
        <PanelBoundary of={path}>{children}</PanelBoundary>
      </PageContent>
      {foot}
    </>
  );
}

/** The census date that is running in the facility's zone, with its weekday. */
export function censusDay({ time_zone }: Pick<Facility, 'time_zone'>): string {
  const today = dayIn(time_zone, serverNow());
  return formatDay(today, today);
}

/** The way to the census settings, for those who may open a page they are a view of. */
export function SettingsLink({ facility }: { facility: Facility }) {
  const path = settingsPathFor(facility.permissions);
  if (path === null) return null;
  return (
    <Tooltip content="Census settings" side="bottom">
      <Button asChild variant="ghost" color="neutral" iconOnly icon={Settings} label="Census settings">
        <Link href={path} />
      </Button>
    </Tooltip>
  );
}

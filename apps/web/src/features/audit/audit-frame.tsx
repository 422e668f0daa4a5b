import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { PageContent } from '@wardline/ui/frame/page-content.tsx';
import { TopBar } from '@wardline/ui/frame/top-bar.tsx';
import { LinkTabs } from '@wardline/ui/tabs/link-tabs.tsx';
import type { ReactNode } from 'react';
import { useShellActions } from '#/shared/contexts/shell-actions.ts';
import { PanelBoundary } from '#/shared/errors/panel-boundary.tsx';
import { usePageTitle } from '#/shared/navigation/page-title.ts';

const PAGES = [
  { href: '/settings/audit', label: 'Audit log', permission: 'audit.view' },
  { href: '/settings/emergency', label: 'Emergency access', permission: 'audit.view' },
  { href: '/settings/readers', label: 'Who opened my chats', permission: null },
] as const;
export type AuditPath = (typeof PAGES)[number]['href'];

interface AuditFrameProps {
  readonly path: AuditPath;
  readonly facility: Facility;
  /** At the right end of the top bar. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Head of the pages, and the way between them for who may open more than one. */
export function AuditFrame({ path, facility, actions, children }: AuditFrameProps) {
  const shellActions = useShellActions();
  const title = PAGES.find((page) => page.href === path)?.label ?? 'Audit log';
  const pages = PAGES.filter(({ permission }) => permission === null || facility.permissions.includes(permission));
  usePageTitle(title);
  return (
    <>
      <TopBar
        title={title}
        context={path === '/settings/readers' ? 'Who else read in chats you write in' : facility.name}
        back={{ href: '/settings', label: 'Settings' }}
        actions={
          <>
            {shellActions}
            {actions}
          </>
        }
      />
      <PageContent className="in-order">
        <LinkTabs label="Audit" pages={pages} open={path} />
        <PanelBoundary of={path}>{children}</PanelBoundary>
      </PageContent>
    </>
  );
}

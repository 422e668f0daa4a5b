import { useLocation } from '@tanstack/react-router';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { PageContent } from '@wardline/ui/frame/page-content.tsx';
import { TopBar } from '@wardline/ui/frame/top-bar.tsx';
import { LinkTabs } from '@wardline/ui/tabs/link-tabs.tsx';
import type { ReactNode } from 'react';
import { useShellActions } from '#/shared/contexts/shell-actions.ts';
import { usePageTitle } from '#/shared/navigation/page-title.ts';

const PAGES = [
  { href: '/people', view: null, label: 'People' },
  { href: '/people?view=on-call', view: 'on-call', label: 'On call' },
  { href: '/people?view=critical', view: 'critical', label: 'Critical results' },
  { href: '/people?view=interruptions', view: 'interruptions', label: 'Interruptions' },
] as const;

/** Which of its parts the address asks for; the last two are for who plans on-call. */
export function usePeopleView({ permissions }: Facility): (typeof PAGES)[number]['view'] {
  const view = useLocation({ select: ({ searchStr }) => new URLSearchParams(searchStr).get('view') });
  return pagesFor(permissions).find((page) => page.view === view)?.view ?? null;
}

function pagesFor(permissions: readonly string[]) {
  const isPlanning = permissions.includes('on_call.manage');
  return PAGES.filter(({ view }) => isPlanning || view === null || view === 'on-call');
}

interface PeopleFrameProps {
  readonly facility: Facility;
  /** At the right end of the top bar. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Head of the page and the way between its parts. */
export function PeopleFrame({ facility, actions, children }: PeopleFrameProps) {
  const open = usePeopleView(facility);
  const pages = pagesFor(facility.permissions);
  const page = pages.find(({ view }) => view === open) ?? PAGES[0];
  const shellActions = useShellActions();
  usePageTitle(page.label);
  return (
    <>
      <TopBar
        title={page.label}
        context={facility.name}
        actions={
          <>
            {shellActions}
            {actions}
          </>
        }
      />
      <PageContent className="in-order">
        <LinkTabs label="People" pages={pages} open={page.href} />
        {children}
      </PageContent>
    </>
  );
}

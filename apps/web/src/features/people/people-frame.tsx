import { useLocation } from '@tanstack/react-router';
import type { Facility } from '@wardline/contract/facilities.ts';
import { PageContent } from '@wardline/ui/frame/page-content.tsx';
import { TopBar } from '@wardline/ui/frame/top-bar.tsx';
import { LinkTabs } from '@wardline/ui/tabs/link-tabs.tsx';
import type { ReactNode } from 'react';
import { useShellActions } from '#/shared/contexts/shell-actions.ts';
import { usePageTitle } from '#/shared/navigation/page-title.ts';

const PAGES = [
  { href: '/people', view: null, label: 'People' },
  { href: '/people?view=on-call', view: 'on-call', label: 'On call' },
] as const;

/** Which of its two parts the address asks for. */
export function usePeopleView(): (typeof PAGES)[number]['view'] {
  const view = useLocation({ select: ({ searchStr }) => new URLSearchParams(searchStr).get('view') });
  return view === 'on-call' ? view : null;
}

interface PeopleFrameProps {
  readonly facility: Facility;
  /** At the right end of the top bar. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Head of the page and the way between its two parts. */
export function PeopleFrame({ facility, actions, children }: PeopleFrameProps) {
  const open = usePeopleView();
  const page = PAGES.find(({ view }) => view === open) ?? PAGES[0];
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
        <LinkTabs label="People" pages={PAGES} open={page.href} />
        {children}
      </PageContent>
    </>
  );
}

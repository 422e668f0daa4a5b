import type { User } from '@wardline/contract/account/auth.ts';
import { formatList } from '@wardline/format/names.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { PageContent } from '@wardline/ui/frame/page-content.tsx';
import { TopBar } from '@wardline/ui/frame/top-bar.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { DoorClosed } from 'lucide-react';
import type { ReactNode } from 'react';
import { useShellActions } from '#/shared/contexts/shell-actions.ts';
import { usePageTitle } from '#/shared/navigation/page-title.ts';

type Closed = Pick<User, 'closed_facilities'>;

/** ADM-2: on the dashboard, of which facilities nothing is shown any more. */
export function ClosedFacilitiesNotice({ closed_facilities = [] }: Closed) {
  return (
    <Banner tone="warning" icon={DoorClosed} isFlush title={wereClosed(closed_facilities)}>
      Nothing of it can be read or written. Its data are kept.
    </Banner>
  );
}

/** In the place of every page, where no other facility of a person is open. */
export function ClosedFacilitiesScreen({ closed_facilities = [], signOut }: Closed & { readonly signOut: ReactNode }) {
  usePageTitle('Facility closed');
  return (
    <>
      <TopBar title="Facility closed" actions={useShellActions()} />
      <PageContent>
        <EmptyState
          icon={DoorClosed}
          title={wereClosed(closed_facilities)}
          action={
            <span className="row wrap">
              <Button asChild variant="outline" color="neutral">
                <Link href="/settings">Settings</Link>
              </Button>
              {signOut}
            </span>
          }
        >
          Nothing can be read or written there, and its data are kept. What you have not sent yet is kept on this
          device. This page updates when it is opened again.
        </EmptyState>
      </PageContent>
    </>
  );
}

function wereClosed(names: readonly string[]): string {
  return `${formatList(names)} ${names.length === 1 ? 'was' : 'were'} closed by the system administrator.`;
}

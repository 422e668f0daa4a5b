import { Button } from '@wardline/ui/button/button.tsx';
import { PageContent } from '@wardline/ui/frame/page-content.tsx';
import { TopBar } from '@wardline/ui/frame/top-bar.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { Hourglass } from 'lucide-react';
import type { ReactNode } from 'react';
import { useShellActions } from '#/shared/contexts/shell-actions.ts';
import { usePageTitle } from '#/shared/navigation/page-title.ts';

interface WaitingScreenProps {
  readonly email: string;
  /** Runs the installation, which needs no facility. */
  readonly isOperator: boolean;
  /** What is the matter with the installation; under the rest, for it comes later and moves nothing there (F-U8). */
  readonly notice?: ReactNode;
  /** The button that ends the session. */
  readonly signOut: ReactNode;
}

/** ACC-1: somebody without a facility waits for an administrator, and is told so. */
export function WaitingScreen({ email, isOperator, notice, signOut }: WaitingScreenProps) {
  usePageTitle('Waiting');
  return (
    <>
      <TopBar title={isOperator ? 'Dashboard' : 'Waiting for access'} actions={useShellActions()} />
      <PageContent className="in-order">
        <EmptyState
          icon={Hourglass}
          title="You are not in a facility yet"
          action={
            <span className="row wrap">
              {isOperator && (
                <Button asChild>
                  <Link href="/settings/system">System administration</Link>
                </Button>
              )}
              <Button asChild variant="outline" color="neutral">
                <Link href="/settings">Settings</Link>
              </Button>
              {signOut}
            </span>
          }
        >
          {isOperator
            ? `You run this installation. Chats and census are for members of a facility; its administrator can add ${email}.`
            : `Your account works. An administrator of your hospital has to add ${email} to a facility first. This page updates when that happens. If you were sent an invitation, open its link now.`}
        </EmptyState>
        {notice}
      </PageContent>
    </>
  );
}

/** For whom the invitation that they signed up with has no force any more, once their address is verified. */
export function InvitationLost() {
  return (
    <Banner tone="warning" isFlush title="Your invitation can’t be used any more.">
      Your address is verified and your account works, but someone else used the invitation first, or it was withdrawn.
      Ask whoever sent it for a new one.
    </Banner>
  );
}

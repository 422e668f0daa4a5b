import type { User } from '@wardline/contract/account/auth.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Card } from '@wardline/ui/card/card.tsx';
import { PageContent } from '@wardline/ui/frame/page-content.tsx';
import { TopBar } from '@wardline/ui/frame/top-bar.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { useShellActions } from '#/shared/contexts/shell-actions.ts';
import { useOnline } from '#/shared/contexts/use-online.ts';
import './account.css';
import { useAccount } from './account-queries.ts';
import { EmailPending } from './email-pending.tsx';

interface VerifyEmailScreenProps {
  readonly user: User;
  /** One came here by a link that has no force any more. */
  readonly isLinkInvalid: boolean;
}

/** NAV-4: which address waits to be verified, and its link again. */
export function VerifyEmailScreen({ user, isLinkInvalid }: VerifyEmailScreenProps) {
  const { account, isKnown, hasFailed, retry } = useAccount(user);
  const isOnline = useOnline();
  const waits = account.pending_email !== null || account.email_verified_at === null;
  return (
    <>
      <TopBar title="Verify your email" actions={useShellActions()} />
      <PageContent className="set-single">
        {isLinkInvalid && (
          <Banner tone="warning" title="This link is no longer valid.">
            {waits ? 'It was already used or has expired. Ask for a new one.' : 'It was used already.'}
          </Banner>
        )}
        <Card hasPadding>
          {hasFailed && !isKnown ? (
            <ErrorState title="Your address could not be loaded" onRetry={retry} />
          ) : !isKnown && isOnline ? (
            <Skeleton shape="text" />
          ) : (
            <fieldset className="stack stack-4" disabled={!isOnline}>
              {waits ? (
                <EmailPending account={account} />
              ) : (
                <p>
                  Your address <b className="breaks">{account.email}</b> is verified.
                </p>
              )}
              <p className="row wrap">
                <Button asChild variant={waits ? 'ghost' : 'solid'} color={waits ? 'neutral' : 'primary'}>
                  <Link href="/dashboard">Go to dashboard</Link>
                </Button>
              </p>
            </fieldset>
          )}
        </Card>
      </PageContent>
    </>
  );
}

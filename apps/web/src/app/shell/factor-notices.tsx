import { serverNow } from '@wardline/client/server-clock.ts';
import type { FactorRule, User } from '@wardline/contract/account/auth.ts';
import { beginPasskeyConfirmation, confirmWithPasskey } from '@wardline/contract/account/passkeys.ts';
import { formatList } from '@wardline/format/names.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { PageContent } from '@wardline/ui/frame/page-content.tsx';
import { TopBar } from '@wardline/ui/frame/top-bar.tsx';
import { Link } from '@wardline/ui/link/link.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { EmptyState } from '@wardline/ui/notice/empty-state.tsx';
import { KeyRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { isAccountPage } from '#/app/router/account-pages.ts';
import { useSession } from '#/features/auth/index.ts';
import { useCall } from '#/shared/contexts/call-context.ts';
import { useShellActions } from '#/shared/contexts/shell-actions.ts';
import { useAction } from '#/shared/forms/use-action.ts';
import { askPasskey } from '#/shared/forms/web-authn.ts';
import { usePageTitle } from '#/shared/navigation/page-title.ts';
import { dayIn, deviceZone, formatDay } from '#/shared/time/zoned-time.ts';

interface OfUser {
  readonly user: User;
}

const SECURITY = '/settings#security';

interface FactorNoticesProps extends OfUser {
  readonly path: string;
  /** Whether no facility is open to them. */
  readonly isNewcomer: boolean;
}

/**
 * Over every page what is closed for want of a second factor, save where a page of its own says so in the place of every
 * other; on the dashboard what will be, while there is none.
 */
export function FactorNotices({ user, path, isNewcomer }: FactorNoticesProps) {
  const { factor_rules: rules = [], has_second_factor: hasFactor = false } = user;
  const isSaidByPage = isNewcomer && !isAccountPage(path);
  const closed = isSaidByPage ? [] : rules.filter(({ is_closed }) => is_closed);
  const coming = hasFactor || path !== '/dashboard' ? [] : rules.filter(({ is_closed }) => !is_closed);
  return (
    <>
      {closed.length > 0 && (
        <Banner tone="warning" icon={KeyRound} isFlush title={needs(closed)} action={<Cure hasFactor={hasFactor} />}>
          {cureOf(hasFactor)}
        </Banner>
      )}
      {coming.map((rule) => (
        <Banner key={rule.facility_id} tone="warning" icon={KeyRound} isFlush action={<Cure hasFactor={false} />}>
          From {dayOf(rule)} on, {rule.facility_name} opens with a second factor only. You don’t have one yet.
        </Banner>
      ))}
    </>
  );
}

/** In the place of every page, where all facilities of a person are closed. */
export function ClosedScreen({ user }: OfUser) {
  usePageTitle('Second factor needed');
  const { factor_rules: rules = [], has_second_factor: hasFactor = false } = user;
  return (
    <>
      <TopBar title="Second factor needed" actions={useShellActions()} />
      <PageContent>
        <EmptyState
          icon={KeyRound}
          title={needs(rules.filter(({ is_closed }) => is_closed))}
          action={<Cure hasFactor={hasFactor} isButton />}
        >
          {cureOf(hasFactor)} What you have not sent yet is kept.
        </EmptyState>
      </PageContent>
    </>
  );
}

function needs(closed: readonly FactorRule[]): string {
  const names = closed.map(({ facility_name }) => facility_name);
  return `${formatList(names)} ${names.length === 1 ? 'needs' : 'need'} a second factor.`;
}

function cureOf(hasFactor: boolean): string {
  return hasFactor
    ? 'You signed in with your password alone. Use your passkey, or sign in again with your authenticator app.'
    : 'Set up an authenticator app or a passkey, and it opens at once.';
}

function Cure({
  hasFactor,
  isButton = false,
}: {
  readonly hasFactor: boolean;
  readonly isButton?: boolean;
}): ReactNode {
  if (hasFactor) return <UsePasskey isButton={isButton} />;
  return isButton ? (
    <Button asChild>
      <Link href={SECURITY}>Set up a second factor</Link>
    </Button>
  ) : (
    <Link href={SECURITY}>Set it up</Link>
  );
}

/** Shows the passkey in the session that a password alone began. */
function UsePasskey({ isButton }: { readonly isButton: boolean }) {
  const call = useCall();
  const session = useSession();
  const { run, isBusy, error } = useAction(async () => {
    const credential = await askPasskey(await call(beginPasskeyConfirmation));
    await call(confirmWithPasskey, { body: { credential } });
    await session.refresh();
  });
  return (
    <>
      {error !== null && <span role="alert">{error} </span>}
      <Button variant={isButton ? 'solid' : 'link'} isLoading={isBusy} onClick={run}>
        Use passkey
      </Button>
    </>
  );
}

function dayOf({ from }: FactorRule): string {
  return formatDay(from, dayIn(deviceZone(), serverNow()));
}

import { useRouterState } from '@tanstack/react-router';
import { AppFrame } from '@wardline/ui/frame/app-frame.tsx';
import { RailAccount, RailStatus, RailSwitch } from '@wardline/ui/frame/rail.tsx';
import type { ReactNode } from 'react';
import { PaletteBarButton, PaletteHost, PaletteRailButton } from '#/app/palette/palette-host.tsx';
import { isAccountPage } from '#/app/router/account-pages.ts';
import { titleAt } from '#/app/services/person.ts';
import { connectionLine } from '#/app/unsent/connection-labels.ts';
import { useUnsentList } from '#/app/unsent/use-unsent-list.ts';
import { useUser } from '#/features/auth/index.ts';
import { formatUnit, useChats, useConnection } from '#/features/chat/index.ts';
import { useCurrentFacility } from '#/features/facilities/index.ts';
import { useUnsentCount } from '#/shared/contexts/device-context.ts';
import { ShellActionsContext } from '#/shared/contexts/shell-actions.ts';
import { lazyMenu } from '#/shared/lazy/lazy-menu.tsx';
import { useProductName, useUnreadBadge } from '#/shared/navigation/page-title.ts';
import { usePersonPicture } from '#/shared/pictures/person-picture.ts';
import { showFormat } from '#/shared/time/shown-format.ts';
import { navItems } from './nav-items.ts';
import { Notices } from './notices.tsx';

const FacilityMenu = lazyMenu(async () => (await import('./facility-menu.tsx')).FacilityMenu);

/** Says which facility one is in; the menu behind it leads to another. */
function FacilityButton() {
  const current = useCurrentFacility();
  if (!current) return null;
  const { id, code, name } = current;
  const detail = formatUnit(current.unit_count);
  return (
    <FacilityMenu trigger={<RailSwitch code={code} name={name} {...(detail ? { detail } : {})} />} currentId={id} />
  );
}

const AccountMenu = lazyMenu(async () => (await import('./account-menu.tsx')).AccountMenu);

/** One's own name; the menu behind it comes after the page. In the rail, or compact in the phone's top bar. */
function AccountButton({ look }: { look: 'rail' | 'compact' }) {
  const user = useUser();
  const picture = usePersonPicture(user.avatar_url);
  const detail = titleAt(user, useCurrentFacility()?.id ?? null) ?? user.email;
  return (
    <span className={look === 'compact' ? 'only-phone' : 'account'}>
      <AccountMenu
        trigger={<RailAccount name={user.name} detail={detail} isCompact={look === 'compact'} {...picture} />}
        look={look}
      />
    </span>
  );
}

/** The frame around every signed-in page. */
export function Shell({ hasPages, children }: { hasPages: boolean; children: ReactNode }) {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const current = useCurrentFacility();
  if (current) showFormat(current);
  const { unreadChats } = useChats();
  useUnreadBadge(unreadChats);
  const { memberships } = useUser();
  const permissions = memberships.flatMap((membership) => membership.permissions);
  const items = navItems({ path, unreadChats, permissions });
  const isInChat = path.startsWith('/chat/');
  return (
    <PaletteHost>
      <ShellActionsContext value={<ShellActions />}>
        <AppFrame
          productName={useProductName()}
          homeHref="/dashboard"
          isSlim={isInChat && hasPages}
          hasBottomBar={!path.includes('/c-')}
          switcher={<FacilityButton />}
          search={<PaletteRailButton />}
          connection={<ConnectionLine />}
          account={<AccountButton look="rail" />}
          notices={<Notices />}
          items={hasPages ? items : items.filter(({ href }) => isOwnPage(href))}
        >
          {children}
        </AppFrame>
      </ShellActionsContext>
    </PaletteHost>
  );
}

/** What somebody without a facility may go to as well: the page that says so, and the own account. */
function isOwnPage(path: string): boolean {
  return path === '/dashboard' || isAccountPage(path);
}

/** On the phone, where there is no rail. */
function ShellActions() {
  return (
    <>
      <PaletteBarButton />
      <AccountButton look="compact" />
    </>
  );
}

/** The quiet dot at the foot of the rail and its words; while something waits it leads to the list of it. */
function ConnectionLine() {
  const outbox = useUnsentCount();
  const show = useUnsentList();
  const isOwed = outbox.waiting + outbox.failed > 0;
  return <RailStatus {...connectionLine(useConnection(), outbox)} {...(isOwed ? { onClick: show } : {})} />;
}

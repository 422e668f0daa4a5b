import { useRouterState } from '@tanstack/react-router';
import { AppFrame } from '@wardline/ui/frame/app-frame.tsx';
import type { ReactNode } from 'react';
import { PaletteBarButton, PaletteHost, PaletteRailButton } from '#/app/palette/palette-host.tsx';
import { isAccountPage } from '#/app/router/account-pages.ts';
import { useUser } from '#/features/auth/index.ts';
import { useChats } from '#/features/chat/index.ts';
import { ShellActionsContext } from '#/shared/contexts/shell-actions.ts';
import { useProductName } from '#/shared/navigation/page-title.ts';
import { AccountButton } from './account-button.tsx';
import { ConnectionLine } from './connection-line.tsx';
import { FacilityButton } from './facility-button.tsx';
import { navItems } from './nav-items.ts';
import { Notices } from './notices.tsx';

/** The frame around every signed-in page. */
export function Shell({ hasPages, children }: { hasPages: boolean; children: ReactNode }) {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const { unreadChats } = useChats();
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
          isSlim={isInChat}
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

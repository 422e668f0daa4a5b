import { useRouterState } from '@tanstack/react-router';
import { AppFrame } from '@wardline/ui/frame/app-frame.tsx';
import type { NavItem } from '@wardline/ui/frame/nav-item.ts';
import { LayoutDashboard, MessagesSquare } from 'lucide-react';
import type { ReactNode } from 'react';
import { useChats } from '#/features/chat/index.ts';
import { useProductName } from '#/page/page-title.ts';
import { ShellActionsContext } from '#/page/shell-actions.ts';
import { AccountButton } from './account-button.tsx';
import { ConnectionLine } from './connection-line.tsx';
import { FacilityButton } from './facility-button.tsx';
import { Notices } from './notices.tsx';

/** The frame around every signed-in page. */
export function Shell({ hasPages, children }: { hasPages: boolean; children: ReactNode }) {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const { unreadChats } = useChats();
  const isInChat = path.startsWith('/chat/');
  return (
    <ShellActionsContext value={<AccountButton look="compact" />}>
      <AppFrame
        productName={useProductName()}
        homeHref="/dashboard"
        isSlim={isInChat}
        hasBottomBar={!path.includes('/c-')}
        switcher={<FacilityButton />}
        connection={<ConnectionLine />}
        account={<AccountButton look="rail" />}
        notices={<Notices />}
        items={hasPages ? pages(path, unreadChats) : []}
      >
        {children}
      </AppFrame>
    </ShellActionsContext>
  );
}

function pages(path: string, unreadChats: number): NavItem[] {
  return [
    {
      href: '/dashboard',
      label: 'Dashboard',
      icon: LayoutDashboard,
      current: path === '/dashboard' ? 'page' : undefined,
    },
    {
      href: '/chats',
      label: 'Chats',
      icon: MessagesSquare,
      current: path === '/chats' ? 'page' : path.startsWith('/chat') ? 'section' : undefined,
      badge: { count: unreadChats, label: unreadChats === 1 ? '1 unread chat' : `${unreadChats} unread chats` },
    },
  ];
}

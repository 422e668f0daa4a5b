import { counted } from '@wardline/format/counts.ts';
import type { NavItem } from '@wardline/ui/frame/nav-item.ts';
import { ClipboardList, LayoutDashboard, MessagesSquare, Settings, Users } from 'lucide-react';
import { censusPagesFor } from '#/features/census/index.ts';

interface NavContext {
  readonly path: string;
  readonly unreadChats: number;
  /** Of all facilities together; a page that shows one asks for that one. */
  readonly permissions: readonly string[];
}

/** The entries of the rail and of the phone's bottom bar, for what this person may open. */
export function navItems({ path, unreadChats, permissions }: NavContext): NavItem[] {
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
      current:
        path === '/chats'
          ? 'page'
          : ['/search', '/handovers'].includes(path) || path.startsWith('/chat')
            ? 'section'
            : undefined,
      badge: { count: unreadChats, label: counted(unreadChats, 'unread chat') },
    },
    {
      href: '/people',
      label: 'People',
      icon: Users,
      current: path === '/people' ? 'page' : undefined,
    },
    ...censusItem(path, permissions),
    {
      href: '/settings',
      label: 'Settings',
      icon: Settings,
      current: path === '/settings' ? 'page' : path.startsWith('/settings/') ? 'section' : undefined,
    },
  ];
}

function censusItem(path: string, permissions: readonly string[]): NavItem[] {
  const pages = censusPagesFor(permissions);
  const [first] = pages;
  if (!first) return [];
  const isOpen = pages.some((page) => page.path === path);
  return [
    {
      href: first.path,
      label: 'Census',
      icon: ClipboardList,
      current: path === first.path ? 'page' : isOpen ? 'section' : undefined,
      ...(pages.length > 1 && {
        children: pages.map((page) => ({
          href: page.path,
          label: page.label,
          current: page.path === path ? ('page' as const) : undefined,
        })),
      }),
    },
  ];
}

import { BedDouble, LayoutDashboard, MessageSquareText, Settings } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#/button/button.tsx';
import { Card } from '#/card/card.tsx';
import { AppFrame } from '#/frame/app-frame.tsx';
import { Bell } from '#/frame/bell.tsx';
import type { NavItem } from '#/frame/nav-item.ts';
import { PageContent } from '#/frame/page-content.tsx';
import { RailAccount, RailSearch, RailStatus, RailSwitch } from '#/frame/rail.tsx';
import { TopBar } from '#/frame/top-bar.tsx';
import type { Specimen } from '../specimen.ts';

export const NAV: readonly NavItem[] = [
  { href: '#dashboard', label: 'Dashboard', icon: LayoutDashboard, current: 'page' },
  { href: '#chats', label: 'Chats', icon: MessageSquareText, badge: { count: 6, label: '6 unread' } },
  {
    href: '#census',
    label: 'Census',
    icon: BedDouble,
    badge: { count: 3, label: '3 owed', tone: 'quiet' },
    children: [
      { href: '#board', label: 'Board' },
      { href: '#report', label: 'Report' },
    ],
  },
  { href: '#settings', label: 'Settings', icon: Settings },
];

function Frame() {
  const [isSlim, setIsSlim] = useState(false);
  return (
    <AppFrame
      productName="Wardline"
      homeHref="#home"
      items={NAV}
      isSlim={isSlim}
      onSlimChange={setIsSlim}
      switcher={<RailSwitch code="SB" name="St. Brigid General" detail="8 units" />}
      search={<RailSearch label="Search" keys={['Ctrl', 'K']} />}
      connection={<RailStatus tone="success" label="Live" />}
      account={<RailAccount name="Ana Reyes" detail="Charge nurse, MED 3A" />}
    >
      <TopBar
        title="Dashboard"
        context="Fri 20 Nov, 00:38"
        back={{ href: '#back', label: 'Back' }}
        actions={
          <>
            <Bell count={2} label="2 waiting for you" />
            <Button>New chat</Button>
          </>
        }
      />
      <PageContent>
        <Card hasPadding>The page.</Card>
      </PageContent>
    </AppFrame>
  );
}

export const specimen: Specimen = {
  id: 'frame',
  title: 'Frame',
  group: 'Pages',
  cases: [{ name: 'Rail, top bar, page; a bottom bar on the phone', Show: Frame, height: 560 }],
};

import { RailAccount } from '@wardline/ui/frame/rail.tsx';
import { lazy, Suspense } from 'react';
import { useUser } from '#/features/auth/index.ts';
import { useCurrentFacility } from '#/features/facilities/index.ts';
import { titleAt } from './person.ts';

const AccountMenu = lazy(async () => ({ default: (await import('./account-menu.tsx')).AccountMenu }));

/** One's own name; the menu behind it comes after the page. In the rail, or compact in the phone's top bar. */
export function AccountButton({ look }: { look: 'rail' | 'compact' }) {
  const user = useUser();
  const detail = titleAt(user, useCurrentFacility()?.id ?? null) ?? user.email;
  const button = (
    <RailAccount name={user.name} detail={detail} src={user.avatar_url ?? undefined} isCompact={look === 'compact'} />
  );
  return (
    <span className={look === 'compact' ? 'only-phone' : 'account'}>
      <Suspense fallback={button}>
        <AccountMenu trigger={button} look={look} />
      </Suspense>
    </span>
  );
}

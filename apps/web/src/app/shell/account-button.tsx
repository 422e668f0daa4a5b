import { RailAccount } from '@wardline/ui/frame/rail.tsx';
import { titleAt } from '#/app/services/person.ts';
import { useUser } from '#/features/auth/index.ts';
import { useCurrentFacility } from '#/features/facilities/index.ts';
import { lazyMenu } from '#/shared/lazy/lazy-menu.tsx';
import { usePersonPicture } from '#/shared/pictures/person-picture.ts';

const AccountMenu = lazyMenu(async () => (await import('./account-menu.tsx')).AccountMenu);

/** One's own name; the menu behind it comes after the page. In the rail, or compact in the phone's top bar. */
export function AccountButton({ look }: { look: 'rail' | 'compact' }) {
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

import { createFileRoute } from '@tanstack/react-router';
import { invitationSearch } from '#/app/guards.ts';
import { SettingsPage } from '#/app/settings-page.tsx';
import { usePageTitle } from '#/page/page-title.ts';

export const Route = createFileRoute('/_in/settings')({ validateSearch: invitationSearch, component: Settings });

function Settings() {
  usePageTitle('Settings');
  const { invitation = null } = Route.useSearch();
  return <SettingsPage invitation={invitation} />;
}

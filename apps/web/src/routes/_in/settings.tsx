import { createFileRoute } from '@tanstack/react-router';
import { invitationSearch } from '#/app/router/guards.ts';
import { SettingsPage } from '#/app/shell/settings-page.tsx';
import { usePageTitle } from '#/shared/navigation/page-title.ts';

export const Route = createFileRoute('/_in/settings')({ validateSearch: invitationSearch, component: Settings });

function Settings() {
  usePageTitle('Settings');
  const { invitation = null } = Route.useSearch();
  return <SettingsPage invitation={invitation} />;
}

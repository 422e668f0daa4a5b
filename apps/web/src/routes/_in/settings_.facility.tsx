import { createFileRoute } from '@tanstack/react-router';
import { requirePermission } from '#/app/router/require-permission.ts';
import { lazyPart } from '#/shared/lazy/lazy-part.tsx';

/** Few ever open it: what every page must know of it is this one file. */
const FacilitySettingsPage = lazyPart(
  async () => (await import('#/app/shell/facility-settings-page.tsx')).FacilitySettingsPage,
  { onMissing: () => undefined },
);

export const Route = createFileRoute('/_in/settings_/facility')({
  beforeLoad: requirePermission('facility.manage'),
  component: () => <FacilitySettingsPage />,
});

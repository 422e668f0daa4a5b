import { createFileRoute } from '@tanstack/react-router';
import { requirePermission } from '#/app/router/require-permission.ts';
import { lazyPart } from '#/shared/lazy/lazy-part.tsx';

const FormsPage = lazyPart(async () => (await import('#/app/shell/forms-page.tsx')).FormsPage, {
  onMissing: () => undefined,
});

export const Route = createFileRoute('/_in/settings_/forms')({
  beforeLoad: requirePermission('facility.manage'),
  component: () => <FormsPage />,
});

import { createFileRoute } from '@tanstack/react-router';
import { requireOperator } from '#/app/router/require-permission.ts';
import { lazyPart } from '#/shared/lazy/lazy-part.tsx';

const SystemPage = lazyPart(async () => (await import('#/app/shell/system-page.tsx')).SystemPage, {
  onMissing: () => undefined,
});

export const Route = createFileRoute('/_in/settings_/system')({
  beforeLoad: requireOperator,
  component: () => <SystemPage />,
});

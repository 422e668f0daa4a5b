import { createFileRoute } from '@tanstack/react-router';
import { DashboardScreen } from '#/app/shell/dashboard-screen.tsx';
import { usePageTitle } from '#/shared/navigation/page-title.ts';

export const Route = createFileRoute('/_in/dashboard')({ component: DashboardPage });

function DashboardPage() {
  usePageTitle('Dashboard');
  return <DashboardScreen />;
}

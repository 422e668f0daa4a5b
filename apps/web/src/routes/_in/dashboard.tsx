import { createFileRoute } from '@tanstack/react-router';
import { DashboardScreen } from '#/app/dashboard-screen.tsx';
import { usePageTitle } from '#/page/page-title.ts';

export const Route = createFileRoute('/_in/dashboard')({ component: DashboardPage });

function DashboardPage() {
  usePageTitle('Dashboard');
  return <DashboardScreen />;
}

import { createFileRoute } from '@tanstack/react-router';
import { AboutScreen, loadContent } from '#/features/public/index.ts';
import { usePageTitle } from '#/shared/navigation/page-title.ts';

export const Route = createFileRoute('/_public/about')({
  loader: () => loadContent('/about'),
  staleTime: Number.POSITIVE_INFINITY,
  component: AboutPage,
});

function AboutPage() {
  usePageTitle('About');
  return <AboutScreen content={Route.useLoaderData()} />;
}

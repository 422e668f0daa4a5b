import { createMemoryHistory } from '@tanstack/react-router';
import { prerender } from 'react-dom/static';
import { App } from './app/boot/app.tsx';
import { BootFrame } from './app/boot/boot-frame.tsx';
import { prerenderPaths } from './app/router/app-paths.ts';
import { createAppRouter } from './app/router/router.tsx';
import { prerenderConfig } from './app/services/prerender-config.ts';
import { createNullServices } from './app/services/prerender-services.ts';
import { TitleSinkContext } from './shared/navigation/page-title.ts';

/** A page as the build writes it. */
export interface AheadPage {
  readonly path: string;
  readonly title: string;
  readonly html: string;
  /** What the page's loader answered; client navigation fetches it in place of the page. */
  readonly payload: unknown;
  /** The ids of the routes that make the page, from the outermost. */
  readonly routeIds: readonly string[];
}

const origin = 'https://wardline.invalid';

/** Draws every page of `prerenderPaths` as somebody sees it of whom nothing is known yet. */
export async function renderPages(): Promise<AheadPage[]> {
  const pages: AheadPage[] = [];
  for (const path of prerenderPaths) pages.push(await renderPage(path));
  return pages;
}

/** Draws what stands on every other page until the app has come. */
export function renderShell(): Promise<string> {
  return toHtml(<BootFrame />);
}

async function renderPage(path: string): Promise<AheadPage> {
  const services = createNullServices();
  const router = createAppRouter(services, {
    history: createMemoryHistory({ initialEntries: [path] }),
    origin,
  });
  await router.load();
  const { matches, location } = router.state;
  if (location.pathname !== path || matches.some(({ status }) => status !== 'success') || matches.length < 2) {
    throw new Error(`The page ${path} cannot be rendered ahead: the router ended at ${location.href}.`);
  }
  const titles: string[] = [];
  const html = await toHtml(
    <TitleSinkContext value={(title) => titles.push(title)}>
      <App services={services} router={router} />
    </TitleSinkContext>,
  );
  return {
    path,
    html,
    title: titles.at(-1) ?? prerenderConfig.product_name,
    payload: matches.at(-1)?.loaderData,
    routeIds: matches.map(({ routeId }) => routeId),
  };
}

async function toHtml(page: React.ReactNode): Promise<string> {
  const errors: unknown[] = [];
  const { prelude } = await prerender(page, {
    // A page is written whole: parts that come later would need inline scripts.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onError: (error) => void errors.push(error),
  });
  const html = await new Response(prelude).text();
  if (errors.length > 0) throw new AggregateError(errors, String(errors[0]));
  return html;
}

// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { createMemoryHistory } from '@tanstack/react-router';
import { act } from '@testing-library/react';
import { createSource } from '@wardline/client/observable.ts';
import type { SessionState } from '@wardline/client/session/session.ts';
import { hydrateRoot, type Root } from 'react-dom/client';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { anaUser } from '#/testing/fake-chats.ts';
import { App } from './app/boot/app.tsx';
import { prerenderPaths } from './app/router/app-paths.ts';
import { createAppRouter } from './app/router/router.tsx';
import { createNullServices } from './app/services/prerender-services.ts';
import type { Services } from './app/services/services.ts';
import { type AheadPage, renderPages, renderShell } from './entry-prerender.tsx';

let pages: ReadonlyMap<string, AheadPage>;
beforeAll(async () => {
  pages = new Map((await renderPages()).map((page) => [page.path, page]));
});

const pageAt = (path: string): AheadPage => {
  const page = pages.get(path);
  if (!page) throw new Error(`${path} was not rendered.`);
  return page;
};

/** An installation that differs in everything from what the build assumes. */
function elsewhere(state: SessionState): Services {
  const services = createNullServices();
  const session = createSource<SessionState>(state);
  return {
    ...services,
    session: { ...services.session, get: session.get, subscribe: session.subscribe },
    config: {
      ...services.config,
      product_name: 'St. Brigid Chat',
      sign_up: 'open',
      contact: { email: 'it@brigid.test', latitude: 53.3498, longitude: -6.2603 },
    },
  };
}

let root: Root | null = null;
afterEach(() => act(async () => root?.unmount()));

/** Takes over a page as the browser does, and answers with what React had to complain about. */
async function takeOver(path: string, state: SessionState, before?: (container: HTMLElement) => void) {
  const container = document.createElement('div');
  document.body.replaceChildren(container);
  container.innerHTML = pageAt(path).html;
  before?.(container);
  const services = elsewhere(state);
  const router = createAppRouter(services, { history: createMemoryHistory({ initialEntries: [path] }) });
  await router.load();
  const complaints: unknown[] = [];
  const said = vi.spyOn(console, 'error').mockImplementation((...line) => {
    // Here, as nowhere else, both renderers share one process.
    if (!String(line[0]).startsWith('Detected multiple renderers')) complaints.push(line);
  });
  await act(async () => {
    root = hydrateRoot(container, <App services={services} router={router} />, {
      onRecoverableError: (error) => void complaints.push(error),
    });
  });
  said.mockRestore();
  return { container, complaints };
}

describe('SHELL-2 pages that are rendered ahead', () => {
  it.each([
    ['/', 'Wardline'],
    ['/about', 'About - Wardline'],
    ['/contacts', 'Contacts - Wardline'],
    ['/403', 'Not allowed - Wardline'],
    ['/sign-in', 'Sign in - Wardline'],
    ['/sign-up', 'Sign up - Wardline'],
    ['/forgot-password', 'Forgot password - Wardline'],
  ])('SHELL-1 %s is titled %s', (path, title) => {
    expect(pageAt(path).title).toBe(title);
  });

  it.each(prerenderPaths)('A21 %s holds no script, no style and no handler, which the policy would refuse', (path) => {
    const { html } = pageAt(path);
    expect(html).toContain('<h1');
    expect(html).not.toMatch(/<script|<style|\sstyle=|\son\w+=|javascript:|<template/i);
  });

  it.each(prerenderPaths)(
    'SHELL-2 %s is taken over without a complaint where everything is another installation’s',
    async (path) => {
      const { complaints, container } = await takeOver(path, { status: 'signed-out', reason: 'initial' });
      expect(complaints).toEqual([]);
      expect(container.querySelector('h1')).not.toBeNull();
    },
  );

  it('SHELL-2 the true values follow at once', async () => {
    const { container } = await takeOver('/contacts', { status: 'signed-out', reason: 'initial' });
    expect(container.textContent).toContain('St. Brigid Chat');
    expect(container.querySelector('a[href="mailto:it@brigid.test"]')).not.toBeNull();
    expect(container.textContent).toContain('53.3498° N, 6.2603° W');
    expect(document.title).toBe('Contacts - St. Brigid Chat');
  });

  it('SHELL-2 a public page knows who is signed in once it is taken over', async () => {
    const { container, complaints } = await takeOver('/', { status: 'signed-in', user: anaUser, confirmed: true });
    expect(complaints).toEqual([]);
    expect(container.querySelector('header a[href="/dashboard"]')?.textContent).toBe('Open dashboard');
    expect(container.querySelector('a[href="/sign-in"]')).toBeNull();
  });

  it('SHELL-2 what was typed before survives', async () => {
    const { container, complaints } = await takeOver(
      '/contacts',
      { status: 'signed-out', reason: 'initial' },
      (page) => {
        for (const field of page.querySelectorAll<HTMLInputElement>('input, textarea'))
          field.value = `my ${field.name}`;
      },
    );
    const values = [...container.querySelectorAll<HTMLInputElement>('input, textarea')].map(({ value }) => value);
    expect(complaints).toEqual([]);
    expect(values).toEqual(['my name', 'my email', 'my message']);
  });

  it.each(['/contacts', '/sign-in', '/forgot-password'])(
    'SHELL-2 the form at %s cannot be sent before its code is there, and never into an address',
    async (path) => {
      const parsed = new DOMParser().parseFromString(pageAt(path).html, 'text/html');
      const form = parsed.querySelector('form');
      expect(form?.getAttribute('method')).toBe('post');
      expect(form?.querySelector<HTMLButtonElement>('[type="submit"]')?.disabled).toBe(true);
      const { container } = await takeOver(path, { status: 'signed-out', reason: 'initial' });
      expect(container.querySelector<HTMLButtonElement>('[type="submit"]')?.disabled).toBe(false);
    },
  );
});

it('F-U8 SHELL-2 the shell shows a frame in which nothing can be pressed and nothing is claimed', async () => {
  const html = await renderShell();
  expect(html).toContain('boot-frame');
  expect(html).not.toMatch(/<(a|button|input|h1)\b/);
  expect(html.replaceAll(/<[^>]*>/g, '').trim()).toBe('Loading');
});

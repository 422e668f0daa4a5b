// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, within } from '@testing-library/react';
import { checkConfig } from '@wardline/client/check-config.ts';
import { ConfigProblem } from '@wardline/client/config-problem.ts';
import { expect, it, vi } from 'vitest';
import { showStartFailure } from './show-start-failure.tsx';

it('CFG-1 SHELL-4 a wrong configuration stops the app with the error page that names all of it', async () => {
  const root = document.createElement('div');
  root.append('half a page');
  const given = { echo: { key: 'k', broadcaster: 'ably', port: 70_000 } };
  await act(async () => {
    try {
      checkConfig(given);
    } catch (error) {
      showStartFailure(root, error);
    }
  });
  const page = within(root);
  expect(page.getByRole('heading', { level: 1 }).textContent).toBe('Oops! An error occurred.');
  expect(page.getByText('Error details:').nextElementSibling?.textContent).toBe(
    [
      'Unsupported broadcaster: ably',
      '`echo.broadcaster` is "ably"; allowed: reverb or pusher',
      '`echo.port` is 70000; allowed: a whole number from 1 to 65535, or null for that of the page or the scheme',
    ].join('\n'),
  );
  expect(page.getByRole('link', { name: 'Go to homepage' }).getAttribute('href')).toBe('/');
  expect(root.textContent).not.toContain('half a page');
  expect(document.title).toBe('Error | Wardline');
});

it('F-C5 SHELL-4 a crawler keeps the page as it was rendered, whatever is wrong', () => {
  vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1)' });
  const root = document.createElement('div');
  root.append('the page');
  showStartFailure(root, new ConfigProblem('`echo.port` is 70000'));
  showStartFailure(root, new Error('no network'));
  vi.unstubAllGlobals();
  expect(root.textContent).toBe('the page');
});

it('SHELL-5 whatever else keeps the app from starting leaves a plain page', () => {
  const root = document.createElement('div');
  showStartFailure(root, new Error('no network'));
  expect(root.textContent).toBe('Wardline could not start. Check the connection. Load the page again.');
});

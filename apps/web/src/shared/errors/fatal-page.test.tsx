// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ProductNameContext } from '#/shared/navigation/page-title.ts';
import { FatalPage } from './fatal-page.tsx';

it('SHELL-4 a fatal error has its texts, its title and the way home', () => {
  render(
    <ProductNameContext value="St. Brigid Chat">
      <FatalPage error={new Error("Cannot read properties of undefined (reading 'head_seq')")} />
    </ProductNameContext>,
  );
  expect(document.title).toBe('Error | St. Brigid Chat');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Oops! An error occurred.');
  expect(screen.getByText('Error details:')).toBeTruthy();
  expect(screen.getByText("Cannot read properties of undefined (reading 'head_seq')")).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Go to homepage' }).getAttribute('href')).toBe('/');
});

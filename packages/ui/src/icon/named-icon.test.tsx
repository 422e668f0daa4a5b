// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NamedIcon } from '#/icon/named-icon.tsx';

const HEART = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h1"/></svg>';
const alive = new Map<string, Blob>();

beforeEach(() => {
  alive.clear();
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    const address = `blob:test/${alive.size + 1}`;
    alive.set(address, blob as Blob);
    return address;
  });
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation((address) => void alive.delete(address));
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const shown = (container: Element) => container.querySelector<HTMLElement>('.named-icon');

test('ICON-1 a named icon is drawn through a mask, and its text is never part of the page', async () => {
  const { container } = render(<NamedIcon svg={HEART} size="lg" />);
  const icon = shown(container);
  expect(icon?.style.maskImage).toBe('url("blob:test/1")');
  expect(icon?.className).toBe('i named-icon i-lg');
  expect(container.querySelector('svg, path')).toBeNull();
  const blob = alive.get('blob:test/1');
  expect([blob?.type, await blob?.text()]).toEqual(['image/svg+xml', HEART]);
});

test('ICON-1 a named icon keeps its place while its drawing is on its way, and gives its memory back', () => {
  const { container, rerender, unmount } = render(<NamedIcon svg={null} />);
  expect(shown(container)?.hasAttribute('data-drawn')).toBe(false);
  rerender(<NamedIcon svg={HEART} />);
  expect(shown(container)?.hasAttribute('data-drawn')).toBe(true);
  rerender(<NamedIcon svg={`${HEART} `} />);
  expect(alive.size).toBe(1);
  rerender(<NamedIcon svg={null} />);
  expect(shown(container)?.hasAttribute('data-drawn')).toBe(false);
  unmount();
  expect(alive.size).toBe(0);
});

test('SHELL-8 a named icon is decoration unless it has a label', () => {
  const { container } = render(
    <>
      <NamedIcon svg={HEART} />
      <NamedIcon svg={HEART} label="Cardiology" />
    </>,
  );
  expect(shown(container)?.getAttribute('aria-hidden')).toBe('true');
  expect(screen.getAllByRole('img')).toHaveLength(1);
  expect(screen.getByRole('img', { name: 'Cardiology' })).toBeDefined();
});

// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PanelBoundary } from './panel-boundary.tsx';

let isBroken = true;
function Fragile({ name }: { name: string }) {
  if (isBroken) throw new Error(`${name} has no beds`);
  return <p>Beds of {name}</p>;
}

// React says each caught error in the console.
beforeEach(() => {
  isBroken = true;
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => void vi.restoreAllMocks());

describe('a panel that breaks', () => {
  it('SHELL-4 says so in its own frame, and the rest of the page lives', () => {
    render(
      <>
        <PanelBoundary frame={(failure) => <section aria-label="Units">{failure}</section>}>
          <Fragile name="MED 3A" />
        </PanelBoundary>
        <PanelBoundary>
          <p>Chats</p>
        </PanelBoundary>
      </>,
    );
    const panel = screen.getByRole('region', { name: 'Units' });
    expect(panel.querySelector('h2')?.textContent).toBe('This part of the page failed');
    expect(panel.textContent).toContain('MED 3A has no beds');
    expect(screen.getByText('Chats')).toBeTruthy();
  });

  it('SHELL-4 is drawn again by Retry, and stays broken where it breaks again', () => {
    render(
      <PanelBoundary>
        <Fragile name="MED 3A" />
      </PanelBoundary>,
    );
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(screen.getByRole('alert')).toBeTruthy();
    isBroken = false;
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(screen.getByText('Beds of MED 3A')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('SHELL-4 is tried again when it is about another thing, not when it is merely drawn again', () => {
    const panel = (name: string) => (
      <PanelBoundary of={name}>
        <Fragile name={name} />
      </PanelBoundary>
    );
    const { rerender } = render(panel('MED 3A'));
    isBroken = false;
    rerender(panel('MED 3A'));
    expect(screen.getByRole('alert')).toBeTruthy();
    rerender(panel('MED 3B'));
    expect(screen.getByText('Beds of MED 3B')).toBeTruthy();
  });
});

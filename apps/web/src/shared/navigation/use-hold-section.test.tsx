// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, render } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { stubResizeObserver } from '#/testing/stub-resize-observer.ts';
import { useHoldSection } from './use-hold-section.ts';

let seen: string[];
let resize: () => void;
beforeEach(() => {
  seen = [];
  ({ resize } = stubResizeObserver());
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    seen.push(this.id);
  });
});

function Parts({ named }: { named: string }) {
  useHoldSection(named);
  return (
    <main>
      <section id="people" />
      <section id="roles" />
    </main>
  );
}

describe('the part that the address names', () => {
  it('NAV-9 is brought into view, and stays there while what stands above it comes in', () => {
    render(<Parts named="roles" />);
    expect(seen).toEqual(['roles']);
    resize();
    expect(seen).toEqual(['roles', 'roles']);
  });

  it.each(['wheel', 'touchStart', 'pointerDown', 'keyDown'] as const)(
    'NAV-9 is let go once a person moves: %s',
    (event) => {
      render(<Parts named="roles" />);
      fireEvent[event](window);
      resize();
      expect(seen).toEqual(['roles']);
    },
  );

  it('NAV-9 is another one by another address, and none where it names none', () => {
    const { rerender } = render(<Parts named="" />);
    expect(seen).toEqual([]);
    rerender(<Parts named="nothing" />);
    expect(seen).toEqual([]);
    rerender(<Parts named="people" />);
    expect(seen).toEqual(['people']);
  });
});

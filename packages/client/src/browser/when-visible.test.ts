import { expect, it, vi } from 'vitest';
import { createVisibilityWatch } from './when-visible.ts';

function setUp() {
  const observed = new Set<Element>();
  let tell: IntersectionObserverCallback = () => undefined;
  class Observer {
    constructor(callback: IntersectionObserverCallback) {
      tell = callback;
    }
    observe = (element: Element) => void observed.add(element);
    unobserve = (element: Element) => void observed.delete(element);
  }
  let becomeIdle: () => void = () => undefined;
  const watch = createVisibilityWatch({
    Observer: Observer as unknown as typeof IntersectionObserver,
    whenIdle: (work) => {
      becomeIdle = work;
    },
  });
  const show = (target: Element, isIntersecting = true) =>
    tell([{ target, isIntersecting } as IntersectionObserverEntry], {} as IntersectionObserver);
  return { watch, observed, show, becomeIdle: () => becomeIdle() };
}

const element = () => ({}) as Element;

it('PRE-1 a link is told once that it is on the screen, and is not looked at any more', () => {
  const { watch, observed, show, becomeIdle } = setUp();
  const link = element();
  const onVisible = vi.fn();
  watch.watch(link, onVisible);
  becomeIdle();
  show(link, false);
  expect(onVisible).not.toHaveBeenCalled();
  show(link);
  show(link);
  expect(onVisible).toHaveBeenCalledTimes(1);
  expect(observed.size).toBe(0);
});

it('PRE-1 nothing is looked at before the page is idle; later links at once', () => {
  const { watch, observed, becomeIdle } = setUp();
  watch.watch(element(), () => undefined);
  watch.watch(element(), () => undefined);
  expect(observed.size).toBe(0);
  becomeIdle();
  expect(observed.size).toBe(2);
  watch.watch(element(), () => undefined);
  expect(observed.size).toBe(3);
});

it('PRE-1 a link that goes before it was seen is forgotten', () => {
  const { watch, observed, show, becomeIdle } = setUp();
  const link = element();
  const onVisible = vi.fn();
  const undo = watch.watch(link, onVisible);
  becomeIdle();
  undo();
  show(link);
  expect(onVisible).not.toHaveBeenCalled();
  expect(observed.size).toBe(0);
});

it('PRE-1 a browser that cannot tell what is on the screen preloads nothing by it', () => {
  const onVisible = vi.fn();
  const undo = createVisibilityWatch({ Observer: undefined, whenIdle: (work) => work() }).watch(element(), onVisible);
  undo();
  expect(onVisible).not.toHaveBeenCalled();
});

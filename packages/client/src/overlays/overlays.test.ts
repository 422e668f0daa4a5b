import { describe, expect, it, vi } from 'vitest';
import { settle } from '#/testing/settle.ts';
import type { OverlayControl } from './overlay.ts';
import type { OverlayHistory } from './overlay-history.ts';
import { createOverlays } from './overlays.ts';

interface ConfirmProps {
  readonly title: string;
  readonly detail?: string;
  readonly overlay: OverlayControl<boolean>;
}
const Confirm = (_props: ConfirmProps): null => null;

function setUp() {
  const depths: number[] = [];
  let goBack: (depth: number) => void = () => undefined;
  const history: OverlayHistory = {
    setDepth: (depth) => void depths.push(depth),
    onBack: (listener) => {
      goBack = listener;
      return () => undefined;
    },
  };
  const overlays = createOverlays({ history });
  const shown = () =>
    overlays.get().map(({ props, overlay }) => `${props['title']} ${overlay.isOpen ? 'open' : 'leaving'}`);
  return { overlays, shown, depths, goBack: (depth: number) => goBack(depth) };
}

/** What a promise came to, or 'pending'. */
const stateOf = <Value>(promise: Promise<Value>): Promise<Value | 'pending'> =>
  Promise.race([promise, settle().then(() => 'pending' as const)]);

describe('opening and closing', () => {
  it('OVERLAY-1 what is created is not drawn before it is opened, then with all its props', () => {
    const { overlays } = setUp();
    const confirm = overlays.create(Confirm, { props: { title: 'Discard?' } });
    expect(overlays.get()).toEqual([]);
    expect(overlays.isOpen(confirm.id)).toBe(false);
    void confirm.open({ detail: 'It cannot be undone.' });
    expect(overlays.get()).toEqual([
      {
        id: confirm.id,
        component: Confirm,
        props: { title: 'Discard?', detail: 'It cannot be undone.' },
        overlay: expect.objectContaining({ isOpen: true }),
      },
    ]);
    expect(overlays.isOpen(confirm.id)).toBe(true);
  });

  it('OVERLAY-1 closing resolves the promise with the result at once, and stays drawn for the leave', async () => {
    const { overlays, shown } = setUp();
    const confirm = overlays.create(Confirm, { props: { title: 'a' } });
    const answer = confirm.open();
    confirm.close(true);
    expect(await stateOf(answer)).toBe(true);
    expect(shown()).toEqual(['a leaving']);
    overlays.afterLeave(confirm.id);
    expect(shown()).toEqual([]);
  });

  it('OVERLAY-1 what is drawn closes itself with a result', async () => {
    const { overlays } = setUp();
    const answer = overlays.create(Confirm, { props: { title: 'a' } }).open();
    overlays.get()[0]?.overlay.close(false);
    expect(await stateOf(answer)).toBe(false);
  });

  it('OVERLAY-1 a dismissal resolves with undefined, and only after the leave', async () => {
    const { overlays, shown } = setUp();
    const answer = overlays.create(Confirm, { props: { title: 'a' } }).open();
    const [entry] = overlays.get();
    entry?.overlay.dismiss();
    expect(shown()).toEqual(['a leaving']);
    expect(await stateOf(answer)).toBe('pending');
    entry?.overlay.afterLeave();
    expect(await stateOf(answer)).toBeUndefined();
    expect(shown()).toEqual([]);
  });

  it('OVERLAY-1 opening again settles the earlier promise with undefined and begins with the first props', async () => {
    const { overlays } = setUp();
    const confirm = overlays.create(Confirm, { props: { title: 'a' } });
    const first = confirm.open({ title: 'b', detail: 'c' });
    const second = confirm.open();
    expect(await stateOf(first)).toBeUndefined();
    expect(await stateOf(second)).toBe('pending');
    expect(overlays.get().map((entry) => entry.props)).toEqual([{ title: 'a' }]);
    confirm.close(true);
    expect(await stateOf(second)).toBe(true);
  });

  it('OVERLAY-1 one that is opened again while it leaves stays', async () => {
    const { overlays, shown } = setUp();
    const confirm = overlays.create(Confirm, { props: { title: 'a' } });
    void confirm.open();
    overlays.dismiss(confirm.id);
    const again = confirm.open();
    overlays.afterLeave(confirm.id);
    expect(shown()).toEqual(['a open']);
    expect(await stateOf(again)).toBe('pending');
  });

  it('OVERLAY-1 they lie over each other in the order of opening, and all close together', async () => {
    const { overlays, shown } = setUp();
    const [a, b] = ['a', 'b'].map((title) => overlays.create(Confirm, { props: { title } }));
    const answers = [b?.open(), a?.open()];
    expect(shown()).toEqual(['b open', 'a open']);
    void b?.open();
    expect(shown()).toEqual(['a open', 'b open']);
    overlays.closeAll();
    expect(shown()).toEqual(['a leaving', 'b leaving']);
    expect(await Promise.all(answers)).toEqual([undefined, undefined]);
  });

  it('OVERLAY-1 one may be open from the start', () => {
    const { overlays, shown } = setUp();
    overlays.create(Confirm, { props: { title: 'a' }, defaultOpen: true });
    expect(shown()).toEqual(['a open']);
  });

  it('OVERLAY-1 a patch changes a part of the props while it is open', () => {
    const { overlays } = setUp();
    const confirm = overlays.create(Confirm, { props: { title: 'a', detail: 'b' } });
    void confirm.open();
    confirm.patch({ detail: 'c' });
    expect(overlays.get()[0]?.props).toEqual({ title: 'a', detail: 'c' });
  });

  it('OVERLAY-1 unmounting takes it away at once and settles its promise', async () => {
    const { overlays, shown } = setUp();
    const confirm = overlays.create(Confirm, { props: { title: 'a' } });
    const answer = confirm.open();
    overlays.unmount(confirm.id);
    expect(shown()).toEqual([]);
    expect(overlays.isOpen(confirm.id)).toBe(false);
    expect(await stateOf(answer)).toBeUndefined();
  });
});

describe('an unknown id', () => {
  it('OVERLAY-1 one that is destroyed on close is unknown after its leave', () => {
    const { overlays } = setUp();
    const confirm = overlays.create(Confirm, { props: { title: 'a' }, destroyOnClose: true });
    void confirm.open();
    const [entry] = overlays.get();
    confirm.close(true);
    expect(overlays.isOpen(confirm.id)).toBe(false);
    entry?.overlay.afterLeave();
    expect(() => confirm.open()).toThrow('Overlay not found');
    expect(() => confirm.close()).toThrow('Overlay not found');
    expect(() => confirm.patch({})).toThrow('Overlay not found');
    entry?.overlay.afterLeave();
    entry?.overlay.close();
    entry?.overlay.dismiss();
  });

  it('OVERLAY-1 fails with Overlay not found wherever it is handed over', () => {
    const { overlays } = setUp();
    const calls = [
      () => overlays.open('x'),
      () => overlays.close('x'),
      () => overlays.dismiss('x'),
      () => overlays.patch('x', {}),
      () => overlays.unmount('x'),
      () => overlays.isOpen('x'),
      () => overlays.afterLeave('x'),
    ];
    for (const call of calls) expect(call).toThrow('Overlay not found');
  });
});

describe('Back', () => {
  it('OVERLAY-1 closes the top one, which is told undefined after its leave', async () => {
    const { overlays, shown, goBack } = setUp();
    const lower = overlays.create(Confirm, { props: { title: 'a' } }).open();
    const upper = overlays.create(Confirm, { props: { title: 'b' } });
    const answer = upper.open();
    goBack(1);
    expect(shown()).toEqual(['a open', 'b leaving']);
    overlays.afterLeave(upper.id);
    expect(await stateOf(answer)).toBeUndefined();
    expect(await stateOf(lower)).toBe('pending');
  });

  it('OVERLAY-1 the history is told how many are open, and one that leaves is not counted', () => {
    const { overlays, depths } = setUp();
    const a = overlays.create(Confirm, { props: { title: 'a' } });
    const b = overlays.create(Confirm, { props: { title: 'b' } });
    void a.open();
    void b.open();
    a.close();
    overlays.afterLeave(a.id);
    b.close();
    expect(depths).toEqual([1, 2, 1, 1, 0]);
  });

  it('OVERLAY-1 a result that is given while the page is being left still counts', async () => {
    const { overlays, goBack } = setUp();
    const confirm = overlays.create(Confirm, { props: { title: 'a' } });
    const answer = confirm.open();
    goBack(0);
    confirm.close(true);
    expect(await stateOf(answer)).toBe(true);
  });
});

it('OVERLAY-1 whoever draws is told of every change', () => {
  const { overlays } = setUp();
  const told = vi.fn();
  overlays.subscribe(told);
  const confirm = overlays.create(Confirm, { props: { title: 'a' } });
  void confirm.open();
  confirm.patch({ title: 'b' });
  confirm.close();
  expect(told).toHaveBeenCalledTimes(3);
});

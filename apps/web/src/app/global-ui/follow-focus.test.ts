// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { followFocus, KEPT_AFTER_MS, LEADS_FOR_MS } from './follow-focus.ts';

const tick = () => vi.advanceTimersByTimeAsync(0);
const focused = () => document.activeElement?.textContent;
const named = (name: string) => document.querySelector<HTMLElement>(`[name="${name}"]`);

function world() {
  let tell = (_told: unknown): void => undefined;
  const subscribe = (_type: string, listener: (told: unknown) => void) => {
    tell = listener;
    return () => {
      tell = () => undefined;
    };
  };
  const stop = followFocus({ subscribe } as never);
  const go = (change: object = {}) =>
    tell({ fromLocation: {}, pathChanged: true, toLocation: { hash: '' }, ...change });
  return { go, stop };
}

describe('SHELL-7 the focus after a navigation', () => {
  let at: ReturnType<typeof world>;
  beforeEach(() => {
    vi.useFakeTimers();
    document.body.innerHTML = '<nav><a href="/census" name="link">Census</a></nav><div id="page"></div>';
    named('link')?.focus();
    at = world();
  });
  afterEach(() => {
    at.stop();
    vi.useRealTimers();
  });
  const draw = (html: string) => {
    const page = document.querySelector('#page');
    if (page) page.innerHTML = html;
  };

  it('goes to the heading of the page', () => {
    draw('<main><h1>Census</h1></main>');
    at.go({ fromLocation: undefined });
    at.go({ pathChanged: false });
    at.go({ toLocation: { hash: 'row' } });
    expect(focused()).toBe('Census');
    expect(document.activeElement?.tagName).toBe('A');
    at.go();
    expect(document.activeElement?.tagName).toBe('H1');
  });

  it('waits for a heading whose code is still on its way, and goes to it again where it is drawn anew', async () => {
    at.go();
    draw('<main><p>Loading</p></main>');
    await tick();
    expect(focused()).toBe('Census');
    draw('<main><h1>Handovers</h1></main>');
    await tick();
    expect(focused()).toBe('Handovers');
    draw('<main><h1>Handovers of MED 3A</h1></main>');
    await tick();
    expect(focused()).toBe('Handovers of MED 3A');
  });

  it('goes to the pane that was opened beside a chat, and to the chat once that is closed', async () => {
    const panes = (active: string, detail: string) =>
      draw(
        `<main data-active="${active}"><h1>Edith</h1><section class="pane-list"><h2>All</h2></section>` +
          `<section class="pane-chat"><h2>The chat</h2></section>${detail}</main>`,
      );
    panes('detail', '<section class="pane-detail"></section>');
    at.go();
    await tick();
    expect(focused()).toBe('Census');
    panes('detail', '<section class="pane-detail"><h2>Renal profile</h2></section>');
    await tick();
    expect(focused()).toBe('Renal profile');
    panes('chat', '');
    at.go();
    expect(focused()).toBe('The chat');
    panes('list', '');
    at.go();
    expect(focused()).toBe('Edith');
  });

  it('leaves it where the page or somebody has put it meanwhile', async () => {
    draw('<main><h1>Edith</h1><textarea name="box"></textarea><button name="more">More</button></main>');
    named('box')?.focus();
    at.go();
    expect(document.activeElement).toBe(named('box'));
    named('link')?.focus();
    at.go();
    named('more')?.focus();
    document.querySelector('h1')?.remove();
    await tick();
    document.querySelector('main')?.prepend(document.createElement('h1'));
    await tick();
    expect(document.activeElement).toBe(named('more'));
  });

  it('takes it no more after a while, nor after its end', async () => {
    at.go();
    await vi.advanceTimersByTimeAsync(LEADS_FOR_MS);
    draw('<main><h1>Late</h1></main>');
    await tick();
    expect(focused()).toBe('Census');
    draw('');
    at.go();
    at.stop();
    draw('<main><h1>Later</h1></main>');
    await tick();
    expect(focused()).toBe('Census');
  });

  const remove = async (name: string) => {
    named(name)?.focus();
    named(name)?.remove();
    await vi.advanceTimersByTimeAsync(KEPT_AFTER_MS);
  };

  it('goes to the heading around what had it where that is taken away, as by a button that does away with itself', async () => {
    draw(
      '<main><h1>Edith</h1><button name="in-page"></button><section class="pane"><h2>Renal profile</h2>' +
        '<p><button name="in-pane"></button></p></section>' +
        '<div role="dialog"><h2>Pinned</h2><button name="in-dialog"></button></div></main>',
    );
    await remove('in-pane');
    expect(focused()).toBe('Renal profile');
    await remove('in-page');
    expect(focused()).toBe('Edith');
    await remove('in-dialog');
    expect(document.activeElement?.getAttribute('role')).toBe('dialog');
  });

  it('goes to the page where a menu had it, which stands beside the page', async () => {
    draw('<main data-active="detail"><h1>Edith</h1><section class="pane pane-detail"><p>On paper</p></section></main>');
    document.body.insertAdjacentHTML('beforeend', '<div><button name="item"></button></div>');
    named('item')?.focus();
    named('item')?.parentElement?.remove();
    await vi.advanceTimersByTimeAsync(KEPT_AFTER_MS);
    expect(document.activeElement?.className).toContain('pane-detail');
    draw('<main><h1>Census</h1></main>');
    await remove('link');
    expect(focused()).toBe('Census');
  });

  it('stays where whoever took it away has put it, and nowhere where there is no page', async () => {
    draw('<main><h1>Edith</h1><button name="cancel"></button><textarea name="box"></textarea></main>');
    named('cancel')?.focus();
    named('cancel')?.remove();
    await tick();
    named('box')?.focus();
    await vi.advanceTimersByTimeAsync(KEPT_AFTER_MS);
    expect(document.activeElement).toBe(named('box'));
    draw('');
    await remove('link');
    expect(document.activeElement).toBe(document.body);
  });

  it('of a navigation whose page is still on its way it goes to that page’s heading', async () => {
    draw('<main><h1>Edith</h1><a href="/handovers" name="list"></a></main>');
    named('list')?.focus();
    document.querySelector('h1')?.remove();
    named('list')?.remove();
    at.go();
    await vi.advanceTimersByTimeAsync(KEPT_AFTER_MS);
    expect(document.activeElement).toBe(document.body);
    draw('<main><h1>Hand-overs</h1></main>');
    await tick();
    expect(focused()).toBe('Hand-overs');
  });
});

// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { Pane, PaneHead, type PaneName, Panes } from '#/panes/panes.tsx';

afterEach(cleanup);

function renderPanes(active: PaneName, hasDetail: boolean) {
  const pane = (name: PaneName) => (
    <Pane name={name} label={name}>
      <PaneHead title={name} />
    </Pane>
  );
  render(
    <Panes
      title="Chats"
      active={active}
      list={pane('list')}
      chat={pane('chat')}
      detail={hasDetail ? pane('detail') : undefined}
    />,
  );
  return screen.getByRole('main');
}

test('SHELL-8: a page of panes has one h1 whichever pane is in view, and a named region for each pane', () => {
  renderPanes('detail', true);
  expect(screen.getAllByRole('heading', { level: 1 }).map((heading) => heading.textContent)).toEqual(['Chats']);
  expect(screen.getAllByRole('region').map((region) => region.getAttribute('aria-label'))).toEqual([
    'list',
    'chat',
    'detail',
  ]);
});

test('SHELL-7: a pane can be given the focus, and is no stop of the Tab key', () => {
  renderPanes('chat', false);
  const pane = screen.getByRole('region', { name: 'chat' });
  pane.focus();
  expect(document.activeElement).toBe(pane);
  expect(pane.tabIndex).toBe(-1);
});

test('SHELL-8: without a detail the chat stays in view when the detail was asked for', () => {
  expect(renderPanes('detail', false).getAttribute('data-active')).toBe('chat');
});

test('CHAT-10 what says who a patient is stands whole under the title, any other context is one line', () => {
  const { rerender } = render(<PaneHead title="Edith Maron" context="MRN 40-118-236" isContextWhole />);
  expect(screen.getByText('MRN 40-118-236').className).toBe('pane-whole');
  rerender(<PaneHead title="Team" context="6 people" />);
  expect(screen.getByText('6 people').className).toBe('clip');
});

// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { MessageRow } from './message-row.tsx';

afterEach(cleanup);

const time = { label: '00:37', dateTime: '2026-11-20T00:37:00Z' };

test('SHELL-8: a failed row says so in words and not by colour alone, says why, and offers the cure', () => {
  render(
    <MessageRow
      time={time}
      isOwn
      state={{ kind: 'failed', word: 'Not sent', why: 'Too large.', actions: <button type="button">Retry</button> }}
    >
      <p className="m-text">Strip.</p>
    </MessageRow>,
  );
  const row = screen.getByRole('article');
  expect(row.className).toBe('m is-own is-failed');
  expect(row.textContent).toBe('00:37Strip.Not sentToo large.Retry');
  expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined();
});

test('SHELL-8: name and role are said once for a group, and every row keeps its time', () => {
  const sender = { avatar: <span>LH</span>, name: 'Leila Haddad', role: 'Staff nurse' };
  const { container } = render(
    <>
      <MessageRow time={time} sender={sender}>
        <p className="m-text">One.</p>
      </MessageRow>
      <MessageRow time={time}>
        <p className="m-text">Two.</p>
      </MessageRow>
    </>,
  );
  const [first, second] = container.querySelectorAll('article');
  expect(first?.querySelectorAll('time')).toHaveLength(1);
  expect(first?.textContent).toContain('Leila HaddadStaff nurse00:37');
  expect(second?.querySelector('.m-margin time')?.getAttribute('datetime')).toBe(time.dateTime);
  expect(second?.textContent).not.toContain('Leila');
});

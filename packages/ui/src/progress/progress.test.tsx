// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { Progress } from '#/progress/progress.tsx';

afterEach(cleanup);

it('PROG-1 a known progress says its number, its bounds and its state', () => {
  render(<Progress value={3} max={8} label="Reading October" hasStatus />);
  const bar = screen.getByRole('progressbar', { name: '38 %' });
  expect(bar.getAttribute('aria-valuemin')).toBe('0');
  expect(bar.getAttribute('aria-valuemax')).toBe('8');
  expect(bar.getAttribute('aria-valuenow')).toBe('3');
  expect(bar.dataset).toMatchObject({ state: 'loading', value: '3', max: '8' });
  expect(bar.querySelector('span')?.style.transform).toBe('translateX(-62%)');
  expect(screen.getByText('38 %')).toBeDefined();
  expect(document.getElementById(bar.getAttribute('aria-describedby') ?? '')?.textContent).toBe('Reading October');
});

it('PROG-1 a progress that nobody knows has no number and no status', () => {
  render(<Progress value={null} hasStatus />);
  const bar = screen.getByRole('progressbar', { name: 'In progress' });
  expect(bar.hasAttribute('aria-valuenow')).toBe(false);
  expect(bar.hasAttribute('data-value')).toBe(false);
  expect(bar.dataset['state']).toBe('indeterminate');
  expect(document.body.textContent).toBe('');
});

it('PROG-1 an invalid value is reported once, in the console unless told otherwise', () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const report = vi.fn();
  const { rerender } = render(<Progress value={-1} report={report} />);
  rerender(<Progress value={-1} report={report} />);
  expect(report).toHaveBeenCalledOnce();
  expect(error).not.toHaveBeenCalled();
  render(<Progress value={-1} max={0} />);
  expect(error.mock.calls.map(([text]) => String(text).slice(0, 40))).toEqual([
    'Invalid prop `max` of value `0` supplied',
    'Invalid prop `value` of value `-1` suppl',
  ]);
  error.mockRestore();
});

it('UI-2 a long work can be cancelled', () => {
  const onCancel = vi.fn();
  render(<Progress value={10} label="Uploading scan.pdf" onCancel={onCancel} />);
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(onCancel).toHaveBeenCalledExactlyOnceWith();
});

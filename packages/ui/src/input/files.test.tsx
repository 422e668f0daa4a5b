// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { AvatarEditor } from '#/avatar/avatar-editor.tsx';
import { FileDrop } from '#/input/file-drop.tsx';

afterEach(cleanup);

const first = new File(['1'], 'first.csv');
const second = new File(['2'], 'second.csv');

function filePicker(): HTMLInputElement {
  const input = document.querySelector<HTMLInputElement>('input[type="file"]');
  if (!input) throw new Error('no file input');
  return input;
}

function drop(files: readonly File[]): void {
  const place = document.querySelector('.drop') ?? document.body;
  fireEvent.dragOver(place);
  expect(place.className).toContain('is-over');
  fireEvent.drop(place, { dataTransfer: { files } });
  expect(place.className).not.toContain('is-over');
}

it('SHELL-7 files come by the button, for those who do not drag, and by dropping', () => {
  const onFiles = vi.fn();
  render(<FileDrop label="Drop the sheet here" help="CSV up to 5 MB." isMultiple onFiles={onFiles} />);
  const picker = vi.spyOn(filePicker(), 'click');
  const button = screen.getByRole('button', { name: 'Choose a file' });
  fireEvent.click(button);
  expect(picker).toHaveBeenCalledOnce();
  expect(document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent).toBe('CSV up to 5 MB.');
  drop([first, second]);
  expect(onFiles).toHaveBeenCalledExactlyOnceWith([first, second]);
});

it('SHELL-8 of several files dropped where one is wanted the first is taken, and what is wrong is said', () => {
  const onFiles = vi.fn();
  render(<FileDrop label="Drop the sheet here" error="That is no CSV." onFiles={onFiles} />);
  drop([first, second]);
  expect(onFiles).toHaveBeenCalledExactlyOnceWith([first]);
  expect(screen.getByRole('alert').textContent).toBe('That is no CSV.');
});

it('SHELL-8 nothing is taken while it is off, and nothing is no file', () => {
  const onFiles = vi.fn();
  const { rerender } = render(<FileDrop label="Drop" isDisabled onFiles={onFiles} />);
  fireEvent.drop(document.querySelector('.drop') ?? document.body, { dataTransfer: { files: [first] } });
  rerender(<FileDrop label="Drop" onFiles={onFiles} />);
  drop([]);
  expect(onFiles).not.toHaveBeenCalled();
});

it('UI-2 a picture on its way shows how far it is and can be stopped, and is not changed meanwhile', () => {
  const onCancel = vi.fn();
  const editor = (upload?: { percent: number; onCancel: () => void }) => (
    <AvatarEditor name="Ana Reyes" onFile={vi.fn()} onRemove={vi.fn()} upload={upload} />
  );
  const { rerender } = render(editor({ percent: 40, onCancel }));
  expect(screen.getByRole('progressbar', { name: '40 %' })).toBeDefined();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Change picture' }).disabled).toBe(true);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Remove picture' }).disabled).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(onCancel).toHaveBeenCalledOnce();
  rerender(editor());
  expect(screen.queryByRole('progressbar')).toBeNull();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Change picture' }).disabled).toBe(false);
});

it('SHELL-8 a picture that is dropped is taken as one that is chosen, not while another is on its way', () => {
  const onFile = vi.fn();
  const { rerender } = render(<AvatarEditor name="Ana Reyes" onFile={onFile} />);
  const dropPicture = () =>
    fireEvent.drop(document.querySelector('.avatar-editor') ?? document.body, { dataTransfer: { files: [first] } });
  dropPicture();
  expect(onFile).toHaveBeenCalledExactlyOnceWith(first);
  rerender(<AvatarEditor name="Ana Reyes" onFile={onFile} upload={{ percent: null, onCancel: vi.fn() }} />);
  dropPicture();
  expect(onFile).toHaveBeenCalledOnce();
});

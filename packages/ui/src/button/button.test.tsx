// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { Printer } from 'lucide-react';
import { afterEach, expect, test, vi } from 'vitest';
import { Button } from '#/button/button.tsx';

afterEach(cleanup);

test('UI-1: a button is medium, primary and solid, and submits nothing unless told to', () => {
  render(<Button>Sign</Button>);
  const button = screen.getByRole('button', { name: 'Sign' });
  expect(button.className).toBe('btn btn-solid');
  expect(button.getAttribute('type')).toBe('button');
});

test('UI-1: size, colour and variant each show in the look', () => {
  render(
    <Button size="xl" color="error" variant="outline">
      Delete
    </Button>,
  );
  expect(screen.getByRole('button').className).toBe('btn btn-outline is-error btn-xl');
});

test('UI-1: a loading button is busy, keeps its words and its focus, and takes no click', () => {
  const onClick = vi.fn();
  const onSubmit = vi.fn((event: { preventDefault: () => void }) => event.preventDefault());
  const form = (isLoading: boolean) => (
    <form onSubmit={onSubmit}>
      <Button type="submit" isLoading={isLoading} onClick={onClick}>
        Signing
      </Button>
    </form>
  );
  const { rerender } = render(form(true));
  const button = screen.getByRole('button', { name: 'Signing' });
  button.focus();
  fireEvent.click(button);
  expect(button.getAttribute('aria-busy')).toBe('true');
  expect(button.querySelector('.spin')).not.toBeNull();
  expect(document.activeElement).toBe(button);
  expect(onClick).not.toHaveBeenCalled();
  expect(onSubmit).not.toHaveBeenCalled();

  rerender(form(false));
  fireEvent.click(button);
  expect(button.hasAttribute('aria-busy')).toBe(false);
  expect(onClick).toHaveBeenCalledOnce();
  expect(onSubmit).toHaveBeenCalledOnce();
});

test('UI-1: a button without words has its label as its name', () => {
  render(<Button iconOnly icon={Printer} label="Print" />);
  expect(screen.getByRole('button', { name: 'Print' }).className).toContain('btn-icon');
});

test('UI-1: the look of a button goes onto a link, which stays a link', () => {
  render(
    <Button asChild icon={Printer} variant="outline">
      <a href="/print">Print the sheet</a>
    </Button>,
  );
  const link = screen.getByRole('link', { name: 'Print the sheet' });
  expect(link.getAttribute('href')).toBe('/print');
  expect(link.hasAttribute('type')).toBe(false);
  expect(link.className).toContain('btn-outline');
  expect(link.querySelector('svg')).not.toBeNull();
});

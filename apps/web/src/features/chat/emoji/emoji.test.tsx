// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { EmojiDialog } from './emoji-dialog.tsx';
import { emojiGroups, findEmoji } from './emoji-groups.ts';

describe('emoji by group and name', () => {
  it('CHAT-22 holds each emoji once, in groups that begin where they should', () => {
    const all = emojiGroups.flatMap(({ emoji }) => emoji.map(({ sign }) => sign));
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeGreaterThan(1800);
    for (const { first, emoji } of emojiGroups) expect(emoji[0]?.sign).toBe(first);
    expect(emojiGroups.every(({ emoji }) => emoji.length > 50)).toBe(true);
    expect(all).toContain('🩻');
  });

  it.each([
    ['thumbs up', '👍'],
    ['Thumbs  UP', '👍'],
    ['sick sneeze', '🤧'],
    ['lungs', '🫁'],
    ['hospital', '🏥'],
  ])('CHAT-22 finds %s by its name or what else it is called', (search, sign) => {
    expect(findEmoji(search)[0]?.sign).toBe(sign);
  });

  it('CHAT-22 finds nothing for what is no emoji, and never more than a page', () => {
    expect(findEmoji('qqq')).toEqual([]);
    expect(findEmoji('a')).toHaveLength(96);
  });
});

function open(written = 'On my way') {
  const onClose = vi.fn();
  const inserted: string[] = [];
  render(<textarea defaultValue={written} />);
  const textarea = document.querySelector('textarea') as HTMLTextAreaElement;
  document.execCommand = (_insertText, _shows, text = '') => {
    if (document.activeElement === textarea) inserted.push(text);
    return true;
  };
  render(<EmojiDialog box={() => textarea} onClose={onClose} />);
  return { onClose, inserted, textarea };
}
const cells = () => screen.getAllByRole('gridcell');

describe('the picker', () => {
  it('CHAT-22 what is pressed goes to where one writes, and the focus with it', async () => {
    const { onClose, inserted } = open();
    fireEvent.click(
      within(screen.getByRole('grid', { name: 'Smileys' })).getByRole('gridcell', { name: 'grinning face' }),
    );
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(inserted).toEqual(['😀']);
  });

  it('CHAT-22 is walked by arrows, eight in a row, and chosen by Enter', async () => {
    const { inserted } = open();
    fireEvent.click(screen.getByRole('radio', { name: 'People' }));
    const people = emojiGroups[1]?.emoji ?? [];
    const [first] = cells();
    expect(cells().filter(({ tabIndex }) => tabIndex === 0)).toEqual([first]);
    first?.focus();
    fireEvent.keyDown(first as HTMLElement, { key: 'ArrowDown' });
    fireEvent.keyDown(document.activeElement as HTMLElement, { key: 'ArrowRight' });
    expect(document.activeElement?.textContent).toBe(people[9]?.sign);
    fireEvent.keyDown(document.activeElement as HTMLElement, { key: 'Enter' });
    await waitFor(() => expect(inserted).toEqual([people[9]?.sign]));
  });

  it('CHAT-22 Enter in the search takes the first that is found; a group ends the search', async () => {
    const { inserted } = open();
    const search = screen.getByRole('searchbox');
    fireEvent.change(search, { target: { value: 'qqq' } });
    expect(await screen.findByText('No emoji has this name')).toBeTruthy();
    fireEvent.keyDown(search, { key: 'Enter' });
    fireEvent.click(screen.getByRole('radio', { name: 'Flags' }));
    expect((search as HTMLInputElement).value).toBe('');
    fireEvent.change(search, { target: { value: 'thumbs up' } });
    await screen.findByRole('grid', { name: 'Found' });
    fireEvent.keyDown(search, { key: 'Enter' });
    await waitFor(() => expect(inserted).toEqual(['👍']));
  });

  it('CHAT-22 closed without a choice it leaves the text as it is', async () => {
    const { onClose, inserted } = open();
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(inserted).toEqual([]);
  });
});

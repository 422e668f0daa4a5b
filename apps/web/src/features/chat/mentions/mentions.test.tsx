// @vitest-environment happy-dom
import '#/testing/dom.ts';
import 'fake-indexeddb/auto';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createSharedOutbox } from '@wardline/client/outbox/shared-outbox.ts';
import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import { createMemoryStore } from '@wardline/client/store/memory-store.ts';
import { openDeviceStore } from '@wardline/client/store/open-device-store.ts';
import { createSilentLog } from '@wardline/client/testing/silent-log.ts';
import type { Mention } from '@wardline/contract/chat/chat.ts';
import { type ChatRole, listChatRoles } from '@wardline/contract/chat/chat-roles.ts';
import { IDBFactory } from 'fake-indexeddb';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Composer, type ComposerProps } from '#/features/chat/composer/composer.tsx';
import { openDrafts } from '#/features/chat/drafts/draft-store.ts';
import { MessageText } from '#/features/chat/message-text/message-text.tsx';
import { DeviceContext } from '#/shared/contexts/device-context.ts';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { ana, edith, edithPeople, leila, mira, priya } from '#/testing/fake-chats.ts';
import { findPeople, mentionQuery } from './find-people.ts';
import { mentionParts } from './mention-parts.ts';

const mention = ({ id, name }: { id: string; name: string }): Mention => ({ kind: 'user', id, name });

// What the first '@' loads is there, so that no test waits for it.
beforeAll(() => import('./mention-list.tsx'));
beforeEach(() => sessionStorage.clear());

describe('CHAT-10 what is being written after an @', () => {
  it.each([
    ['@', 1, { start: 0, written: '' }],
    ['Ask @Lei', 8, { start: 4, written: 'Lei' }],
    ['(@Mira Ok', 9, { start: 1, written: 'Mira Ok' }],
    ['Ask @Lei later', 8, { start: 4, written: 'Lei' }],
    ['lab@stbrigid', 12, null],
    ['@ noon', 6, null],
    ['@Lei\nnext', 9, null],
    [`@${'x'.repeat(50)}`, 51, null],
    ['no', 2, null],
  ])('%o with the caret at %i', (text, caret, query) => {
    expect(mentionQuery(text, caret)).toEqual(query);
  });

  it('finds people by the beginnings of their names, without accents, and never me', () => {
    const place = { people: edithPeople, roles: [], myId: ana.id, mayCallAll: true };
    const names = (written: string, mayCallAll = false) =>
      findPeople(written, { ...place, mayCallAll }).map(({ name }) => name);
    expect(names('')).toEqual([leila.name, mira.name, priya.name]);
    expect(names('OKÁ')).toEqual([mira.name]);
    expect(names('mira ok')).toEqual([mira.name]);
    expect(names('ana')).toEqual([]);
    expect(names(`${leila.name} `)).toEqual([]);
    expect(names('al', true)).toEqual(['all']);
    expect(names('al')).toEqual([]);
  });

  it('cuts a text at the names of those who are called, the longer of two alike, and loses nothing', () => {
    const parts = mentionParts('@Ana Reyes-Cole, @Ana Reyes: lab@Ana', [
      mention(ana),
      mention({ id: 'x', name: 'Ana Reyes-Cole' }),
    ]);
    expect(parts.map(({ text, mention: found }) => [text, found?.id ?? null])).toEqual([
      ['@Ana Reyes-Cole', 'x'],
      [', ', null],
      ['@Ana Reyes', ana.id],
      [': lab@Ana', null],
    ]);
    const some = fc
      .array(fc.constantFrom('@', 'A', 'AB', ' ', '\n'), { maxLength: 20 })
      .map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(some, (text) => {
        const cut = mentionParts(text, [mention({ id: '1', name: 'A' }), mention({ id: '2', name: 'AB' })]);
        expect(cut.map((part) => part.text).join('')).toBe(text);
        expect(cut.every(({ text: piece, mention: found }) => found === null || piece === `@${found.name}`)).toBe(true);
      }),
    );
  });
});

interface Place {
  readonly store?: DeviceStore;
  /** Without a network. */
  readonly isOffline?: boolean;
}

function setUp(change: Partial<ComposerProps> = {}, roles: readonly ChatRole[] = [], place: Place = {}) {
  const { store = createMemoryStore(ana.id), isOffline = false } = place;
  const onSend = vi.fn<ComposerProps['onSend']>(async () => undefined);
  const app = createFakeApp();
  app.api.on(listChatRoles, () => ({ data: [...roles] }));
  if (isOffline) app.api.around = async () => Promise.reject(new TypeError('no network'));
  const mentionable = { chat: edith, people: edithPeople, myId: ana.id, mayCallAll: false };
  const drafts = openDrafts('ana');
  const fixed = { chatId: 'chat-1', readOnlyReason: null, onTyping: () => undefined, onAttach: async () => [] };
  const props = { ...fixed, drafts, onSend, mentionable };
  const device = {
    store,
    outbox: createSharedOutbox({ store, userId: ana.id, log: createSilentLog(), firstKind: 'message' }),
  };
  const { unmount } = app.draw(
    <DeviceContext value={device}>
      <Composer {...props} {...change} />
    </DeviceContext>,
  );
  const box = () => screen.getByPlaceholderText<HTMLTextAreaElement>('Type your message here…');
  const write = async (value: string) => {
    box().focus();
    await act(async () => void fireEvent.change(box(), { target: { value } }));
    await act(async () => {
      box().setSelectionRange(value.length, value.length);
      document.dispatchEvent(new Event('selectionchange'));
    });
  };
  const key = (name: string) => act(async () => void fireEvent.keyDown(box(), { key: name }));
  return { app, onSend, box, write, key, unmount };
}

/** As a browser gives keys that follow each other at once: what one changes is drawn before the next, and what that brings is not. */
async function pressAtOnce(box: HTMLElement, keys: readonly string[]) {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  try {
    for (const key of keys) {
      const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
      // By this React knows that somebody pressed, and draws before the next task.
      vi.stubGlobal('event', event);
      box.dispatchEvent(event);
      vi.stubGlobal('event', undefined);
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    }
  } finally {
    vi.unstubAllGlobals();
  }
}

const chosenOption = () => screen.getByRole('option', { selected: true }).textContent;

const role = (n: number, name: string, holder: { id: string; name: string } | null): ChatRole => ({
  ...{ role_id: `01970000-0000-7000-8000-00000000020${n}`, name, is_retired: false, access: 'write', joined_seq: 0 },
  holder: holder && { user_id: holder.id, name: holder.name, until: '2026-03-02T20:00:00.000Z' },
});
const surgeon = role(1, 'Surgeon on call', mira);
const calledSurgeon: Mention = { kind: 'role', id: surgeon.role_id, name: surgeon.name };

describe('CHAT-10 calling somebody in the composer', () => {
  it('SHELL-7 arrows choose, Enter mentions instead of sending, and the next Enter sends whom the text still names', async () => {
    const { onSend, box, write, key } = setUp();
    await write('K 6.8, @');
    expect(chosenOption()).toContain(leila.name);
    expect(box().getAttribute('aria-activedescendant')).toBe(screen.getByRole('option', { selected: true }).id);
    await key('ArrowDown');
    expect(chosenOption()).toContain(mira.name);
    await key('ArrowUp');
    await key('ArrowUp');
    expect(chosenOption()).toContain(priya.name);
    await key('Enter');
    expect(box().value).toBe(`K 6.8, @${priya.name} `);
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(box().getAttribute('aria-controls')).toBeNull();
    await write(`${box().value}and @le`);
    await key('Tab');
    await write(box().value.replace(`@${priya.name} and `, ''));
    await key('Enter');
    expect(onSend).toHaveBeenCalledExactlyOnceWith(`K 6.8, @${leila.name}`, [mention(leila)], []);
  });

  it.each([
    ['@le', [], `@${leila.name}`, mention(leila)],
    ['K 6.8 @call', [surgeon], '@Surgeon on call', calledSurgeon],
  ])(
    'CHAT-18 SHELL-7 Enter twice at once after “%s” mentions once, and sends that',
    async (text, roles, named, called) => {
      const { onSend, box, write } = setUp({}, roles);
      await write(text);
      await waitFor(() => expect(chosenOption()).toContain(called.name));
      await pressAtOnce(box(), ['Enter', 'Enter']);
      await waitFor(() => expect(onSend).toHaveBeenCalled());
      expect(onSend).toHaveBeenCalledExactlyOnceWith(text.replace(/@.*/, named), [called], []);
      await waitFor(() => expect(box().value).toBe(''));
    },
  );

  it('a finger chooses, and the box keeps the focus; the draft is kept with whom it names', async () => {
    const { box, write, unmount } = setUp();
    await write('@');
    const option = screen.getByRole('option', { name: new RegExp(mira.name) });
    expect(fireEvent.pointerDown(option)).toBe(false);
    await act(async () => void fireEvent.click(option));
    expect(document.activeElement).toBe(box());
    unmount();
    const again = setUp();
    await again.key('Enter');
    expect(again.onSend).toHaveBeenCalledExactlyOnceWith(`@${mira.name}`, [mention(mira)], []);
  });

  it('Escape leaves the text as it is, and the list away until the next @', async () => {
    const { onSend, box, write, key } = setUp();
    await write('@Le');
    await key('Escape');
    expect(screen.queryByRole('listbox')).toBeNull();
    await write('@Lei');
    expect(screen.queryByRole('listbox')).toBeNull();
    await key('Enter');
    expect(onSend).toHaveBeenCalledExactlyOnceWith('@Lei', [], []);
    await write('to @Lei');
    expect(screen.getByRole('listbox', { name: 'Mention' })).toBeTruthy();
    box().blur();
    await waitFor(() => expect(screen.queryByRole('listbox')).toBeNull());
  });

  it('all can be called where that is one’s to do, and nobody where there is nobody to call', async () => {
    const { onSend, write, key, unmount } = setUp({
      mentionable: { chat: edith, people: edithPeople, myId: ana.id, mayCallAll: true },
    });
    await write('@al');
    expect(chosenOption()).toBe('@allEveryone in this chat, 4 people');
    await key('Enter');
    await key('Enter');
    expect(onSend).toHaveBeenCalledExactlyOnceWith('@all', [{ kind: 'all', id: null, name: 'all' }], []);
    unmount();
    const { write: writeAlone } = setUp({ mentionable: null });
    await writeAlone('@');
    expect(screen.queryByRole('listbox')).toBeNull();
  });
});

describe('CHAT-18 calling an on-call role of the chat', () => {
  const roles = [surgeon, role(2, 'Pharmacist', null), role(3, 'Bleep holder', ana), { ...surgeon, is_retired: true }];

  it('CHAT-10 CHAT-18 it is offered with who holds it, by any of its words, and sent as the role; mine is not', async () => {
    const { onSend, box, write, key } = setUp({}, roles);
    await write('@');
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(5));
    expect(screen.getByRole('option', { name: 'Pharmacist On call: nobody now' })).toBeTruthy();
    await write('@call');
    expect(chosenOption()).toBe('Surgeon on callOn call: Dr. Mira Okafor');
    await key('Enter');
    expect(box().value).toBe('@Surgeon on call ');
    await write('@Surgeon on call come');
    await key('Enter');
    expect(onSend).toHaveBeenCalledExactlyOnceWith('@Surgeon on call come', [calledSurgeon], []);
  });

  const offered = () => screen.getAllByRole('option').map(({ textContent }) => textContent);

  it('CHAT-10 CHAT-18 OFF-1 without a network it is offered as it was known, and nobody is said to hold it', async () => {
    const { app, write } = setUp({}, [surgeon]);
    await write('@call');
    await waitFor(() => expect(offered()).toEqual(['Surgeon on callOn call: Dr. Mira Okafor']));
    app.api.around = async () => Promise.reject(new TypeError('no network'));
    await write('K 6.8');
    await write('@call');
    await waitFor(() => expect(offered()).toEqual(['Surgeon on callOn-call role']));
  });

  it('CHAT-10 CHAT-18 OFF-1 after a reload without a network the own device still knows it', async () => {
    globalThis.indexedDB = new IDBFactory();
    const log = createSilentLog();
    const key = btoa(String.fromCharCode(...new Uint8Array(32).fill(7)));
    const store = await openDeviceStore({ userId: ana.id, log, isOwnDevice: true, fetchKey: async () => key });
    const first = setUp({}, [surgeon], { store });
    await first.write('@call');
    await waitFor(() => expect(offered()).toHaveLength(1));
    await waitFor(async () => expect(await store.meta(`roles/${edith.id}`)).toHaveLength(1));
    first.unmount();
    const { write } = setUp({}, [], { store, isOffline: true });
    await write('@call');
    await waitFor(() => expect(offered()).toEqual(['Surgeon on callOn-call role']));
  });

  it('CHAT-10 CHAT-18 it is a mark in the text, and mine where I held it then', async () => {
    const body = '@Surgeon on call and @Pharmacist';
    const mentions = [
      { kind: 'role', id: surgeon.role_id, name: 'Surgeon on call', holder_id: ana.id },
      { kind: 'role', id: ana.id, name: 'Pharmacist', holder_id: mira.id },
    ];
    const { container } = render(<MessageText messageId="m1" {...{ body, mentions }} myId={ana.id} />);
    await waitFor(() => expect(container.querySelectorAll('.m-mention')).toHaveLength(2));
    const marks = [...container.querySelectorAll('.m-mention')].map((part) => [part.textContent, part.className]);
    expect(marks).toEqual([
      ['@Surgeon on call', 'm-mention is-mine'],
      ['@Pharmacist', 'm-mention'],
    ]);
  });
});

it('CHAT-10 a mention is shown as one, mine apart, also beside marks; what names nobody stays text', async () => {
  const body = `**@${mira.name}** and @${ana.name}, @Noor: lab@x.example`;
  const mentions = [mention(mira), mention(ana)];
  const { container } = render(<MessageText messageId="m1" {...{ body, mentions }} myId={ana.id} />);
  await waitFor(() => expect(container.querySelectorAll('.m-mention')).toHaveLength(2));
  expect(
    [...container.querySelectorAll('.m-mention')].map((part) => [part.textContent, part.classList.length]),
  ).toEqual([
    [`@${mira.name}`, 1],
    [`@${ana.name}`, 2],
  ]);
  expect(container.textContent).toBe(body.replaceAll('**', ''));
});

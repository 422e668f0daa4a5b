// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { DeviceStore } from '@wardline/client/store/device-store.ts';
import { createMemoryStore } from '@wardline/client/store/memory-store.ts';
import {
  createMessageTemplate,
  deleteMessageTemplate,
  listMessageTemplates,
  type MessageTemplate,
  updateMessageTemplate,
} from '@wardline/contract/chat/message-templates.ts';
import type { Facility } from '@wardline/contract/facilities/facilities.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Composer } from '#/features/chat/composer/composer.tsx';
import { ComposerTools } from '#/features/chat/composer/composer-tools.tsx';
import { openDrafts } from '#/features/chat/drafts/draft-store.ts';
import { createFakeChatRuntime } from '#/features/chat/testing/fake-chat-runtime.tsx';
import { DeviceContext } from '#/shared/contexts/device-context.ts';
import { RealtimeContext } from '#/shared/contexts/realtime-context.ts';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { ana, edith } from '#/testing/fake-chats.ts';

const chats = createFakeChatRuntime();

const template = (number: number, title: string, body: string): MessageTemplate => ({
  ...{ id: `019ff2c9-0000-7000-8000-00000000000${number}`, title, body, version: 1 },
});
const bed = template(1, 'Bed request', '**From:**\n**Needs isolation:** no\nThank you');
const transport = template(2, 'Transport', 'Please take to theatre.');

const box = () => screen.getByPlaceholderText<HTMLTextAreaElement>('Type your message here…');
const caret = () => box().value.slice(0, box().selectionStart);
const write = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name, hidden: true }));

beforeEach(() => {
  document.execCommand = (_insertText, _shows, text = '') => {
    const { value, selectionStart, selectionEnd } = box();
    const end = selectionStart + text.length;
    fireEvent.change(box(), { target: { value: value.slice(0, selectionStart) + text + value.slice(selectionEnd) } });
    box().setSelectionRange(end, end);
    return true;
  };
});

/** As on a person's own device, which keeps what was read. */
function ownDevice(): DeviceStore {
  const store = createMemoryStore(ana.id);
  const write: DeviceStore['write'] = (changes) =>
    store.write(changes.map((change) => (change.type === 'put-meta' ? { ...change, isCache: false } : change)));
  return { ...store, write };
}

interface Given {
  readonly permissions?: readonly string[];
  readonly store?: DeviceStore;
  /** Null where there is no network. */
  readonly templates?: readonly MessageTemplate[] | null;
}

function open({ permissions = [], store = ownDevice(), templates = [transport, bed] }: Given = {}) {
  const app = createFakeApp();
  const has = { templates };
  app.api.on(listMessageTemplates, () => ({ data: [...(has.templates ?? [])], next_cursor: null }));
  if (templates === null) app.api.around = () => Promise.reject(new TypeError('Failed to fetch'));
  const joined = vi.fn(
    (_channel: unknown, _facilityId: string, _on: { events: { MessageTemplatesChanged: () => void } }) => ({
      leave,
    }),
  );
  const leave = vi.fn();
  const drafts = openDrafts(ana.id);
  drafts.write(edith.id, '');
  const onSend = vi.fn(async () => undefined);
  const facility = { id: edith.facility_id, permissions } as unknown as Facility;
  const tools = (
    <ComposerTools
      onSent={() => undefined}
      {...{ chat: edith, facility, me: ana, drafts }}
      people={[]}
      guard={{ current: null }}
    />
  );
  const fixed = { readOnlyReason: null, onTyping: () => undefined, onAttach: async () => [] };
  const props = { ...fixed, chatId: edith.id, drafts, onSend, tools };
  app.draw(<Composer {...props} />, (page) => (
    <DeviceContext value={{ store, outbox: null as never }}>
      <RealtimeContext value={{ join: joined } as never}>{chats.around(page)}</RealtimeContext>
    </DeviceContext>
  ));
  return { app, has, joined, leave, onSend, store };
}

async function openMenu(): Promise<() => readonly (string | null)[]> {
  // Its code comes after its button.
  await waitFor(() => {
    fireEvent.keyDown(screen.getByRole('button', { name: 'Templates' }), { key: 'Enter' });
    expect(screen.getByRole('menu')).toBeTruthy();
  });
  return () => screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
}

async function choose(name: string): Promise<void> {
  await openMenu();
  fireEvent.click(await screen.findByRole('menuitem', { name }));
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
}

describe('CHAT-10 templates', () => {
  it('CHAT-10 SBAR comes with bold headings, the caret at the first gap, and Tab goes to the next until there is none', async () => {
    open();
    await choose('SBAR');
    await waitFor(() => expect(box().value).not.toBe(''));
    expect(box().value).toBe('**Situation:** \n**Background:** \n**Assessment:** \n**Recommendation:** ');
    expect(document.activeElement).toBe(box());
    const gaps = [caret().split('\n').at(-1)];
    const tab = (init = {}) => fireEvent.keyDown(box(), { key: 'Tab', ...init });
    expect(tab({ shiftKey: true })).toBe(true);
    while (!tab()) gaps.push(caret().split('\n').at(-1));
    expect(gaps).toEqual(['**Situation:** ', '**Background:** ', '**Assessment:** ', '**Recommendation:** ']);
    box().setSelectionRange(0, 0);
    expect(tab()).toBe(true);
  });

  it('CHAT-10 a template stands at the caret, over nothing that was typed', async () => {
    const { onSend } = open();
    fireEvent.change(box(), { target: { value: 'before after' } });
    box().setSelectionRange(0, 6);
    await choose('Transport');
    await waitFor(() => expect(box().value).toBe('before\nPlease take to theatre.\n after'));
    expect(caret()).toBe('before\nPlease take to theatre.');
    expect(onSend).not.toHaveBeenCalled();
  });

  it('CHAT-10 the facility’s own come by title after those of the product, and one that is left goes back to the button', async () => {
    const { joined, has } = open();
    const items = await openMenu();
    const shipped = ['SBAR', 'Consult question'];
    await waitFor(() => expect(items()).toEqual([...shipped, 'Bed request', 'Transport']));
    has.templates = [bed];
    joined.mock.calls[0]?.[2].events.MessageTemplatesChanged();
    await waitFor(() => expect(items()).toEqual([...shipped, 'Bed request']));
    fireEvent.keyDown(screen.getByRole('menu'), { key: 'Escape' });
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Templates' })));
    expect(box().value).toBe('');
  });

  it('CHAT-10 OFF-1 without a network there are those that this device kept', async () => {
    const store = ownDevice();
    await store.write([{ type: 'put-meta', name: `templates/${edith.facility_id}`, value: [bed], isCache: true }]);
    open({ store, templates: null });
    const items = await openMenu();
    await waitFor(() => expect(items()).toEqual(['SBAR', 'Consult question', 'Bed request']));
  });

  it('CHAT-10 what was loaded is kept on the device, and what is refused is kept no longer', async () => {
    const { app, store, joined } = open();
    const kept = () => store.meta(`templates/${edith.facility_id}`);
    await openMenu();
    await waitFor(async () => expect(await kept()).toEqual([bed, transport]));
    app.refuse(404);
    joined.mock.calls[0]?.[2].events.MessageTemplatesChanged();
    await waitFor(async () => expect(await kept()).toBeUndefined());
  });
});

describe('CHAT-10 the editor of templates', () => {
  const permissions = ['facility.manage'];

  it('CHAT-10 is for who runs the facility', async () => {
    open();
    const items = await openMenu();
    expect(items()).not.toContain('Edit templates');
  });

  it('CHAT-10 makes one, with a preview, and sends nothing of what stands in the box', async () => {
    const { app, has, onSend } = open({ permissions, templates: [] });
    app.api.on(createMessageTemplate, ({ body }) => {
      has.templates = [template(3, body.title, body.body)];
      return template(3, body.title, body.body);
    });
    fireEvent.change(box(), { target: { value: 'still writing' } });
    await choose('Edit templates');
    expect(await screen.findByText('No templates yet.')).toBeTruthy();
    press('New template');
    press('Create template');
    expect(await screen.findByText('Enter a title.')).toBeTruthy();
    write('Title', 'Bed request');
    write('Text', '**From:** ward');
    const preview = screen.getByRole('region', { name: 'Preview' });
    await waitFor(() => expect(preview.querySelector('strong')?.textContent).toBe('From:'));
    press('Create template');
    expect(await screen.findByRole('button', { name: 'Edit Bed request' })).toBeTruthy();
    expect(onSend).not.toHaveBeenCalled();
    expect(box().value).toBe('still writing');
  });

  it('CHAT-10 replaces what somebody else changed meanwhile only when asked twice', async () => {
    const { app, has } = open({ permissions, templates: [bed] });
    const sent: number[] = [];
    app.api.on(updateMessageTemplate, ({ body: { expected_version, title, body } }) => {
      sent.push(expected_version);
      has.templates = [{ ...bed, title, body, version: expected_version + 1 }];
      return { ...bed, title, body, version: expected_version + 1 };
    });
    await choose('Edit templates');
    fireEvent.click(await screen.findByRole('button', { name: 'Edit Bed request' }));
    write('Title', 'Bed wanted');
    has.templates = [{ ...bed, title: 'Bed, please', version: 4 }];
    const answer = app.api.around;
    app.api.around = async (request, go) =>
      request.init.method === 'PUT' ? Response.json({ message: 'Changed.', code: 'conflict' }, { status: 409 }) : go();
    press('Save');
    expect(await screen.findByText(/Someone changed this template in the meantime/)).toBeTruthy();
    expect(screen.getByLabelText('Title')).toHaveProperty('value', 'Bed wanted');
    app.api.around = answer;
    press('Save');
    expect(await screen.findByRole('button', { name: 'Edit Bed wanted' })).toBeTruthy();
    expect(sent).toEqual([4]);
  });

  it('CHAT-10 deletes one at the version that is shown, once that is confirmed', async () => {
    const { app, has } = open({ permissions, templates: [bed, transport] });
    const deleted = vi.fn();
    app.api.on(deleteMessageTemplate, ({ params, query }) => {
      deleted(params.template, query.expected_version);
      has.templates = [transport];
      return undefined;
    });
    await choose('Edit templates');
    fireEvent.click(await screen.findByRole('button', { name: 'Delete Bed request' }));
    const question = await screen.findByRole('dialog', { name: 'Delete Bed request?' });
    fireEvent.click(within(question).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Edit Bed request', hidden: true })).toBeNull());
    expect(deleted).toHaveBeenCalledExactlyOnceWith(bed.id, 1);
  });
});

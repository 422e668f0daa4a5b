// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import type { Attachment } from '@wardline/contract/chat/attachments.ts';
import { beforeEach, expect, it, vi } from 'vitest';
import { createFakeApp, setOnline } from '#/testing/fake-app.tsx';
import type { PdfFile } from './pdf-file.ts';
import { PdfViewer } from './pdf-viewer.tsx';

const opened = vi.hoisted(() => ({ open: async (_address: string): Promise<PdfFile> => Promise.reject() }));
vi.mock('./pdf-file.ts', () => ({ openPdf: (address: string) => opened.open(address) }));

const file = { id: '01970000-0000-7000-8000-000000000001', name: 'ecg.pdf', kind: 'pdf', bytes: 900 } as Attachment;

/** Tells which pages are near what is seen. */
let see: (...numbers: number[]) => Promise<void>;
beforeEach(() => {
  const watched: { numbers: Map<number, Element>; tell: IntersectionObserverCallback; margin: string | undefined }[] =
    [];
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly #own;
      constructor(tell: IntersectionObserverCallback, { rootMargin }: IntersectionObserverInit) {
        this.#own = { numbers: new Map<number, Element>(), tell, margin: rootMargin };
        watched.push(this.#own);
      }
      observe(page: HTMLElement) {
        this.#own.numbers.set(Number(page.dataset['page']), page);
      }
      disconnect() {
        this.#own.numbers.clear();
      }
    },
  );
  see = async (...numbers) => {
    await screen.findByRole('region', { name: 'Page 1' });
    // The pages stand before they are watched.
    await waitFor(() => expect(watched.filter(({ numbers }) => numbers.size > 0)).toHaveLength(2));
    act(() => {
      for (const { numbers: pages, tell, margin } of watched) {
        const isIntersecting = (number: number) =>
          margin === '100% 0px' ? numbers.includes(number) : numbers[0] === number;
        const entries = [...pages].map(([number, target]) => ({ target, isIntersecting: isIntersecting(number) }));
        if (entries.length > 0) tell(entries as unknown as IntersectionObserverEntry[], {} as IntersectionObserver);
      }
    });
  };
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(400);
});

function fakePdf(pages: number) {
  const drawn: [number, number][] = [];
  const close = vi.fn();
  const draw: PdfFile['draw'] = async (number, { width, text }) => {
    drawn.push([number, width]);
    text.textContent = `Text of page ${number}`;
    return 1.4;
  };
  return { pdf: { pages, ratio: 1.4, draw, close } satisfies PdfFile, drawn, close };
}

function open(answer: () => Promise<PdfFile>) {
  const addresses: string[] = [];
  opened.open = async (address) => {
    addresses.push(address);
    return await answer();
  };
  const onClose = vi.fn();
  const drawn = createFakeApp().draw(<PdfViewer file={file} onClose={onClose} />);
  return { addresses, onClose, ...drawn };
}

it('CHAT-14 shows a PDF page by page, draws only those near what is seen, and says which one it is', async () => {
  const { pdf, drawn, close } = fakePdf(40);
  const { addresses, unmount } = open(async () => pdf);
  expect(await screen.findByText('Page 1 of 40')).toBeTruthy();
  expect(addresses).toEqual([expect.stringContaining(file.id)]);
  expect(drawn).toEqual([]);
  await see(1, 2);
  expect(await screen.findByText('Text of page 2')).toBeTruthy();
  await see(2, 1, 3);
  expect(await screen.findByText('Page 2 of 40')).toBeTruthy();
  await see(9);
  await screen.findByText('Text of page 9');
  expect(screen.queryByText('Text of page 2')).toBeNull();
  expect(new Set(drawn.map(([number]) => number))).toEqual(new Set([1, 2, 3, 9]));
  unmount();
  expect(close).toHaveBeenCalledOnce();
});

it('CHAT-14 zooms by button and key, and draws the page anew as wide', async () => {
  const { pdf, drawn } = fakePdf(1);
  open(async () => pdf);
  await screen.findByText('Page 1 of 1');
  await see(1);
  await waitFor(() => expect(drawn).toEqual([[1, 400]]));
  fireEvent.click(screen.getByRole('button', { name: 'Zoom in' }));
  await waitFor(() => expect(drawn.at(-1)).toEqual([1, 500]));
  fireEvent.keyDown(screen.getByRole('document'), { key: '-' });
  await waitFor(() => expect(drawn.at(-1)).toEqual([1, 400]));
  expect(screen.getByRole('button', { name: 'Zoom out' })).toHaveProperty('disabled', true);
});

it('CHAT-14 says that a PDF is protected, damaged or offline, and tries again where that may help', async () => {
  const { pdf } = fakePdf(2);
  const answers = [
    () => Promise.reject(Object.assign(new Error('No password given'), { name: 'PasswordException' })),
    () => Promise.reject(new Error('Invalid PDF structure')),
    async () => pdf,
  ];
  const first = open(() => answers[0]?.() ?? Promise.reject());
  expect(await screen.findByText(/protected by a password/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  first.unmount();
  answers.shift();
  open(() => answers.shift()?.() ?? Promise.reject());
  expect(await screen.findByText(/it is damaged/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('Page 1 of 2')).toBeTruthy();
});

it('CHAT-14 without a network it says so', async () => {
  setOnline(false);
  open(() => Promise.reject(new Error('Failed to fetch')));
  expect(await screen.findByText('It is not available offline.')).toBeTruthy();
});

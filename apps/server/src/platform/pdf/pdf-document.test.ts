import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { picture } from '#/platform/images/testing/pictures.ts';
import { readJpegPicture } from './jpeg-picture.ts';
import { PdfDocument, type TextStyle } from './pdf-document.ts';
import { readPdf } from './testing/read-pdf.ts';

/** What is still held on the heap once everything else was collected. */
function keptBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

const INFORMATION = {
  ...{ title: 'Édith <Mâron> & others', author: 'Ana Reyes', subject: 'Asked for', language: 'en' },
  ...{ createdAt: '2026-11-26T13:16:00.000Z', key: '1' },
};
const TEXT: TextStyle = { size: 10, leading: 14 };

function written(write: (pdf: PdfDocument) => void): Buffer {
  const pdf = new PdfDocument(INFORMATION);
  write(pdf);
  pdf.end();
  return pdf.take();
}

/** What pdf.js reads of one paragraph: its lines joined as they were broken. */
async function readBack(text: string): Promise<string> {
  const { pages } = await readPdf(written((pdf) => pdf.write({ name: 'P' }, [{ text }], TEXT)));
  return pages.join('').replaceAll(/[\n\u200b]/g, '');
}

const withoutBlanks = (text: string) => text.replaceAll(' ', '');

describe('text that a PDF gives back', () => {
  it.each([
    ['Latin with every accent', 'Édith Mâron, Łódź, Çağrı, ế ệ ǆ Ḍ̣, e\u0301'],
    ['signs of a ward', 'K 6,9 ≥ 5 ↑ → ✓ ☐ ½ µg °C ± Δ ≠ ∅ ⌀ ⚠'],
    ['Greek', 'Ελληνικά ᾠδή ΐ'],
    ['Cyrillic', 'Русский Ђ ѓ м\u0301 Қазақ'],
    ['emoji with joins and skins', '😀 👩‍⚕️ 👍🏽 🇩🇪 ❤️ 1️⃣'],
    ['Devanagari', 'हिन्दी नमस्ते'],
    ['Arabic', 'الجرعة بالعالم مرحبا'],
    ['Hebrew with points', 'שָׁלוֹם עולם'],
  ])('ADM-4 %s', async (_what, text) => {
    const found = await readBack(text);
    const isRtl = /[\u0590-\u06ff]/.test(text);
    // pdf.js orders the words of a line that goes to the left by their place, and takes no blank beside an emoji for one.
    const split = (said: string) => said.split(' ').filter(Boolean).toSorted();
    if (isRtl) expect(split(found)).toEqual(split(text));
    else expect(withoutBlanks(found)).toBe(withoutBlanks(text));
  });

  it('ADM-4 writes Arabic joined, from right to left, from the right margin, and its numbers from left to right', async () => {
    const file = written((pdf) => pdf.write({ name: 'P' }, [{ text: 'الجرعة 125 كل' }], TEXT));
    expect((await readPdf(file)).pages.join('')).toMatch(/كل 125 الجرعة|الجرعة 125 كل/);
    const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
    const loading = getDocument({ data: new Uint8Array(file), verbosity: 0 });
    const { items } = await (await (await loading.promise).getPage(1)).getTextContent();
    const places = items.flatMap((item) => ('str' in item && item.str.trim() ? [item] : []));
    const right = Math.max(...places.map(({ transform, width }) => transform[4] + width));
    expect(right).toBeCloseTo(595.28 - 51, 0);
    const [dose, number] = ['الجرعة', '125'].map((text) => places.find(({ str }) => str.includes(text)));
    expect(dose?.transform[4]).toBeGreaterThanOrEqual(number?.transform[4] ?? Number.POSITIVE_INFINITY);
    await loading.destroy();
  });

  it('ADM-4 shows what no typeface has by its number, never as nothing', async () => {
    expect(await readBack('K+ 中文 ok \u0007 \ue000')).toBe('K+ [U+4E2D U+6587] ok [U+0007] [U+E000]');
  });

  it('ADM-4 breaks words that are longer than a line, and loses no character of them', async () => {
    const text = `${'0123456789abcdef'.repeat(40)} ${'👩‍⚕️'.repeat(80)}`;
    expect(withoutBlanks(await readBack(text))).toBe(withoutBlanks(text));
  });
});

describe('the file', () => {
  it('ADM-4 has its title, language, tags and bookmarks', async () => {
    const { title, language, roles, bookmarks } = await readPdf(
      written((pdf) => {
        pdf.open({ name: 'Sect' });
        pdf.addBookmark('Chat 1', 0);
        pdf.addBookmark('Monday', 1);
        pdf.addBookmark('Tuesday', 1);
        pdf.write({ name: 'H1' }, [{ text: 'Record' }], TEXT);
        pdf.writeTable([{ title: 'Person', width: 100 }], [['Ana'], ['Leila']]);
        pdf.close();
        pdf.addBookmark('Chat 2', 0);
      }),
    );
    expect({ title, language }).toEqual({ title: INFORMATION.title, language: 'en' });
    expect(roles).toEqual(['Root', 'Document', 'Sect', 'H1', 'Table', 'TR', 'TH', 'TR', 'TD', 'TR', 'TD']);
    expect(bookmarks.map((one) => [one.title, one.items.map((item) => item.title)])).toEqual([
      ['Chat 1', ['Monday', 'Tuesday']],
      ['Chat 2', []],
    ]);
  });

  it('ADM-4 repeats the head of a table on each page, with running lines and a count that is known at the end', async () => {
    const { pages } = await readPdf(
      written((pdf) => {
        const later = pdf.reserveLater();
        const footer = (page: number) => ({ left: [{ text: `Page ${page} of ` }], right: [] });
        pdf.startPages({ header: { left: [{ text: 'MRN 12' }], right: [] }, footer }, later);
        pdf.writeTable(
          [{ title: 'Person', width: 200 }],
          Array.from({ length: 120 }, (_, index) => [`Nurse ${index}`]),
        );
        pdf.writeLater(later, String(pdf.pageInRunning));
      }),
    );
    expect(pages.length).toBeGreaterThan(1);
    for (const [index, page] of pages.entries()) {
      expect(page).toContain('MRN 12');
      expect(page).toContain('Person');
      expect(page.replaceAll(/\s+/g, '')).toContain(`Page${index + 1}of${pages.length}`);
    }
    const rows = pages.flatMap((page) => page.match(/Nurse \d+/g) ?? []);
    expect(rows).toEqual(Array.from({ length: 120 }, (_, index) => `Nurse ${index}`));
  });

  it('ADM-4 shows pictures in colour and in gray, small ones no larger than a screen does, and says what they are', async () => {
    const colour = readJpegPicture(await picture({ width: 400, height: 300, format: 'jpeg' }));
    const gray = readJpegPicture(
      await sharp({ create: { width: 40, height: 30, channels: 3, background: '#888888' } })
        .toColourspace('b-w')
        .jpeg()
        .toBuffer(),
    );
    expect(colour).toMatchObject({ width: 400, height: 300, colors: 3 });
    expect(gray).toMatchObject({ width: 40, height: 30, colors: 1 });
    const file = written((pdf) => {
      for (const jpeg of [colour, gray]) {
        if (jpeg) pdf.writePicture(jpeg, { alternative: 'Wunde links.jpg', left: 20, most: 150 });
      }
    });
    const spaces = file.toString('latin1').match(/ColorSpace \/\w+/g);
    expect(spaces).toEqual(['ColorSpace /DeviceRGB', 'ColorSpace /DeviceGray']);
    const { pictures, roles } = await readPdf(file);
    expect({ pictures, roles }).toEqual({ pictures: 2, roles: ['Root', 'Document', 'Figure', 'Figure'] });
    const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
    const loading = getDocument({ data: new Uint8Array(file), verbosity: 0 });
    const page = await (await loading.promise).getPage(1);
    expect(JSON.stringify(await page.getStructTree())).toContain('"alt":"Wunde links.jpg"');
    const { fnArray, argsArray } = await page.getOperatorList();
    const sizes = argsArray
      .filter((_, index) => fnArray[index] === OPS.transform)
      .map(([width, , , height]) => [width, height]);
    expect(sizes).toEqual([
      [150, 112.5],
      [30, 22.5],
    ]);
    await loading.destroy();
  });

  it('ADM-4 is the same bytes for the same words', () => {
    const write = (pdf: PdfDocument) => pdf.write({ name: 'P' }, [{ text: 'K 6,9 مرحبا 👍🏽' }], TEXT);
    expect(written(write).equals(written(write))).toBe(true);
  });

  it('ADM-4 R23 a page leaves before the next is written, and what stays of it is little', () => {
    const pdf = new PdfDocument(INFORMATION);
    const writePages = (count: number) => {
      let bytes = 0;
      for (let line = 0; line < count * 50; line++) {
        pdf.write({ name: 'P' }, [{ text: `Line ${line % 100}` }], TEXT);
        bytes += pdf.take().length;
      }
      return bytes;
    };
    expect(writePages(20)).toBeGreaterThan(10_000);
    const before = keptBytes();
    writePages(200);
    // Of 10,000 paragraphs some 40 bytes each: where they stand in the file.
    expect(keptBytes() - before).toBeLessThan(1_500_000);
    pdf.end();
  }, 60_000);
});

import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** A page of a PDF as another reader finds it. */
export interface ReadPage {
  /** In points. */
  readonly width: number;
  readonly height: number;
  /** The words that stand on one height, from left to right, the highest first; between words one blank. */
  readonly lines: readonly string[];
}

interface Word {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly right: number;
}

/** The text of every page, by where it stands on the paper and not by how the page was built. */
export async function readPdf(file: Uint8Array): Promise<ReadPage[]> {
  const loading = getDocument({ data: new Uint8Array(file), verbosity: 0 });
  const document = await loading.promise;
  const pages: ReadPage[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { width, height } = page.getViewport({ scale: 1 });
    const { items } = await page.getTextContent();
    const text = items.flatMap((item): Word[] => {
      if (!('str' in item) || item.str.trim() === '') return [];
      const [x = 0, y = 0] = item.transform.slice(4);
      return [{ text: item.str, x, y, right: x + item.width }];
    });
    pages.push({ width, height, lines: linesOf(text) });
  }
  await loading.destroy();
  return pages;
}

/** Sentences stand on a line when they differ less than half a small letter in height. */
const SAME_LINE = 2.5;

function linesOf(text: readonly Word[]): string[] {
  const lines: Word[][] = [];
  for (const word of text.toSorted((a, b) => b.y - a.y || a.x - b.x)) {
    const line = lines.at(-1);
    if (line?.[0] && Math.abs(line[0].y - word.y) < SAME_LINE) line.push(word);
    else lines.push([word]);
  }
  return lines.map((line) => {
    const ordered = line.toSorted((a, b) => a.x - b.x);
    const text = ordered.map(({ text: said, x }, index) => {
      const before = ordered[index - 1];
      return before !== undefined && x - before.right > 0.8 ? ` ${said}` : said;
    });
    return text.join('').replaceAll(/\s+/g, ' ').trim();
  });
}

import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** A PDF as another reader (pdf.js) finds it. */
export interface ReadPdf {
  /** The text of each page, in the order in which it was written, line by line. */
  readonly pages: readonly string[];
  /** How many pictures are drawn on all pages. */
  readonly pictures: number;
  readonly title: unknown;
  readonly language: unknown;
  /** Of the structure, in order: the role of each part. */
  readonly roles: readonly string[];
  readonly bookmarks: readonly { readonly title: string; readonly items: readonly { readonly title: string }[] }[];
}

interface StructNode {
  readonly role?: string;
  readonly children?: readonly object[];
}

export async function readPdf(file: Uint8Array): Promise<ReadPdf> {
  const loading = getDocument({ data: new Uint8Array(file), verbosity: 0 });
  const document = await loading.promise;
  const pages: string[] = [];
  const roles: string[] = [];
  let pictures = 0;
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent({ disableNormalization: true });
    pages.push(items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join(''));
    pictures += (await page.getOperatorList()).fnArray.filter((drawn) => drawn === OPS.paintImageXObject).length;
    roles.push(...rolesOf(await page.getStructTree()));
  }
  const { info } = (await document.getMetadata()) as unknown as { info: Readonly<Record<string, unknown>> };
  const bookmarks = (await document.getOutline()) ?? [];
  await loading.destroy();
  return { pages, pictures, roles, bookmarks, title: info['Title'], language: info['Language'] };
}

function rolesOf(node: StructNode): string[] {
  return [...(node.role ? [node.role] : []), ...(node.children ?? []).flatMap((child) => rolesOf(child))];
}

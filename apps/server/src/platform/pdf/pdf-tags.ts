import { type PdfObjects, pdfText } from './pdf-objects.ts';

/** A part of the structure that a screen reader goes by, under its standard name (ISO 32000-1, 14.8.4). */
export interface Tag {
  readonly name: 'Document' | 'Sect' | 'H1' | 'H2' | 'H3' | 'H4' | 'P' | 'Figure' | 'Table' | 'TR' | 'TH' | 'TD';
  /** As PDF writes a dictionary. */
  readonly attributes?: string;
  /** What is said of it to whoever does not see it. */
  readonly alternative?: string;
}

interface OpenTag extends Tag {
  readonly id: number;
  readonly kids: string[];
}

interface Bookmark {
  readonly title: string;
  readonly depth: 0 | 1;
  readonly page: number;
  readonly top: number;
}

interface OpenBookmark extends Bookmark {
  readonly id: number;
  readonly previous: number | null;
  first: number | null;
  last: number | null;
  count: number;
}

const KEYS_PER_NODE = 500;

/** The structure of a document and its bookmarks, each part written when it is closed. */
export class PdfTags {
  readonly #objects: PdfObjects;
  readonly #root: number;
  readonly #outlines: number;
  readonly #open: OpenTag[] = [];
  /** Of each page, the object that says which tag its contents belong to. */
  readonly #pages: number[] = [];
  #document = 0;
  readonly #bookmarks: (OpenBookmark | null)[] = [null, null];
  readonly #top = { first: 0, last: 0, count: 0 };

  constructor(objects: PdfObjects) {
    this.#objects = objects;
    this.#root = objects.reserve();
    this.#outlines = objects.reserve();
    this.open({ name: 'Document' });
    this.#document = this.current;
  }

  /** The number of the innermost tag that is open. */
  get current(): number {
    const tag = this.#open.at(-1);
    if (!tag) throw new Error('the structure of the PDF is closed');
    return tag.id;
  }

  open(tag: Tag): void {
    this.#open.push({ ...tag, id: this.#objects.reserve(), kids: [] });
  }

  close(): void {
    const tag = this.#open.pop();
    if (!tag) throw new Error('a tag of the PDF was closed twice');
    const parent = this.#open.at(-1);
    parent?.kids.push(`${tag.id} 0 R`);
    const said = tag.alternative === undefined ? '' : ` /Alt ${pdfText(tag.alternative)}`;
    const attributes = `${tag.attributes ? ` /A ${tag.attributes}` : ''}${said}`;
    this.#objects.put(
      `<</Type /StructElem /S /${tag.name} /P ${parent?.id ?? this.#root} 0 R${attributes} /K [${tag.kids.join(' ')}]>>`,
      tag.id,
    );
  }

  /** Marked content of a page that belongs to the innermost tag. */
  addContent(page: number, mark: number): void {
    this.#open.at(-1)?.kids.push(`<</Type /MCR /Pg ${page} 0 R /MCID ${mark}>>`);
  }

  /** A page is full: `owners` has the tag of each of its marks. Answers its key in the tree of pages and tags. */
  addPage(owners: readonly number[]): number {
    const list = owners.map((id) => `${id} 0 R`).join(' ');
    this.#pages.push(this.#objects.put(`[${list}]`));
    return this.#pages.length - 1;
  }

  addBookmark(bookmark: Bookmark): void {
    const id = this.#objects.reserve();
    if (bookmark.depth === 0) this.#endBookmark(1, null);
    const previous = this.#endBookmark(bookmark.depth, id);
    this.#bookmarks[bookmark.depth] = { ...bookmark, id, previous, first: null, last: null, count: 0 };
    const above = bookmark.depth === 0 ? this.#top : this.#bookmarks[0];
    if (!above) throw new Error('a bookmark of the PDF has none above it');
    above.first ||= id;
    above.last = id;
    above.count += 1;
  }

  /** Closes what is open, and writes the roots of both. */
  end(): { structure: number; outlines: number } {
    while (this.#open.length > 0) this.close();
    this.#endBookmark(1, null);
    this.#endBookmark(0, null);
    const { first, last, count } = this.#top;
    const ends = count > 0 ? ` /First ${first} 0 R /Last ${last} 0 R /Count ${count}` : '';
    this.#objects.put(`<</Type /Outlines${ends}>>`, this.#outlines);
    this.#objects.put(
      `<</Type /StructTreeRoot /K ${this.#document} 0 R /ParentTree ${this.#writeParents()} 0 R /ParentTreeNextKey ${this.#pages.length}>>`,
      this.#root,
    );
    return { structure: this.#root, outlines: this.#outlines };
  }

  #writeParents(): number {
    const kids: number[] = [];
    for (let from = 0; from < this.#pages.length; from += KEYS_PER_NODE) {
      const pages = this.#pages.slice(from, from + KEYS_PER_NODE);
      const list = pages.map((id, index) => `${from + index} ${id} 0 R`).join(' ');
      kids.push(this.#objects.put(`<</Limits [${from} ${from + pages.length - 1}] /Nums [${list}]>>`));
    }
    return this.#objects.put(`<</Kids [${kids.map((id) => `${id} 0 R`).join(' ')}]>>`);
  }

  /** Writes the one that is open at a depth, now that it is known which comes next; answers its number. */
  #endBookmark(depth: 0 | 1, next: number | null): number | null {
    const open = this.#bookmarks[depth];
    if (!open) return null;
    this.#bookmarks[depth] = null;
    const { id, title, page, top, previous, first, last, count } = open;
    const parent = depth === 0 ? this.#outlines : (this.#bookmarks[0]?.id ?? this.#outlines);
    const beside = `${previous ? ` /Prev ${previous} 0 R` : ''}${next ? ` /Next ${next} 0 R` : ''}`;
    // A count below 0: those under it are shown when somebody opens it.
    const under = count > 0 ? ` /First ${first} 0 R /Last ${last} 0 R /Count ${-count}` : '';
    this.#objects.put(
      `<</Title ${pdfText(title)} /Parent ${parent} 0 R${beside}${under} /Dest [${page} 0 R /XYZ null ${Math.round(top)} null]>>`,
      id,
    );
    return id;
  }
}

import { ownScriptUrl } from '@wardline/client/browser/own-script-url.ts';
import { getDocument, type PDFDocumentProxy, PDFWorker, TextLayer, version } from 'pdfjs-dist';

/** Put there by the build: apps/web/tools/pdf-files.ts. */
const FOLDER = `/assets/online-pdf-${version}/`;

interface Drawing {
  readonly canvas: HTMLCanvasElement;
  readonly text: HTMLElement;
  /** In CSS pixels, and how many of the screen's pixels one of them is. */
  readonly width: number;
  readonly pixelRatio: number;
  readonly signal: AbortSignal;
}

export interface PdfFile {
  readonly pages: number;
  /** Height over width of the first page: what others are taken for until they are drawn. */
  readonly ratio: number;
  /** Draws a page and lays its text over it, to be selected and read aloud; resolves to its height over its width, rejects when aborted. */
  draw(number: number, drawing: Drawing): Promise<number>;
  close(): void;
}

/**
 * Opens a PDF in a worker of its own; nothing in it is run: no script, no form. Throws what pdf.js says of a file that it
 * cannot read.
 */
export async function openPdf(address: string): Promise<PdfFile> {
  const port = new Worker(ownScriptUrl(`${FOLDER}worker.js`), { type: 'module' });
  const task = getDocument({
    url: address,
    worker: PDFWorker.create({ port }),
    withCredentials: true,
    standardFontDataUrl: FOLDER,
    wasmUrl: FOLDER,
    useWorkerFetch: true,
    isEvalSupported: false,
    enableXfa: false,
    disableAutoFetch: true,
  });
  const close = () => void task.destroy().finally(() => port.terminate());
  try {
    const pdf = await task.promise;
    const first = (await pdf.getPage(1)).getViewport({ scale: 1 });
    return { pages: pdf.numPages, ratio: first.height / first.width, draw: drawWith(pdf), close };
  } catch (error) {
    close();
    throw error;
  }
}

/** More pixels than this some phones do not draw at all. */
const MOST_PIXELS = 16_000_000;

function drawWith(pdf: PDFDocumentProxy): PdfFile['draw'] {
  return async (number, { canvas, text, width, pixelRatio, signal }) => {
    const page = await pdf.getPage(number);
    signal.throwIfAborted();
    const { width: ownWidth } = page.getViewport({ scale: 1 });
    const viewport = page.getViewport({ scale: width / ownWidth });
    const ratio = Math.min(pixelRatio, Math.sqrt(MOST_PIXELS / (viewport.width * viewport.height)));
    canvas.width = Math.floor(viewport.width * ratio);
    canvas.height = Math.floor(viewport.height * ratio);
    const painting = page.render({ canvas, viewport, transform: [ratio, 0, 0, ratio, 0, 0] });
    signal.addEventListener('abort', () => painting.cancel(), { once: true });
    await painting.promise;
    text.style.setProperty('--total-scale-factor', String(viewport.scale));
    const layer = new TextLayer({ textContentSource: page.streamTextContent(), container: text, viewport });
    signal.addEventListener('abort', () => layer.cancel(), { once: true });
    await layer.render();
    return viewport.height / viewport.width;
  };
}

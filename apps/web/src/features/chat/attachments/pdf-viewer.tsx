import type { Attachment } from '@wardline/contract/chat/attachments.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { ErrorState } from '@wardline/ui/notice/error-state.tsx';
import { Skeleton } from '@wardline/ui/skeleton/skeleton.tsx';
import { Download, ZoomIn, ZoomOut } from 'lucide-react';
import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { download } from './download.ts';
import { type AddressOf, useAddressOf } from './file-address.ts';
import type { PdfFile } from './pdf-file.ts';
import './pdf-viewer.css';

const STEP = 1.25;
const WIDEST = 4;
/** On a wide screen a page is no wider than a sheet of paper. */
const SHEET_PX = 860;

interface PdfViewerProps {
  readonly file: Attachment;
  readonly onClose: () => void;
}

/** A PDF over the whole screen, page below page: + and − zoom, Escape closes. */
export function PdfViewer({ file, onClose }: PdfViewerProps) {
  const [isOpen, setIsOpen] = useState(true);
  const [zoom, setZoom] = useState(1);
  const [page, setPage] = useState(1);
  const [error, setError] = useState<string | null>(null);
  const addressOf = useAddressOf();
  const { pdf, problem, retry } = usePdf(file.id, addressOf);
  const by = (factor: number) => setZoom((now) => Math.min(WIDEST, Math.max(1, now * factor)));
  const keep = async () => {
    const address = await addressOf(file.id, 'file').catch(() => null);
    setError(address === null ? 'This file can’t be downloaded now.' : null);
    if (address !== null) download(address);
  };
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setIsOpen}
      onAfterLeave={onClose}
      size="full"
      title={file.name}
      description={pdf ? `Page ${page} of ${pdf.pages}` : 'PDF'}
      closeLabel="Close"
    >
      <div
        className="pdf-stage"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll box has to be reached by keyboard
        tabIndex={0}
        role="document"
        aria-label={file.name}
        onKeyDown={({ key }) => {
          if (key === '+') by(STEP);
          if (key === '-') by(1 / STEP);
          if (key === '0') setZoom(1);
        }}
      >
        {pdf && <Pages pdf={pdf} zoom={zoom} onPage={setPage} />}
        {!pdf && problem === null && <Skeleton count={4} label="Loading the PDF" />}
        {problem !== null && (
          <ErrorState title="This PDF can’t be shown" message={problem} {...(retry && { onRetry: retry })} />
        )}
      </div>
      <div className="viewer-tools">
        <Button {...look} icon={ZoomOut} label="Zoom out" disabled={zoom === 1} onClick={() => by(1 / STEP)} />
        <Button {...look} icon={ZoomIn} label="Zoom in" disabled={zoom === WIDEST} onClick={() => by(STEP)} />
        <Button {...look} icon={Download} label={`Download ${file.name}`} onClick={() => void keep()} />
        {error && (
          <p className="c-error" role="alert">
            {error}
          </p>
        )}
      </div>
    </Dialog>
  );
}

const look = { variant: 'ghost', color: 'neutral', iconOnly: true } as const;

/** Opens the file; what draws it comes with it. */
function usePdf(id: string, addressOf: AddressOf) {
  const [attempt, setAttempt] = useState(0);
  const [opened, setOpened] = useState<{ readonly pdf: PdfFile | null; readonly problem: string | null }>(NOTHING);
  // biome-ignore lint/correctness/useExhaustiveDependencies: opened anew with each attempt
  useEffect(() => {
    let isWanted = true;
    let pdf: PdfFile | null = null;
    setOpened(NOTHING);
    open(id, addressOf).then(
      (file) => {
        pdf = file;
        if (isWanted) setOpened({ pdf, problem: null });
        else file.close();
      },
      (error: unknown) => isWanted && setOpened({ pdf: null, problem: wordsFor(error) }),
    );
    return () => {
      isWanted = false;
      pdf?.close();
    };
  }, [id, addressOf, attempt]);
  return { ...opened, retry: opened.problem === PROTECTED ? null : () => setAttempt((now) => now + 1) };
}

const NOTHING = { pdf: null, problem: null };
const PROTECTED = 'It is protected by a password. Download it to open it.';

async function open(id: string, addressOf: AddressOf): Promise<PdfFile> {
  const [{ openPdf }, address] = await Promise.all([import('./pdf-file.ts'), addressOf(id, 'file')]);
  if (address === null) throw new Error('It may not be read any more.');
  return await openPdf(address);
}

function wordsFor(error: unknown): string {
  if (!navigator.onLine) return 'It is not available offline.';
  // pdf.js says so by this name.
  if (error instanceof Error && error.name === 'PasswordException') return PROTECTED;
  return 'It did not load, or it is damaged. Try again, or download it.';
}

interface PagesProps {
  readonly pdf: PdfFile;
  readonly zoom: number;
  readonly onPage: (number: number) => void;
}

/** Only the pages near what is seen are drawn: a long file would fill the memory of a phone. */
function Pages({ pdf, zoom, onPage }: PagesProps) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [near, setNear] = useState<ReadonlySet<number>>(new Set());
  useEffect(() => {
    const stage = box.current?.parentElement;
    if (!stage) return;
    const measure = () => setWidth(Math.min(SHEET_PX, stage.clientWidth));
    const watch = new ResizeObserver(measure);
    watch.observe(stage);
    measure();
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    const stage = box.current?.parentElement;
    if (!stage || width === 0) return;
    const numberOf = ({ target }: IntersectionObserverEntry) => Number((target as HTMLElement).dataset['page']);
    const nearby = new IntersectionObserver(
      (entries) =>
        setNear((before) => {
          const next = new Set(before);
          for (const entry of entries) next[entry.isIntersecting ? 'add' : 'delete'](numberOf(entry));
          return next;
        }),
      { root: stage, rootMargin: '100% 0px' },
    );
    const middle = new IntersectionObserver(
      (entries) => {
        const entry = entries.findLast(({ isIntersecting }) => isIntersecting);
        if (entry) onPage(numberOf(entry));
      },
      { root: stage, rootMargin: '-50% 0px' },
    );
    for (const page of stage.querySelectorAll('[data-page]')) {
      nearby.observe(page);
      middle.observe(page);
    }
    return () => {
      nearby.disconnect();
      middle.disconnect();
    };
  }, [width, onPage]);
  return (
    <div className="pdf-pages" ref={box}>
      {width > 0 &&
        Array.from({ length: pdf.pages }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a page is its number
          <PdfPage key={index} {...{ pdf }} number={index + 1} width={width * zoom} isNear={near.has(index + 1)} />
        ))}
    </div>
  );
}

interface PdfPageProps {
  readonly pdf: PdfFile;
  readonly number: number;
  readonly width: number;
  readonly isNear: boolean;
}

function PdfPage({ pdf, number, width, isNear }: PdfPageProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const [ratio, setRatio] = useState(pdf.ratio);
  useEffect(() => {
    const into = { canvas: canvas.current, text: text.current };
    if (!isNear || into.canvas === null || into.text === null) return;
    const stop = new AbortController();
    const drawing = { canvas: into.canvas, text: into.text, width, pixelRatio: window.devicePixelRatio };
    pdf.draw(number, { ...drawing, signal: stop.signal }).then(
      setRatio,
      // A page that pdf.js cannot draw stays white; the others are there.
      () => undefined,
    );
    return () => {
      stop.abort();
      // Gives its memory back at once.
      drawing.canvas.width = 0;
      drawing.text.replaceChildren();
    };
  }, [pdf, number, width, isNear]);
  return (
    <section
      className="pdf-page"
      data-page={number}
      aria-label={`Page ${number}`}
      style={{ '--page-width': `${width}px`, '--page-ratio': 1 / ratio } as CSSProperties}
    >
      {isNear && <canvas ref={canvas} />}
      {isNear && <div className="pdf-text" ref={text} />}
    </section>
  );
}

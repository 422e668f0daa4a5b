export interface PayloadPlace {
  readonly document: Pick<Document, 'getElementById'>;
  readonly fetch: typeof fetch;
  readonly buildId: () => string;
  readonly warn: (line: string) => void;
  /** The path whose page this window was loaded with, and the one in its address now. */
  readonly loadedPath: () => string;
  readonly currentPath: () => string;
  /** Leaves this window's page for another, by a full load. */
  readonly leave: (path: string) => void;
}

/** The data of pages that were rendered ahead. */
export interface Payloads {
  /**
   * The data of one page: out of the window's own page, else from its file. Where that fails the page itself is loaded,
   * unless it was only fetched ahead and one is still elsewhere.
   */
  load(path: string): Promise<unknown>;
}

export const payloadElementId = 'payload';

/** PWA-8: each file is fetched once per build, and the browser keeps it. */
export function createPayloads(place: PayloadPlace): Payloads {
  const kept = new Map<string, Promise<unknown>>();

  const embedded = (path: string): { content: unknown } | null => {
    const text = place.document.getElementById(payloadElementId)?.textContent;
    return text ? contentFor(path, JSON.parse(text)) : null;
  };
  const fetched = async (path: string): Promise<unknown> => {
    const answer = await place.fetch(`${payloadFile(path)}?${place.buildId()}`, { cache: 'force-cache' });
    if (!answer.ok) throw new Error(`It was answered with ${answer.status}.`);
    const payload = contentFor(path, await answer.json());
    if (!payload) throw new Error('It is not the payload of this page.');
    return payload.content;
  };

  return {
    async load(path) {
      const own = embedded(path);
      if (own) return own.content;
      const asked = kept.get(path) ?? fetched(path);
      kept.set(path, asked);
      try {
        return await asked;
      } catch (cause) {
        kept.delete(path);
        place.warn(`Cannot load payload ${payloadFile(path)}`);
        // Where this very page has brought no payload, another load would end here again.
        if (place.currentPath() !== path || place.loadedPath() === path) throw cause;
        place.leave(path);
        return await new Promise(() => undefined);
      }
    },
  };
}

/** Where the payload of a page lies. */
export function payloadFile(path: string): string {
  return `${path === '/' ? '' : path}/_payload.json`;
}

function contentFor(path: string, payload: unknown): { content: unknown } | null {
  if (typeof payload !== 'object' || payload === null) return null;
  if (!('path' in payload) || !('content' in payload) || payload.path !== path) return null;
  return { content: payload.content };
}

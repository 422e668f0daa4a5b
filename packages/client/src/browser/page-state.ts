import type { Observable } from '#/observable.ts';
import { watchFocus } from './focus.ts';
import { watchOnline } from './online.ts';

interface PageFacts {
  readonly online: Observable<boolean>;
  readonly focus: Observable<boolean>;
}

let facts: PageFacts | null = null;

/** What this page knows of itself, watched once however many ask. */
export function pageFacts(): PageFacts {
  facts ??= { online: watchOnline(), focus: watchFocus() };
  return facts;
}

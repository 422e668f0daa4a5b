import { isAppPath } from '#/app/router/is-app-path.ts';

/** What the service worker tells a window whose notification was pressed. */
export interface OpenWord {
  readonly type: 'open';
  readonly path: string;
}

/** Goes where a pressed notification leads. The worker only brings the window to the front, so that nothing is lost. */
export function followNotifications(
  container: Pick<EventTarget, 'addEventListener'> | undefined,
  open: (path: string) => void,
): void {
  container?.addEventListener('message', (event) => {
    const word: unknown = 'data' in event ? event.data : null;
    if (isOpenWord(word) && isAppPath(pathnameOf(word.path))) open(word.path);
  });
}

/** Without what follows it; an address of elsewhere is none of ours. */
function pathnameOf(path: string): string {
  return /^\/(?![/\\])/.test(path) ? (path.split(/[?#]/)[0] ?? '') : '';
}

function isOpenWord(word: unknown): word is OpenWord {
  return (
    typeof word === 'object' &&
    word !== null &&
    'type' in word &&
    word.type === 'open' &&
    'path' in word &&
    typeof word.path === 'string'
  );
}

import { createSource, type Observable } from '#/observable.ts';
import { checkPrefix, STORAGE_PREFIX } from '#/storage-prefix.ts';
import type { BeforeInstallPromptEvent, EarlyInstallEvent, InstallChoice } from './early-install-event.ts';

const INSTALLED_QUERY = '(display-mode: standalone), (display-mode: minimal-ui)';
const IOS_STEPS = ['Open the Share menu.', 'Choose ‘Add to Home Screen’.', 'Choose ‘Add’.'] as const;

export interface InstallState {
  /** Whether to offer the installation. */
  readonly isOffered: boolean;
  /** Where the browser has no prompt of its own (iOS): what a person does, step by step; else empty. */
  readonly steps: readonly string[];
  readonly isInstalled: boolean;
}

/** Offers to install the app (PWA-3). */
export interface InstallPrompt extends Observable<InstallState> {
  /** Shows the browser's own prompt and answers what was chosen; undefined where there is none to show. */
  install(): Promise<InstallChoice | undefined>;
  /** Offers it never again in this browser. */
  cancel(): void;
}

/** The page, as far as installing it goes. */
export interface InstallHost {
  readonly events: EventTarget;
  /** May throw: a browser can close its storage. */
  readonly storage: () => Pick<Storage, 'getItem' | 'setItem'>;
  readonly matchMedia: (query: string) => Pick<MediaQueryList, 'matches' | 'addEventListener'>;
  readonly navigator: {
    readonly userAgent: string;
    readonly maxTouchPoints?: number;
    /** Safari's own word for 'opened from the home screen'. */
    readonly standalone?: boolean;
  };
  readonly early?: EarlyInstallEvent;
  /** What names in local storage begin with: letters and digits, `wardline` unless told. */
  readonly prefix?: string;
}

const hideKey = ({ prefix = STORAGE_PREFIX }: InstallHost): string => `${checkPrefix(prefix)}-hide-install`;

/** Makes the offer of this page. Hidden once installed, and for good once dismissed. */
export function createInstallPrompt(host: InstallHost): InstallPrompt {
  const media = host.matchMedia(INSTALLED_QUERY);
  const isInstalled = media.matches || host.navigator.standalone === true;
  const isHidden = wasDismissed(host);
  const state = createSource<InstallState>({ isOffered: false, steps: [], isInstalled });
  let offer: BeforeInstallPromptEvent | null = null;

  const hide = (part: Partial<InstallState> = {}): void => {
    offer = null;
    state.set({ ...state.get(), isOffered: false, steps: [], ...part });
  };
  const take = (event: BeforeInstallPromptEvent | null): void => {
    if (event === null) return;
    offer = event;
    state.set({ ...state.get(), isOffered: true });
  };
  const onOffer = (event: Event): void => {
    event.preventDefault();
    take(event as BeforeInstallPromptEvent);
  };

  media.addEventListener('change', () => {
    if (media.matches) hide({ isInstalled: true });
  });
  host.events.addEventListener('appinstalled', () => hide({ isInstalled: true }));
  const early = host.early?.take() ?? null;
  if (!isHidden && !isInstalled) {
    host.events.addEventListener('beforeinstallprompt', onOffer);
    take(early);
    if (isIosSafari(host.navigator)) state.set({ isOffered: true, steps: IOS_STEPS, isInstalled });
  }

  return {
    get: state.get,
    subscribe: state.subscribe,
    async install() {
      const event = offer;
      if (event === null) return undefined;
      // An offer can be used once; a browser that still wants to be installed makes another.
      hide();
      await event.prompt();
      return await event.userChoice;
    },
    cancel() {
      host.events.removeEventListener('beforeinstallprompt', onOffer);
      hide();
      try {
        host.storage().setItem(hideKey(host), 'true');
      } catch {
        // Storage is full or closed: it is hidden for this page.
      }
    },
  };
}

function wasDismissed(host: InstallHost): boolean {
  const key = hideKey(host);
  try {
    return host.storage().getItem(key) === 'true';
  } catch {
    return false;
  }
}

/** Safari only: browsers inside other apps cannot add to the home screen. An iPad calls itself a Macintosh with touch. */
function isIosSafari({ userAgent, maxTouchPoints = 0 }: InstallHost['navigator']): boolean {
  const isIos = /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1);
  return isIos && userAgent.includes('Safari');
}

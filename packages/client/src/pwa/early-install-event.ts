/** What a browser hands over when the app can be installed. */
export interface BeforeInstallPromptEvent extends Event {
  prompt(): Promise<unknown>;
  readonly userChoice: Promise<InstallChoice>;
}

export interface InstallChoice {
  readonly outcome: 'accepted' | 'dismissed';
  readonly platform: string;
}

/** The offer to install, should it come before the part of the app that shows it. */
export interface EarlyInstallEvent {
  /** The offer, if there was one; from now on nobody listens here. */
  take(): BeforeInstallPromptEvent | null;
}

/** Listens from the first moment on, because a browser makes its offer once and may make it early. Belongs in the entry. */
export function catchInstallEvent(target: EventTarget = window): EarlyInstallEvent {
  let caught: BeforeInstallPromptEvent | null = null;
  const keep = (event: Event): void => {
    event.preventDefault();
    caught = event as BeforeInstallPromptEvent;
  };
  target.addEventListener('beforeinstallprompt', keep);
  return {
    take() {
      target.removeEventListener('beforeinstallprompt', keep);
      return caught;
    },
  };
}

import type { Voice } from '@wardline/contract/chat/attachments.ts';

/** A file that goes with a message of mine, as this device knows it before the server does. */
export interface FileRef {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  /** What the browser takes it for; empty where it does not know. */
  readonly type: string;
  /** It is a voice note. */
  readonly voice?: Voice;
  /** To whom it goes, where no open chat with them was there when it was chosen. */
  readonly direct?: DirectPlace;
}

/** A person of a facility, or one of its on-call roles. */
export type DirectPlace = { readonly facilityId: string } & ({ readonly userId: string } | { readonly roleId: string });

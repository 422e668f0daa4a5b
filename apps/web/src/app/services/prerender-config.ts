import type { ClientConfig } from '@wardline/contract/config.ts';

/** What screens ask of the configuration, as it stands before /config.json was read. */
export type ScreenConfig = Pick<
  ClientConfig,
  'product_name' | 'sign_up' | 'contact' | 'passkeys' | 'sso' | 'mode' | 'mail'
>;

/** Pages that are rendered ahead of time are drawn with this, and so is their first moment in the browser. */
export const prerenderConfig: ScreenConfig = {
  product_name: 'Wardline',
  sign_up: 'invitation',
  mode: 'cookie',
  // As our own server has them; another back end's page takes the button away.
  passkeys: { is_offered: true },
  sso: [],
  mail: { is_sent: true },
  contact: { email: null, latitude: null, longitude: null },
};

export interface Sender {
  readonly name: string;
  readonly address: string;
}

const SPECIALS = String.raw`\s\p{C}@<>()[\]\\,;:"`;
const BARE_ADDRESS = new RegExp(`^[^${SPECIALS}]{1,64}@[^${SPECIALS}]{1,253}$`, 'u');

/** True for exactly one address without name, quotes, comment or anything else that a mail server could read as two. */
export function isBareAddress(text: string): boolean {
  return BARE_ADDRESS.test(text);
}

/** `address` or `Name <address>`; null for anything else. */
export function readSender(text: string): Sender | null {
  const [, name = '', inside] = /^([^<>\p{C}]*)<([^<>]*)>$/u.exec(text) ?? [];
  const sender = { name: name.trim(), address: inside ?? text };
  return isBareAddress(sender.address) ? sender : null;
}

/** A DATABASE_URL as a URL: that of a socket names no host (`postgres://owner@/wardline?host=/run/postgresql`), which URL does not take. */
export function readDatabaseAddress(text: string): URL {
  return new URL(withHost(text));
}

export function isDatabaseAddress(text: string): boolean {
  return URL.canParse(withHost(text));
}

const withHost = (text: string) => text.replace('@/', '@localhost/');

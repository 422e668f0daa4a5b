/** The build this page belongs to. It stands in the page and not in the code, whose own hash is part of it. */
export function buildId(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content ?? 'dev';
}

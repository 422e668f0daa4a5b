/** The path whose page the root element already holds; null when it is empty or was made for another address. */
export function renderedPath(root: HTMLElement, pathname: string): string | null {
  const path = root.dataset['path'];
  return path !== undefined && path === trimmed(pathname) ? path : null;
}

/** A static host may answer `/about/` where our own server answers `/about`. */
export function trimmed(pathname: string): string {
  return pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname;
}

import { createContext, use, useEffect } from 'react';

/** The product's name as the configuration gives it. */
export const ProductNameContext = createContext('Wardline');

export function useProductName(): string {
  return use(ProductNameContext);
}

/** Takes the title of a page that is rendered ahead, where no window has one. */
export const TitleSinkContext = createContext<((title: string) => void) | null>(null);

/** `{page} - {product}`; with no page, the product alone. */
export function titleOf(page: string | null, product: string): string {
  return page ? `${page} - ${product}` : product;
}

const shown = { title: '', unread: 0 };

/** Puts a part of the window's title anew: what it names, or how many chats are unread. */
function show(change: Partial<typeof shown>): void {
  Object.assign(shown, change);
  document.title = shown.unread > 0 ? `(${shown.unread}) ${shown.title}` : shown.title;
}

/** The number of unread chats, for who has another window before them: in the title and on an installed app's icon. */
export function useUnreadBadge(unread: number): void {
  useEffect(() => {
    show({ unread });
    setAppBadge(unread);
  }, [unread]);
  useEffect(
    () => () => {
      show({ unread: 0 });
      setAppBadge(0);
    },
    [],
  );
}

/** Zero takes the badge away. */
export function setAppBadge(count: number): void {
  // A browser may have none, or refuse it to what is not installed.
  navigator.setAppBadge?.(count).catch(() => undefined);
}

/** The window's title where there is no page, or it failed (SHELL-4, NAV-8). */
export function useErrorTitle(): void {
  const product = useProductName();
  useEffect(() => {
    show({ title: `Error | ${product}` });
  }, [product]);
}

/** Keeps the window's title while the page is shown. */
export function usePageTitle(page: string | null): void {
  const product = useProductName();
  use(TitleSinkContext)?.(titleOf(page, product));
  useEffect(() => {
    show({ title: titleOf(page, product) });
  }, [page, product]);
}

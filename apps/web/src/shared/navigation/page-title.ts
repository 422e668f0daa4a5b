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

/** The window's title where there is no page, or it failed (SHELL-4, NAV-8). */
export function useErrorTitle(): void {
  const product = useProductName();
  useEffect(() => {
    document.title = `Error | ${product}`;
  }, [product]);
}

/** Keeps the window's title while the page is shown. */
export function usePageTitle(page: string | null): void {
  const product = useProductName();
  use(TitleSinkContext)?.(titleOf(page, product));
  useEffect(() => {
    document.title = titleOf(page, product);
  }, [page, product]);
}

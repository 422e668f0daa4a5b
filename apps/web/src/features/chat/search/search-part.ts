import { lazyPart } from '#/shared/lazy/lazy-part.tsx';

/** The page of the search; its code comes with the first one. */
export const SearchScreen = lazyPart(async () => (await import('./search-screen.tsx')).SearchScreen);

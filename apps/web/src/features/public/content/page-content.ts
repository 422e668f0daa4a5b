/** A heading with what stands under it. */
export interface Passage {
  readonly title: string;
  readonly text: string;
}

/** A chapter of prose. */
export interface Chapter {
  readonly id: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly points?: readonly Passage[];
}

export interface LandingContent {
  readonly title: string;
  readonly lead: string;
  readonly talk: { readonly title: string; readonly points: readonly Passage[] };
  readonly offline: Passage;
  readonly data: { readonly title: string; readonly points: readonly Passage[] };
  readonly entry: Passage;
}

export interface AboutContent {
  readonly title: string;
  readonly lead: string;
  readonly chapters: readonly Chapter[];
}

export interface ContactsContent {
  readonly title: string;
  readonly lead: string;
  readonly hints: readonly Passage[];
}

/** What the public pages say, by their addresses. */
export interface PublicContent {
  readonly '/': LandingContent;
  readonly '/about': AboutContent;
  readonly '/contacts': ContactsContent;
}

/** Talks to the other tabs of this browser on this site; one's own words are not heard. */
export interface TabChannel<Word> {
  post(word: Word): void;
  close(): void;
}

/** Opens a channel between tabs by name. */
export type OpenTabChannel = <Word>(name: string, onWord: (word: Word) => void) => TabChannel<Word>;

/** By BroadcastChannel; where there is none, a tab is alone. */
export const openTabChannel: OpenTabChannel = (name, onWord) => {
  if (typeof BroadcastChannel === 'undefined') return { post: () => undefined, close: () => undefined };
  const channel = new BroadcastChannel(name);
  channel.onmessage = (event) => onWord(event.data);
  return {
    post: (word) => channel.postMessage(word),
    close: () => channel.close(),
  };
};

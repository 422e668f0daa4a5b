import type { VirtualItem } from '@tanstack/react-virtual';

interface Anchored {
  readonly measurementsCache: readonly VirtualItem[];
  getVirtualItemForOffset: (offset: number) => VirtualItem | undefined;
}

/**
 * Makes a list hold on to a message when rows are put before it. Left alone it takes the first row in view, and a day
 * separator or a gap at the top of the chat moves or goes with what is put there, which would take the view along.
 */
export function anchorToMessages(list: Anchored, isMessage: (key: VirtualItem['key']) => boolean): void {
  const find = list.getVirtualItemForOffset;
  list.getVirtualItemForOffset = (offset) => {
    const first = find(offset);
    let item = first;
    while (item && !isMessage(item.key)) item = list.measurementsCache[item.index + 1];
    return item ?? first;
  };
}

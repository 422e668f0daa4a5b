import { useEffect, useEffectEvent, useRef, useState } from 'react';

interface FileDropsProps {
  /** Takes what was dropped; without it nothing comes of it. */
  readonly onFiles?: (files: readonly File[]) => void;
}

/** Takes files that somebody drags over the page, and says that they can be dropped. One that nobody took would open in its place. */
export function FileDrops({ onFiles }: FileDropsProps) {
  const [isDropping, setIsDropping] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const take = useEffectEvent((event: DragEvent) => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    clearTimeout(timer.current);
    setIsDropping(event.type === 'dragover');
    // A browser tells of the way over the page all the time, and not always of its end.
    if (event.type === 'dragover') timer.current = setTimeout(() => setIsDropping(false), 300);
    else if (event.dataTransfer.files.length > 0) onFiles?.([...event.dataTransfer.files]);
  });
  useEffect(() => {
    const listener = (event: DragEvent) => take(event);
    const kinds = ['dragover', 'drop'] as const;
    for (const kind of kinds) window.addEventListener(kind, listener);
    return () => {
      for (const kind of kinds) window.removeEventListener(kind, listener);
    };
  }, []);
  return onFiles && isDropping && <p className="drop-here">Drop files to attach them</p>;
}

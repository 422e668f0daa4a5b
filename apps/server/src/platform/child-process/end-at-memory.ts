const LOOK_EVERY_MS = 20;

/** Ends this process once it holds so much: buffers lie outside of Node's heap, where no limit of Node reaches. */
export function endAtMemory(mostBytes: number): void {
  setInterval(() => {
    if (process.memoryUsage.rss() > mostBytes) process.kill(process.pid, 'SIGKILL');
  }, LOOK_EVERY_MS).unref();
}

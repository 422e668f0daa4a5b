import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';

/** What a Node process says of itself over its inspector (`--inspect=127.0.0.1:PORT`). */
export interface Inspector {
  /** Bytes of the heap that are in use after all garbage is collected. */
  heapWithoutGarbage(): Promise<number>;
  /** The value of a JavaScript expression in the process. */
  evaluate(expression: string): Promise<unknown>;
  close(): void;
}

interface Answer {
  readonly id: number;
  readonly result?: object;
  readonly error?: { readonly message: string };
}

/** Connects to the inspector at a port of this machine, which may still be starting. */
export async function openInspector(port: number): Promise<Inspector> {
  const socket = new WebSocket(await urlOf(port), { perMessageDeflate: false });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  const waiting = new Map<number, (answer: Answer) => void>();
  socket.on('message', (data: Buffer) => {
    const answer = JSON.parse(String(data)) as Answer;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  let asked = 0;

  async function ask(method: string, params: object = {}): Promise<object> {
    const id = ++asked;
    const { result, error } = await new Promise<Answer>((resolve) => {
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
    if (result === undefined) throw new Error(`${method}: ${error?.message}`);
    return result;
  }

  return {
    async heapWithoutGarbage() {
      await ask('HeapProfiler.collectGarbage');
      return ((await ask('Runtime.getHeapUsage')) as { usedSize: number }).usedSize;
    },
    async evaluate(expression) {
      const reply = (await ask('Runtime.evaluate', { expression, returnByValue: true })) as {
        result: { value?: unknown };
        exceptionDetails?: { text: string };
      };
      if (reply.exceptionDetails) throw new Error(`${expression}: ${reply.exceptionDetails.text}`);
      return reply.result.value;
    },
    close() {
      socket.terminate();
    },
  };
}

async function urlOf(port: number): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    try {
      const [target] = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
        webSocketDebuggerUrl: string;
      }[];
      if (target !== undefined) return target.webSocketDebuggerUrl;
    } catch (error) {
      if (attempt === 50) throw error;
    }
    await sleep(100);
  }
}

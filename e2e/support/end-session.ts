import type { BrowserContext } from '@playwright/test';

/** Ends this browser's session on the server, by another client that has the same cookies; the browser hears nothing. */
export async function endSessionElsewhere(context: BrowserContext, baseUrl: string): Promise<void> {
  const cookies = await context.cookies(baseUrl);
  const token = cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '';
  const answer = await fetch(`${baseUrl}/logout`, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
      'x-xsrf-token': decodeURIComponent(token),
    },
  });
  if (answer.status !== 204) throw new Error(`The session was not ended: ${answer.status}`);
}

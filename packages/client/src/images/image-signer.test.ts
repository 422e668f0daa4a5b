import { expect, it } from 'vitest';
import { transportError } from '#/http/api-error.ts';
import { createImageSigner } from './image-signer.ts';
import { imageSources } from './image-sources.ts';

const sources = (name: string) => {
  const made = imageSources(`/storage/${name}.png`, { width: 48, height: 48 }, { mediaHost: '' });
  if (made === null) throw new Error('There are none');
  return made;
};

/** A server that signs all but what is secret. */
function setup({ origin = '' } = {}) {
  const asked: (readonly string[])[] = [];
  const server = { isDown: false, nowMs: 0 };
  const call = async (_endpoint: unknown, { body }: { body: { addresses: readonly string[] } }) => {
    asked.push(body.addresses);
    if (server.isDown) throw transportError('network', 'The server could not be reached.');
    const addresses = body.addresses.map((each) => (each.includes('secret') ? null : `${each}?n=${asked.length}`));
    return { addresses, expires_in_s: 60 };
  };
  const signer = createImageSigner({ call: call as never, origin, now: () => server.nowMs });
  return { asked, server, signer };
}

it('F-C3 IMG-1 signs every address of the sources, at the origin of the proxy', async () => {
  const { signer } = setup({ origin: 'https://api.ward.test' });
  expect(await signer.sign(sources('a'))).toEqual({
    src: 'https://api.ward.test/_img/f_webp&q_80&s_48x48/storage/a.png?n=1',
    srcSet:
      'https://api.ward.test/_img/f_webp&q_80&s_48x48/storage/a.png?n=1 1x, ' +
      'https://api.ward.test/_img/f_webp&q_80&s_96x96/storage/a.png?n=1 2x',
  });
});

it('F-C3 asks once for all pictures of a page, at most 100 at a time and each address once', async () => {
  const { asked, signer } = setup();
  const names = Array.from({ length: 60 }, (_name, n) => `p${n}`);
  await Promise.all([...names, 'p0', 'p1'].map((name) => signer.sign(sources(name))));
  expect(asked.map((addresses) => addresses.length)).toEqual([100, 20]);
  expect(new Set(asked.flat()).size).toBe(120);
});

it('F-C3 asks again only for addresses that are about to be late', async () => {
  const { asked, server, signer } = setup();
  await signer.sign(sources('a'));
  server.nowMs = 49_999;
  expect((await signer.sign(sources('a')))?.src).toContain('?n=1');
  server.nowMs = 50_000;
  expect((await signer.sign(sources('a')))?.src).toContain('?n=2');
  expect(asked).toHaveLength(2);
});

it('F-C3 gives nothing for what may not be seen, and asks again after a failure', async () => {
  const { asked, server, signer } = setup();
  const [hidden, shown] = await Promise.all([signer.sign(sources('secret')), signer.sign(sources('a'))]);
  expect([hidden, shown?.src.includes('/a.png')]).toEqual([null, true]);
  server.isDown = true;
  await expect(signer.sign(sources('b'))).rejects.toThrow('could not be reached');
  server.isDown = false;
  expect((await signer.sign(sources('b')))?.src).toContain('?n=3');
  expect(asked).toHaveLength(3);
});

it('F-C3 leaves a picture that only this page has as it is', async () => {
  const { asked, signer } = setup({ origin: 'https://api.ward.test' });
  expect(await signer.sign({ src: 'blob:x', srcSet: '' })).toEqual({ src: 'blob:x', srcSet: '' });
  expect(asked).toEqual([]);
});

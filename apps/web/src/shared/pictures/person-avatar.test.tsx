// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, render, waitFor } from '@testing-library/react';
import { IMAGE_SIDES } from '@wardline/contract/images.ts';
import { describe, expect, it, vi } from 'vitest';
import { CallContext } from '#/shared/contexts/call-context.ts';
import { type PageConfig, PageConfigContext } from '#/shared/contexts/page-config.ts';
import { PersonAvatar } from './person-avatar.tsx';

interface DrawOptions {
  readonly size?: 24 | 40;
  readonly config?: Partial<PageConfig>;
  readonly call?: (endpoint: object, input: { body: { addresses: readonly string[] } }) => Promise<object>;
}

function draw(url: string | null, { size, config, call }: DrawOptions = {}) {
  const images = { media_host: 'https://media.ward.test' };
  const { container } = render(
    <CallContext value={(call ?? null) as never}>
      <PageConfigContext value={{ base_url: '', mode: 'cookie', icons: { hosts: [] }, images, ...config }}>
        <PersonAvatar name="Ana Reyes" url={url} {...(size && { size })} />
      </PageConfigContext>
    </CallContext>,
  );
  return { container, picture: container.querySelector('img') };
}

describe('the picture of a person', () => {
  it('IMG-1 goes through the proxy, cut to its size, for screens of one and of two dots per pixel', () => {
    const { picture } = draw('/storage/avatars/k');
    expect(picture?.getAttribute('src')).toBe('/_img/f_webp&q_80&fit_cover&s_32x32/storage/avatars/k');
    expect(picture?.getAttribute('srcset')).toBe(
      '/_img/f_webp&q_80&fit_cover&s_32x32/storage/avatars/k 1x, /_img/f_webp&q_80&fit_cover&s_64x64/storage/avatars/k 2x',
    );
  });

  it('IMG-1 of the media host goes by the alias; one of any other host is not asked for', () => {
    expect(draw('https://media.ward.test/a/k.png', { size: 40 }).picture?.getAttribute('src')).toBe(
      '/_img/f_webp&q_80&fit_cover&s_40x40/storage/a/k.png',
    );
    const { container, picture } = draw('https://evil.example/k.png');
    expect(picture).toBeNull();
    expect(container.textContent).toBe('AR');
  });

  it('UI-1 IMG-1 initials stand where there is none, and where it does not load', () => {
    expect(draw(null).container.textContent).toBe('AR');
    const { container, picture } = draw('/storage/avatars/k');
    if (picture) fireEvent.error(picture);
    expect(container.textContent).toBe('AR');
  });

  it('F-C3 IMG-1 is at the back end where that has an origin of its own', () => {
    const { picture } = draw('/storage/avatars/k', { config: { base_url: 'https://api.ward.test' } });
    expect(picture?.getAttribute('src')).toMatch(/^https:\/\/api\.ward\.test\/_img\/.*32x32\/storage\/avatars\/k$/);
  });

  it('F-C3 IMG-1 comes by signed addresses in token mode, asked for at once, and never by others', async () => {
    const asked: string[] = [];
    const call = async (_endpoint: object, { body }: { body: { addresses: readonly string[] } }) => {
      asked.push(...body.addresses);
      return { addresses: body.addresses.map((address) => `${address}?signed`), expires_in_s: 60 };
    };
    const config = { mode: 'token', base_url: 'https://api.ward.test' } as const;
    const { container, picture } = draw('/storage/avatars/k', { config, call });
    expect([picture, container.textContent]).toEqual([null, 'AR']);
    await waitFor(() => expect(container.querySelector('img')).not.toBeNull());
    const shown = container.querySelector('img');
    const at = (side: number) =>
      `https://api.ward.test/_img/f_webp&q_80&fit_cover&s_${side}x${side}/storage/avatars/k?signed`;
    expect(shown?.getAttribute('src')).toBe(at(32));
    expect(shown?.getAttribute('srcset')).toBe(`${at(32)} 1x, ${at(64)} 2x`);
    expect(shown?.getAttribute('loading')).toBe('eager');
    expect(asked).toHaveLength(2);
  });

  it('F-C3 UI-1 initials stand in token mode for a picture that may not be seen, or cannot be asked for', async () => {
    const answers = [
      async () => ({ addresses: [null, null], expires_in_s: 60 }),
      () => Promise.reject(new Error('404')),
    ];
    for (const answer of answers) {
      const call = vi.fn(answer);
      const { container } = draw('/storage/avatars/k', { config: { mode: 'token' }, call });
      await waitFor(() => expect(call).toHaveBeenCalled());
      expect([container.querySelector('img'), container.textContent]).toEqual([null, 'AR']);
    }
  });

  it.each([16, 20, 24, 28, 32, 36, 40, 44, 48])('IMG-1 the proxy makes the sides of an avatar of %i px', (size) => {
    expect(IMAGE_SIDES).toContain(size);
    expect(IMAGE_SIDES).toContain(2 * size);
  });
});

// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { fireEvent, render } from '@testing-library/react';
import { IMAGE_SIDES } from '@wardline/contract/images.ts';
import { describe, expect, it } from 'vitest';
import { PageConfigContext } from '#/shared/contexts/page-config.ts';
import { PersonAvatar } from './person-avatar.tsx';

function draw(url: string | null, size?: 24 | 40) {
  const config = { icons: { hosts: [] }, images: { media_host: 'https://media.ward.test' } };
  const { container } = render(
    <PageConfigContext value={config}>
      <PersonAvatar name="Ana Reyes" url={url} {...(size && { size })} />
    </PageConfigContext>,
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
    expect(draw('https://media.ward.test/a/k.png', 40).picture?.getAttribute('src')).toBe(
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

  it.each([16, 20, 24, 28, 32, 36, 40, 44, 48])('IMG-1 the proxy makes the sides of an avatar of %i px', (size) => {
    expect(IMAGE_SIDES).toContain(size);
    expect(IMAGE_SIDES).toContain(2 * size);
  });
});

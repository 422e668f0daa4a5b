import { describe, expect, it } from 'vitest';
import { imageSources, sizedImageSources } from './image-sources.ts';
import { type ImageOptions, imageUrl } from './image-url.ts';

const here = { mediaHost: '' };
const media = { mediaHost: 'https://media.ward.test' };

describe('the address', () => {
  it.each<[ImageOptions, string]>([
    [{}, '/_img/f_webp&q_80/img/x.png'],
    [{ width: 640 }, '/_img/w_640&f_webp&q_80/img/x.png'],
    [{ height: 480 }, '/_img/h_480&f_webp&q_80/img/x.png'],
    [{ width: 640, height: 480 }, '/_img/f_webp&q_80&s_640x480/img/x.png'],
    [{ width: 48, height: 48, fit: 'cover' }, '/_img/f_webp&q_80&fit_cover&s_48x48/img/x.png'],
    [
      { width: 640, fit: 'contain', format: 'jpeg', quality: 90, background: 'ffffff' },
      '/_img/w_640&f_jpeg&q_90&b_ffffff&fit_contain/img/x.png',
    ],
  ])('IMG-1 has its modifiers in one order: %j', (options, url) => {
    expect(imageUrl('/img/x.png', options, here)).toBe(url);
    expect(imageUrl('img/x.png', options, here)).toBe(url);
  });

  it('F-C3 IMG-1 is at the back end where that has an origin of its own', () => {
    const place = { mediaHost: '', origin: 'https://api.ward.test' };
    expect(imageUrl('/img/x.png', {}, place)).toBe('https://api.ward.test/_img/f_webp&q_80/img/x.png');
    expect(imageSources('/img/x.png', { width: 48 }, place)?.srcSet.match(/https:\/\/api/g)).toHaveLength(2);
  });

  it('IMG-1 holds its path encoded', () => {
    expect(imageUrl('/storage/Ward 3/what?.png#1', {}, here)).toBe(
      '/_img/f_webp&q_80/storage/Ward%203/what%3F.png%231',
    );
    expect(imageUrl('/storage/\\\\evil.example', {}, here)).toBe('/_img/f_webp&q_80/storage/%5C%5Cevil.example');
  });

  it('IMG-1 of the media host goes by the alias, not twice encoded', () => {
    expect(imageUrl('https://media.ward.test/avatars/Ward%203.png', { width: 48 }, media)).toBe(
      '/_img/w_48&f_webp&q_80/storage/avatars/Ward%203.png',
    );
  });

  it.each([
    'https://evil.example/x.png',
    'https://media.ward.test.evil.example/x.png',
    'https://media.ward.test:8443/x.png',
    'http://media.ward.test/x.png',
    'https://user@media.ward.test/x.png',
    'https://media.ward.test/%E0%A4%A',
    '//media.ward.test/x.png',
    '\\\\evil.example/x.png',
    '/\\evil.example/x.png',
    'data:image/png;base64,AAAA',
    'javascript:alert(1)',
    'HTTPS://evil.example/x.png',
    'https://',
    '/storage/../api/user',
    '/storage/./x.png',
    '',
    '/',
  ])('IMG-1 of anything else there is none: %s', (src) => {
    expect(imageUrl(src, {}, media)).toBeNull();
  });

  it('IMG-1 without a media host no other host is known', () => {
    expect(imageUrl('https://media.ward.test/x.png', {}, here)).toBeNull();
  });

  it('IMG-1 of a picture that only this page has is the picture’s own', () => {
    expect(imageUrl('blob:https://ward.test/1', { width: 48 }, here)).toBe('blob:https://ward.test/1');
    expect(imageSources('blob:https://ward.test/1', { width: 48 }, here)).toEqual({
      src: 'blob:https://ward.test/1',
      srcSet: '',
    });
  });
});

describe('the addresses to choose from', () => {
  it('IMG-1 are for screens of one and two pixels per dot', () => {
    expect(imageSources('/x.png', { width: 48, height: 24, fit: 'cover' }, here)).toEqual({
      src: '/_img/f_webp&q_80&fit_cover&s_48x24/x.png',
      srcSet: '/_img/f_webp&q_80&fit_cover&s_48x24/x.png 1x, /_img/f_webp&q_80&fit_cover&s_96x48/x.png 2x',
    });
    expect(imageSources('/x.png', { width: 48, densities: [3] }, here)?.srcSet).toBe(
      '/_img/w_144&f_webp&q_80/x.png 3x',
    );
  });

  it('IMG-1 follow the breakpoints, narrowest first and each width once', () => {
    const sources = sizedImageSources('/x.png', { sizes: 'sm:100vw md:50vw lg:400px' }, here);
    const widths = [384, 400, 640, 768, 800, 1280];
    expect(sources?.srcSet).toBe(widths.map((width) => `/_img/w_${width}&f_webp&q_80/x.png ${width}w`).join(', '));
    expect(sources?.sizes).toBe('(max-width: 768px) 100vw, (max-width: 1024px) 50vw, 400px');
    expect(sources?.src).toBe('/_img/w_1280&f_webp&q_80/x.png');
  });

  it('IMG-1 know the breakpoints from xs 320 to 2xl 1536', () => {
    const sources = sizedImageSources('/x.png', { sizes: '2xl:100vw xs:100vw xl:100vw', densities: [1] }, here);
    expect(sources?.srcSet.match(/\d+w(?=,|$)/g)).toEqual(['320w', '1280w', '1536w']);
    expect(sources?.sizes).toBe('(max-width: 1280px) 100vw, (max-width: 1536px) 100vw, 100vw');
  });

  it('IMG-1 keep the proportion where both sides are given, and begin with the size that has no breakpoint', () => {
    const sources = sizedImageSources(
      '/x.png',
      { width: 400, height: 300, sizes: '100vw md:200', densities: [1] },
      here,
    );
    expect(sources?.srcSet).toBe('/_img/f_webp&q_80&s_200x150/x.png 200w, /_img/f_webp&q_80&s_320x240/x.png 320w');
    expect(sources?.sizes).toBe('(max-width: 768px) 100vw, 200px');
  });

  it('IMG-1 have only sides that the proxy makes, where it makes only some', () => {
    const place = { mediaHost: '', sides: [48, 96, 320, 512, 640] };
    expect(imageUrl('/x.png', { width: 50, height: 48 }, place)).toBe('/_img/f_webp&q_80&s_96x48/x.png');
    expect(sizedImageSources('/x.png', { sizes: '300px', densities: [1, 2] }, place)?.srcSet).toBe(
      '/_img/w_320&f_webp&q_80/x.png 320w, /_img/w_640&f_webp&q_80/x.png 640w',
    );
    expect(imageUrl('/x.png', { width: 9000 }, place)).toBe('/_img/w_640&f_webp&q_80/x.png');
  });

  it.each(['rubbish', 'md:', 'md:50em', 'none:100vw'])('IMG-1 leave out a size that cannot be read: %s', (sizes) => {
    expect(sizedImageSources('/x.png', { width: 48, sizes }, here)).toEqual(
      imageSources('/x.png', { width: 48 }, here),
    );
  });

  it('IMG-1 of another host there are none', () => {
    expect(imageSources('https://evil.example/x.png', { width: 48 }, media)).toBeNull();
  });
});

// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { render, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type PageConfig, PageConfigContext } from '#/shared/contexts/page-config.ts';
import { RemoteIcon } from './remote-icon.tsx';

const bed = { prefix: 'lucide', icons: { bed: { body: '<path d="M2 4v16"/>' } }, width: 24, height: 24 };
const ask = vi.fn<(url: string) => Promise<Response>>();

beforeEach(() => {
  ask.mockReset();
  ask.mockImplementation(async () => Response.json(bed));
  vi.stubGlobal('fetch', ask);
  URL.createObjectURL = () => 'blob:icon';
  URL.revokeObjectURL = () => undefined;
});
afterEach(() => void vi.unstubAllGlobals());

function draw(...names: string[]) {
  const config: PageConfig = {
    ...{ base_url: '', mode: 'cookie' },
    icons: { hosts: ['/icons/_nuxt_icon'] },
    images: { media_host: '' },
  };
  const { container } = render(
    <PageConfigContext value={config}>
      {names.map((name) => (
        <RemoteIcon key={name} name={name} size="sm" />
      ))}
      <RemoteIcon name="lucide:bed" />
    </PageConfigContext>,
  );
  return () => [...container.querySelectorAll<HTMLElement>('.named-icon')];
}

describe('an icon that is not in the build', () => {
  it('ICON-1 is drawn once it has come, hidden from screen readers before and after', async () => {
    const icons = draw();
    expect(icons().map((icon) => icon.style.maskImage)).toEqual(['']);
    expect(icons()[0]?.getAttribute('aria-hidden')).toBe('true');
    await waitFor(() => expect(icons()[0]?.style.maskImage).toContain('blob:icon'));
    expect(icons()[0]?.getAttribute('aria-hidden')).toBe('true');
  });

  it('ICON-1 is asked from the configured host, many of a page in one query and each once', async () => {
    const icons = draw('lucide:sun', 'lucide:bed');
    await waitFor(() => expect(icons()[2]?.style.maskImage).toContain('blob:icon'));
    expect(ask.mock.calls.map(([url]) => url)).toEqual(['/icons/_nuxt_icon/lucide.json?icons=bed%2Csun']);
    expect(icons()[0]?.style.maskImage).toBe('');
  });
});

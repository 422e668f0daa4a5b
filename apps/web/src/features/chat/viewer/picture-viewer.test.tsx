// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { Region } from '@wardline/contract/examinations/regions.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type PageConfig, PageConfigContext } from '#/shared/contexts/page-config.ts';
import { createFakeApp } from '#/testing/fake-app.tsx';
import { PictureViewer, type PictureViewerProps } from './picture-viewer.tsx';

const config: PageConfig = { base_url: '', mode: 'cookie', icons: { hosts: [] }, images: { media_host: '' } };
const picture = (id: string, name: string) => ({
  file: { id, name, kind: 'image', mime: 'image/webp', bytes: 9, width: 1000, height: 500, blurhash: null },
  sender: 'Mira Okafor',
});
const pictures = [picture('a', 'chest.webp'), picture('b', 'chest-before.webp')];

function open(change: Partial<PictureViewerProps> = {}) {
  const onClose = vi.fn();
  createFakeApp().draw(<PictureViewer {...{ pictures, onClose }} first="a" {...change} />, (page) => (
    <PageConfigContext value={config}>{page}</PageConfigContext>
  ));
  return { onClose, dialog: within(screen.getByRole('dialog')) };
}
const press = (key: string, more: object = {}) => fireEvent.keyDown(document.activeElement ?? window, { key, ...more });
const status = () => screen.getByRole('status').textContent;
const stages = () => screen.getAllByRole('region');
/** The picture is drawn 1,000 pixels wide and 500 high. */
function layOut() {
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 1000, 500));
}
afterEach(() => vi.restoreAllMocks());

describe('EXAM-7 the picture viewer', () => {
  it('EXAM-7 SHELL-7 measures by keyboard: the cross is moved, Enter sets each end; Escape stops, and then closes', async () => {
    const { onClose } = open();
    press('m');
    expect(document.activeElement).toBe(stages()[0]);
    press('Enter');
    for (let step = 0; step < 3; step++) press('ArrowRight', { shiftKey: true });
    press('Enter');
    expect(status()).toBe('100 % · 300 px');
    press('Escape');
    expect(screen.getByRole('dialog')).toBeTruthy();
    press('Escape');
    await waitFor(() => expect(onClose).toHaveBeenCalled());
  });

  it('EXAM-7 shows two pictures beside each other; keys and buttons are about the one with the focus', () => {
    const { dialog } = open();
    press('s');
    expect(stages().map((stage) => stage.getAttribute('aria-label'))).toEqual([
      'Picture 1 of 2: chest.webp',
      'Picture 2 of 2: chest-before.webp',
    ]);
    press('l');
    act(() => stages()[0]?.focus());
    press('+');
    const scales = () => dialog.getAllByRole('img').map((img) => img.parentElement?.style.transform);
    expect(scales()).toEqual(['translate(0px, 0px) scale(1.5)', 'translate(0px, 0px) scale(1)']);
    fireEvent.click(dialog.getByRole('button', { name: 'Side by side' }));
    expect(stages()).toHaveLength(1);
  });

  it('EXAM-7 brightness and contrast by key and slider; the slider keeps its own keys', () => {
    const { dialog } = open();
    press('b');
    press('c', { shiftKey: true, key: 'C' });
    expect(dialog.getByRole('img').style.filter).toBe('brightness(1.1) contrast(0.9)');
    fireEvent.click(dialog.getByRole('button', { name: 'Brightness and contrast' }));
    const slider = dialog.getByRole('slider', { name: 'Brightness' });
    fireEvent.change(slider, { target: { value: '2' } });
    fireEvent.keyDown(slider, { key: 'ArrowRight' });
    expect(dialog.getByRole('img', { name: 'chest.webp, from Mira Okafor' }).style.filter).toBe(
      'brightness(2) contrast(0.9)',
    );
    press('r');
    expect(dialog.getByRole('img').style.filter).toBe('brightness(1) contrast(1)');
  });

  it('EXAM-7 arrows move an enlarged picture, and lead to the next one of a whole picture', () => {
    const { dialog } = open();
    press('+');
    press('ArrowRight');
    expect(dialog.getByRole('img').parentElement?.style.transform).toBe('translate(-60px, 0px) scale(1.5)');
    press('0');
    press('ArrowRight');
    expect(dialog.getByRole('img', { name: /^chest-before/ })).toBeTruthy();
  });

  it('EXAM-7 lists its keys, and puts the list away before it closes', () => {
    const { dialog } = open();
    press('?');
    expect(dialog.getByText('Side by side')).toBeTruthy();
    press('Escape');
    expect(dialog.queryByText('Move an enlarged picture')).toBeNull();
    expect(screen.getByRole('dialog')).toBeTruthy();
  });
});

describe('EXAM-2 marking where a finding is', () => {
  it('EXAM-2 a drag from corner to corner gives the place in shares of the picture, whichever corner was first', () => {
    layOut();
    const onMark = vi.fn<(region: Region) => void>();
    const { dialog } = open({ marking: { label: 'Nodule', onMark } });
    fireEvent.click(dialog.getByRole('button', { name: 'Mark with an ellipse' }));
    const [stage] = stages();
    if (!stage) throw new Error('no stage');
    fireEvent.pointerDown(stage, { pointerId: 1, clientX: 400, clientY: 250 });
    fireEvent.pointerMove(stage, { pointerId: 1, clientX: 100, clientY: 100 });
    fireEvent.pointerUp(stage, { pointerId: 1, clientX: 100, clientY: 100 });
    expect(onMark.mock.calls).toEqual([
      [{ attachment_id: 'a', shape: 'ellipse', x: 0.1, y: 0.2, width: 0.3, height: 0.3 }],
    ]);
  });

  it('EXAM-2 SHELL-7 by keyboard as well, and a press without a size marks nothing but a point', () => {
    const onMark = vi.fn<(region: Region) => void>();
    open({ marking: { label: 'Nodule', onMark } });
    press('q');
    press('Enter');
    press('Enter');
    expect(onMark).not.toHaveBeenCalled();
    press('p');
    press('Enter');
    press('Enter');
    expect(onMark.mock.lastCall).toEqual([{ attachment_id: 'a', shape: 'point', x: 0.5, y: 0.5, width: 0, height: 0 }]);
  });

  it('EXAM-2 nobody marks who only looks; what is marked is drawn on its picture alone, with its name', () => {
    const region: Region = { attachment_id: 'b', shape: 'rectangle', x: 0.1, y: 0.1, width: 0.2, height: 0.2 };
    const { dialog } = open({ regions: [{ region, label: 'Nodule' }] });
    expect(dialog.queryByRole('button', { name: /^Mark/ })).toBeNull();
    expect(document.querySelector('.viewer-lines rect')).toBeNull();
    press('PageDown');
    expect(document.querySelector('.viewer-lines rect')?.getAttribute('width')).toBe('0.2');
    expect(dialog.getByText('Nodule')).toBeTruthy();
  });
});

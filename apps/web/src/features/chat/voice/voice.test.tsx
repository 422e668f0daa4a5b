// @vitest-environment happy-dom
import '#/testing/dom.ts';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { Voice } from '@wardline/contract/chat/attachments.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setOnline } from '#/testing/fake-app.tsx';
import { RecordDialog } from './record-dialog.tsx';
import { VoicePlayer } from './voice-player.tsx';

const voice: Voice = { duration_ms: 42_000, peaks: [0, 20, 40, 60, 80, 100, 50, 10] };
const played: HTMLMediaElement[] = [];
const paused: HTMLMediaElement[] = [];
beforeEach(() => {
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockImplementation(async function play(this: HTMLMediaElement) {
    played.push(this);
    fireEvent.playing(this);
  });
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockImplementation(function pause(this: HTMLMediaElement) {
    paused.push(this);
    fireEvent.pause(this);
  });
});
afterEach(() => {
  played.splice(0);
  paused.splice(0);
  setOnline(true);
  vi.restoreAllMocks();
});

const button = (name: string | RegExp) => screen.getByRole('button', { name });
const slider = () => screen.getByRole('slider');

function draw(load: () => Promise<string | null>, given: Voice = voice) {
  return render(<VoicePlayer voice={given} label="voice note from Ana" load={load} />);
}

describe('a voice note', () => {
  it('CHAT-14 plays, is paused, sought by keys and played faster, and says where it is', async () => {
    const load = vi.fn(async () => '/storage/attachments/a/file');
    const { container } = draw(load);
    expect(container.textContent).toContain('0:42');
    expect(load).not.toHaveBeenCalled();
    fireEvent.click(button('Play voice note from Ana'));
    await waitFor(() => expect(button('Pause voice note from Ana')).toBeTruthy());
    const [audio] = played;
    if (!audio) throw new Error('nothing plays');
    audio.currentTime = 21;
    fireEvent.timeUpdate(audio);
    expect(slider().getAttribute('aria-valuetext')).toBe('0:21 of 0:42');
    expect(container.querySelectorAll('.is-played')).toHaveLength(4);
    fireEvent.change(slider(), { target: { value: '30000' } });
    expect(audio.currentTime).toBe(30);
    fireEvent.click(button('Speed: 1×'));
    expect([audio.playbackRate, button('Speed: 1.5×')]).toEqual([1.5, expect.anything()]);
    fireEvent.click(button('Pause voice note from Ana'));
    fireEvent.click(button('Play voice note from Ana'));
    await waitFor(() => expect(played).toHaveLength(2));
    expect(load).toHaveBeenCalledTimes(1);
    fireEvent.ended(audio);
    expect(slider().getAttribute('aria-valuetext')).toBe('0:00 of 0:42');
  });

  it('CHAT-14 whose address has ended meanwhile is asked for once more and goes on; twice it says so', async () => {
    const load = vi.fn(async () => '/storage/attachments/a/file?signed');
    draw(load);
    fireEvent.click(button(/Play/));
    await waitFor(() => expect(played).toHaveLength(1));
    const [audio] = played;
    if (!audio) throw new Error('nothing plays');
    audio.currentTime = 10;
    fireEvent.timeUpdate(audio);
    vi.mocked(HTMLMediaElement.prototype.play).mockRejectedValue(new Error('403'));
    fireEvent.error(audio);
    await waitFor(() => expect(load).toHaveBeenCalledTimes(2));
    expect(audio.currentTime).toBe(10);
    fireEvent.error(audio);
    expect((await screen.findByRole('alert')).textContent).toContain('can’t be played now');
  });

  it('CHAT-14 stops another that plays; without a shape it is a plain bar; without a network it says so', async () => {
    render(
      <>
        <VoicePlayer voice={voice} label="one" load={async () => '/one'} />
        <VoicePlayer voice={{ ...voice, peaks: null }} label="two" load={async () => null} />
      </>,
    );
    const [, two] = document.querySelectorAll('audio');
    fireEvent.click(button('Play one'));
    await waitFor(() => expect(paused).toEqual([two]));
    expect(document.querySelectorAll('svg.voice-wave')[1]?.querySelectorAll('rect')).toHaveLength(2);
    setOnline(false);
    fireEvent.click(button('Play two'));
    expect((await screen.findByRole('alert')).textContent).toBe('Not available offline');
  });
});

describe('the dialog that records', () => {
  function open() {
    const media = {
      ...{ mimeType: 'audio/webm', state: 'recording', start: vi.fn(), pause: vi.fn(), resume: vi.fn() },
      ondataavailable: null as ((event: { data: Blob }) => void) | null,
      onstop: null as (() => void) | null,
      stop: () => {
        media.ondataavailable?.({ data: new Blob(['said']) });
        media.onstop?.();
      },
    };
    const openMicrophone = vi.fn(async () => ({ getTracks: () => [] }) as unknown as MediaStream);
    const deps = {
      ...{ openMicrophone, createMeter: () => null, now: () => Date.now() },
      createRecorder: () => media as unknown as MediaRecorder,
    };
    const [onDone, onClose] = [vi.fn(), vi.fn()];
    render(<RecordDialog {...{ onDone, onClose, deps }} />);
    return { onDone, onClose, media, openMicrophone };
  }

  it('CHAT-14 records, pauses, lets one listen, and adds it to the message', async () => {
    const { onDone, media } = open();
    fireEvent.click(await screen.findByRole('button', { name: 'Pause' }));
    expect(media.pause).toHaveBeenCalled();
    fireEvent.click(button('Go on'));
    fireEvent.click(button('Stop'));
    fireEvent.click(await screen.findByRole('button', { name: 'Play what you said' }));
    await waitFor(() => expect(played[0]?.src).toMatch(/^blob:/));
    fireEvent.click(button('Add to message'));
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    expect(onDone.mock.calls[0]?.[0]).toMatchObject({ name: 'Voice note.weba', size: 4 });
  });

  it('CHAT-14 Escape ends the recording and does not lose it; the second one gives it up', async () => {
    const { onDone, onClose } = open();
    await screen.findByRole('button', { name: 'Stop' });
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
    expect(await screen.findByRole('button', { name: 'Add to message' })).toBeTruthy();
    expect(onClose).not.toHaveBeenCalled();
    act(() => void fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(onDone).not.toHaveBeenCalled();
  });
});

import { VOICE_MAX_MS } from '@wardline/contract/chat/attachments.ts';
import { formatPlayTime } from '@wardline/format/play-time.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { Dialog } from '@wardline/ui/dialog/dialog.tsx';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { browserRecorder } from './browser-recorder.ts';
import { createVoiceRecorder, type RecorderDeps, type RecorderState } from './recorder.ts';
import { VoicePlayer } from './voice-player.tsx';
import { Waveform } from './waveform.tsx';
import './voice.css';

/** As much of what was just said is shown while it is recorded. */
const SHOWN_LEVELS = 64;
const LAST_MS = 30_000;

interface RecordDialogProps {
  readonly onDone: (file: File) => void;
  readonly onClose: () => void;
  /** For tests. */
  readonly deps?: RecorderDeps;
}

/** Records a voice note, which can be listened to before it goes into the message. Opened by a press: that asks for the microphone. */
export function RecordDialog({ onDone, onClose, deps = browserRecorder }: RecordDialogProps) {
  const [isOpen, setIsOpen] = useState(true);
  const [recorder] = useState(() => createVoiceRecorder(deps));
  const state = useSyncExternalStore(recorder.subscribe, recorder.get);
  const taken = useRef<File>(null);
  useEffect(() => {
    void recorder.start();
    return recorder.close;
  }, [recorder]);
  const isRunning = state.phase === 'recording' || state.phase === 'paused';
  // Escape ends the recording first, so that nobody loses by one key what they said.
  const leave = () => (isRunning ? recorder.stop() : setIsOpen(false));
  const use = () => {
    if (state.phase === 'done') taken.current = state.file;
    setIsOpen(false);
  };
  return (
    <Dialog
      open={isOpen}
      onOpenChange={(open) => !open && leave()}
      onAfterLeave={() => {
        onClose();
        if (taken.current) onDone(taken.current);
      }}
      closesOutside={false}
      title="Voice note"
      footer={
        <>
          <Button variant="ghost" color="neutral" onClick={() => setIsOpen(false)}>
            {state.phase === 'done' ? 'Discard' : 'Cancel'}
          </Button>
          {state.phase === 'recording' && (
            <Button variant="outline" color="neutral" onClick={recorder.pause}>
              Pause
            </Button>
          )}
          {state.phase === 'paused' && (
            <Button variant="outline" color="neutral" onClick={recorder.resume}>
              Go on
            </Button>
          )}
          {isRunning && <Button onClick={recorder.stop}>Stop</Button>}
          {state.phase === 'done' && <Button onClick={use}>Add to message</Button>}
        </>
      }
    >
      <RecorderView state={state} />
    </Dialog>
  );
}

function RecorderView({ state }: { readonly state: RecorderState }) {
  if (state.phase === 'asking') return <p>Allow this page to use the microphone.</p>;
  if (state.phase === 'refused') {
    return (
      <p className="c-error" role="alert">
        {state.reason}
      </p>
    );
  }
  if (state.phase === 'done') {
    const { file, voice } = state;
    const isCut = voice.duration_ms >= VOICE_MAX_MS;
    return (
      <>
        <VoicePlayer voice={voice} label="what you said" load={async () => URL.createObjectURL(file)} />
        <p className="voice-hint" role="status">
          {isCut ? `It ended at ${formatPlayTime(VOICE_MAX_MS)}, which is the longest. ` : ''}Listen to it, or add it to
          the message.
        </p>
      </>
    );
  }
  const { phase, elapsedMs, levels } = state;
  const leftMs = VOICE_MAX_MS - elapsedMs;
  return (
    <>
      <div className={phase === 'recording' ? 'voice is-recording' : 'voice'}>
        <span className="voice-line">
          <Waveform peaks={lastOf(levels)} played={phase === 'recording' ? 1 : 0} />
        </span>
        <span className="voice-time num">{formatPlayTime(elapsedMs)}</span>
      </div>
      <p className="voice-hint" role="status">
        {phase === 'recording' ? 'Recording' : 'Paused'}
        {leftMs < LAST_MS && `, it ends at ${formatPlayTime(VOICE_MAX_MS)}`}
      </p>
    </>
  );
}

function lastOf(levels: readonly number[]): number[] {
  const last = levels.slice(-SHOWN_LEVELS);
  return [...Array.from({ length: SHOWN_LEVELS - last.length }, () => 0), ...last];
}

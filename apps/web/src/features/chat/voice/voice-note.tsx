import type { Attachment, Voice } from '@wardline/contract/attachments.ts';
import { usePlayableAddress } from '#/features/chat/attachments/file-address.ts';
import { VoicePlayer } from './voice-player.tsx';

interface VoiceNoteProps {
  readonly file: Attachment;
  readonly voice: Voice;
  /** Who sent it. */
  readonly sender: string;
}

/** A voice note of a message. */
export function VoiceNote({ file, voice, sender }: VoiceNoteProps) {
  const addressOf = usePlayableAddress();
  return <VoicePlayer voice={voice} label={`voice note from ${sender}`} load={() => addressOf(file.id)} />;
}

import type { Voice } from '@wardline/contract/chat/attachments.ts';

const voices = new WeakMap<File, Voice>();

/** Says of a file that it is a voice note, for who uploads it. */
export function markVoice(file: File, voice: Voice): File {
  voices.set(file, voice);
  return file;
}

export function voiceOf(file: File): Voice | undefined {
  return voices.get(file);
}

import { plainText } from '#/features/chat/core/message-markdown.ts';

export function WithoutMarks({ text }: { readonly text: string }) {
  return plainText(text);
}

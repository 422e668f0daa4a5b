import { type Chat, MESSAGE_BODY_MAX } from '@wardline/contract/chat/chat.ts';
import { formatIdentifier } from '@wardline/format/names.ts';
import { Button } from '@wardline/ui/button/button.tsx';
import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Textarea } from '@wardline/ui/input/textarea.tsx';
import { Chip } from '@wardline/ui/mark/chip.tsx';
import { useState } from 'react';

/** Who, what, how soon, what is asked; or free text in its place. */
export interface Template {
  readonly isFree: boolean;
  readonly text: string;
  readonly who: string;
  readonly what: string;
  readonly soon: string;
  readonly asked: string;
}

const SOON = ['Now', 'Within 15 min', 'Within 1 h'] as const;

/** Begins with the chat's patient; what was written already is free text. */
export function useTemplate(chat: Chat, text: string) {
  const [value, setValue] = useState<Template>(() => ({
    ...{ isFree: text.trim() !== '', text: text.trim(), who: whoOf(chat), what: '', soon: SOON[0], asked: '' },
  }));
  return { value, set: (change: Partial<Template>) => setValue((now) => ({ ...now, ...change })) };
}

function whoOf({ patient }: Chat): string {
  if (!patient) return '';
  const { name, identifier, bed } = patient;
  return [name, formatIdentifier(identifier), ...(bed ? [`bed ${bed}`] : [])].join(', ');
}

/** The words of the message; empty until what is asked, or the free text, is there. */
export function toBody({ isFree, text, who, what, soon, asked }: Template): string {
  if (isFree) return text.trim();
  if (what.trim() === '' && asked.trim() === '') return '';
  const lines = [
    [who, ''],
    [what, ''],
    [asked, 'Please: '],
    [soon, 'How soon: '],
  ] as const;
  return lines
    .filter(([part]) => part.trim() !== '')
    .map(([part, before]) => before + part.trim())
    .join('\n');
}

interface TemplateFieldsProps {
  readonly value: Template;
  readonly set: (change: Partial<Template>) => void;
  /** What is wrong with what is asked. */
  readonly error: string | undefined;
}

export function TemplateFields({ value, set, error }: TemplateFieldsProps) {
  if (value.isFree) {
    return (
      <div className="stack stack-1">
        <Textarea
          label="Message"
          dir="auto"
          value={value.text}
          maxLength={MESSAGE_BODY_MAX}
          error={error}
          onChange={({ target }) => set({ text: target.value })}
        />
        <Button className="urgent-swap" variant="link" size="sm" onClick={() => set({ isFree: false })}>
          Use the short form
        </Button>
      </div>
    );
  }
  const field = (name: 'who' | 'what' | 'asked', label: string, help?: string) => (
    <TextInput
      {...{ label, help }}
      dir="auto"
      autoComplete="off"
      value={value[name]}
      maxLength={400}
      error={name === 'asked' ? error : undefined}
      onChange={({ target }) => set({ [name]: target.value })}
    />
  );
  return (
    <div className="stack stack-3">
      {field('who', 'Who is it about')}
      {field('what', 'What is the matter', 'For example: K 6.8 mmol/L, confirmed')}
      {field('asked', 'What is asked')}
      <fieldset>
        <legend className="label">How soon</legend>
        <div className="chips">
          {SOON.map((soon) => (
            <Chip key={soon} isPressed={value.soon === soon} onClick={() => set({ soon })}>
              {soon}
            </Chip>
          ))}
        </div>
      </fieldset>
      <Button
        className="urgent-swap"
        variant="link"
        size="sm"
        onClick={() => set({ isFree: true, text: toBody(value) || value.text })}
      >
        Write freely instead
      </Button>
    </div>
  );
}

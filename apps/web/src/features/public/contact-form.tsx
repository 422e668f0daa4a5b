import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Textarea } from '@wardline/ui/input/textarea.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { CloudOff } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { SubmitButton } from '#/shared/forms/submit-button.tsx';
import { useForm } from '#/shared/forms/use-form.ts';
import { contactDraft } from './contact-draft.ts';

export interface ContactMessage {
  readonly name: string;
  readonly email: string;
  readonly message: string;
}

export interface ContactFormProps {
  /** Who is signed in, to spare them the first two fields. */
  readonly person: { readonly name: string; readonly email: string } | null;
  readonly isOnline: boolean;
  readonly send: (message: ContactMessage) => Promise<void>;
}

const names = ['name', 'email', 'message'] as const;
const required = {
  name: 'Enter your name.',
  email: 'Enter your email.',
  message: 'Write what it is about.',
};

/** Name, email and a text for the operator. */
export function ContactForm({ person, isOnline, send }: ContactFormProps) {
  const { props, error, isBusy } = useForm({
    names,
    required,
    send: ({ name, email, message }) => send({ name: name.trim(), email: email.trim(), message: message.trim() }),
  });
  const text = useRef<HTMLTextAreaElement>(null);
  const { ref: form } = props;
  const isSomebody = person !== null;
  useEffect(() => {
    // What was typed before the page listened is a draft as well.
    if (text.current?.value === '') text.current.value = contactDraft.read();
    else contactDraft.keep(text.current?.value ?? '');
    if (!isSomebody) return;
    // Whoever comes after a sign-out finds nothing of the one before.
    return () => form.current?.reset();
  }, [isSomebody, form]);
  return (
    <form className="contact-form" {...props}>
      {!isOnline && (
        <Banner tone="neutral" icon={CloudOff} title="Offline.">
          Sending needs the network. What you write stays here.
        </Banner>
      )}
      {error.general !== null && <Banner tone="error">{error.general}</Banner>}
      <TextInput
        label="Name"
        name="name"
        inputSize="lg"
        autoComplete="name"
        maxLength={120}
        defaultValue={person?.name ?? ''}
        error={error.fields.name}
      />
      <TextInput
        label="Email"
        name="email"
        type="email"
        inputMode="email"
        inputSize="lg"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        help="The answer goes there."
        defaultValue={person?.email ?? ''}
        error={error.fields.email}
      />
      <Textarea
        label="Message"
        name="message"
        rows={7}
        maxLength={4000}
        ref={text}
        onInput={(event) => contactDraft.keep(event.currentTarget.value)}
        error={error.fields.message}
      />
      <noscript>
        <p className="help">This form needs JavaScript. Switch it on in this browser and load the page again.</p>
      </noscript>
      <SubmitButton isBusy={isBusy} isDisabled={!isOnline}>
        Send message
      </SubmitButton>
    </form>
  );
}

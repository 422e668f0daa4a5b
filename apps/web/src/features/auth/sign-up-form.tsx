import { TextInput } from '@wardline/ui/input/text-input.tsx';
import { Banner } from '@wardline/ui/notice/banner.tsx';
import { useState } from 'react';
import { NewPasswordField } from '#/page/new-password-field.tsx';
import { SubmitButton } from '#/page/submit-button.tsx';
import { useForm } from '#/page/use-form.ts';
import { EmailField } from './email-field.tsx';

const names = ['name', 'email', 'password'] as const;
export type SignUpInput = Readonly<Record<(typeof names)[number], string>>;

/** Name, email and password of a new account. */
export function SignUpForm({ onSend }: { onSend: (input: SignUpInput) => Promise<void> }) {
  const { props, trouble, isBusy } = useForm({
    names,
    required: { name: 'Enter your name.', email: 'Enter your email.', password: 'Choose a password.' },
    send: onSend,
  });
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  return (
    <form className="in-form" {...props}>
      {trouble.general && <Banner tone="error">{trouble.general}</Banner>}
      <TextInput
        label="Name"
        name="name"
        inputSize="lg"
        autoComplete="name"
        maxLength={120}
        help="The name your colleagues know."
        error={trouble.fields.name}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <EmailField error={trouble.fields.email} onInput={(event) => setEmail(event.currentTarget.value)} />
      <NewPasswordField inputSize="lg" error={trouble.fields.password} name={name} email={email} />
      <SubmitButton isBusy={isBusy}>Sign up</SubmitButton>
    </form>
  );
}

import { Icon } from '@wardline/ui/icon/icon.tsx';
import { PasswordInput } from '@wardline/ui/input/password-input.tsx';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { passwordHint } from './password-hint.ts';

interface NewPasswordFieldProps {
  readonly label?: string;
  readonly error?: string | undefined;
  readonly inputSize?: 'md' | 'lg';
  /** Whose password it is; it may not contain them. */
  readonly name?: string;
  readonly email?: string;
  /** Where it may be shorter than alone. */
  readonly shortest?: number | undefined;
}

/**
 * A password that is being set, named `password`, with what is still missing under it. One field with 'Show password'
 * instead of two to compare: docs/decisions/015-one-field-for-a-new-password.md.
 */
export function NewPasswordField({
  label = 'Password',
  error,
  inputSize,
  name = '',
  email = '',
  shortest,
}: NewPasswordFieldProps) {
  const [password, setPassword] = useState('');
  const { isEnough, text } = passwordHint({ password, name, email, ...(shortest !== undefined && { shortest }) });
  return (
    <PasswordInput
      label={label}
      name="password"
      // No maxLength: it would cut a pasted password without a word.
      autoComplete="new-password"
      inputSize={inputSize}
      error={error}
      help={
        <span className="hint" aria-live="polite">
          {isEnough && <Icon of={Check} size="sm" />}
          {text}
        </span>
      }
      onInput={(event) => setPassword(event.currentTarget.value)}
    />
  );
}

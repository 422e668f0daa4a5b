import { Eye, EyeOff } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '#/button/button.tsx';
import { TextInput, type TextInputProps } from '#/input/text-input.tsx';

export type PasswordInputProps = Omit<TextInputProps, 'type' | 'trailing' | 'icon'>;

/** A password in a field, with the button that shows and hides it. */
export function PasswordInput({ id, ...rest }: PasswordInputProps) {
  const ownId = useId();
  const inputId = id ?? ownId;
  const [isShown, setIsShown] = useState(false);
  return (
    <TextInput
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...rest}
      id={inputId}
      type={isShown ? 'text' : 'password'}
      trailing={
        <Button
          variant="ghost"
          color="neutral"
          size="sm"
          iconOnly
          icon={isShown ? EyeOff : Eye}
          label={isShown ? 'Hide password' : 'Show password'}
          aria-controls={inputId}
          disabled={rest.disabled}
          onClick={() => setIsShown(!isShown)}
        />
      }
    />
  );
}

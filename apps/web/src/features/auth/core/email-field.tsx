import { TextInput, type TextInputProps } from '@wardline/ui/input/text-input.tsx';

/** The address of an account, named `email`, as password managers know it. */
export function EmailField(
  props: Pick<TextInputProps, 'autoComplete' | 'error' | 'defaultValue' | 'onInput' | 'help'>,
) {
  return (
    <TextInput
      autoComplete="username"
      {...props}
      label="Email"
      name="email"
      type="email"
      inputMode="email"
      inputSize="lg"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={254}
    />
  );
}

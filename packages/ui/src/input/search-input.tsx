import { Search, X } from 'lucide-react';
import { type ComponentProps, useRef } from 'react';
import { Button } from '#/button/button.tsx';
import { classNames } from '#/class-names.ts';
import { Icon } from '#/icon/icon.tsx';

export type SearchInputProps = Omit<ComponentProps<'input'>, 'type' | 'size' | 'onChange' | 'value' | 'ref'> & {
  /** What is searched: the accessible name, and the placeholder unless one is given. */
  label: string;
  value: string;
  onValueChange: (value: string) => void;
  clearLabel?: string | undefined;
};

/** Search box with a glass before and a clearing button after the text. Escape clears what is there. */
export function SearchInput(props: SearchInputProps) {
  const {
    label,
    value,
    onValueChange,
    clearLabel = 'Clear search',
    placeholder,
    className,
    onKeyDown,
    ...rest
  } = props;
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className={classNames('input-wrap lead', value !== '' && 'trail', className)}>
      <Icon of={Search} />
      <input
        autoComplete="off"
        {...rest}
        ref={input}
        className="input input-sm"
        type="search"
        aria-label={label}
        placeholder={placeholder ?? label}
        value={value}
        onChange={(event) => onValueChange(event.target.value)}
        onKeyDown={(event) => {
          onKeyDown?.(event);
          if (event.key !== 'Escape' || value === '' || event.defaultPrevented) return;
          event.preventDefault();
          onValueChange('');
        }}
      />
      {value !== '' && (
        <Button
          variant="ghost"
          color="neutral"
          size="xs"
          iconOnly
          icon={X}
          label={clearLabel}
          onClick={() => {
            onValueChange('');
            input.current?.focus();
          }}
        />
      )}
    </div>
  );
}

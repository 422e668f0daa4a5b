import { type ComponentProps, type RefObject, useLayoutEffect, useRef } from 'react';
import { classNames } from '#/class-names.ts';

export type GrowingTextareaProps = Omit<ComponentProps<'textarea'>, 'rows' | 'ref'> & {
  /** The accessible name; the text around the box shows the rest. */
  label: string;
  ref?: RefObject<HTMLTextAreaElement | null> | undefined;
};

/**
 * A textarea of one line that grows with its text to eight and scrolls from there. The style sheet sizes it where the
 * browser knows `field-sizing`; elsewhere its height follows the content here.
 */
export function GrowingTextarea({ label, ref, className, onInput, ...rest }: GrowingTextareaProps) {
  const own = useRef<HTMLTextAreaElement>(null);
  const textarea = ref ?? own;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => fit(textarea.current), [textarea, rest.value]);
  return (
    <textarea
      {...rest}
      ref={textarea}
      rows={1}
      aria-label={label}
      className={classNames('growing', className)}
      onInput={(event) => {
        fit(event.currentTarget);
        onInput?.(event);
      }}
    />
  );
}

function fit(textarea: HTMLTextAreaElement | null): void {
  if (!textarea?.parentElement || globalThis.CSS?.supports?.('field-sizing', 'content')) return;
  const around = textarea.parentElement;
  // Meanwhile what is around keeps its height: a list above it would be scrolled away from its end.
  around.style.minHeight = `${around.offsetHeight}px`;
  textarea.style.height = 'auto';
  const borders = textarea.offsetHeight - textarea.clientHeight;
  textarea.style.height = `${textarea.scrollHeight + borders}px`;
  around.style.minHeight = '';
}

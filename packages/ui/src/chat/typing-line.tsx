/** Who is typing. The line keeps its height while nobody is, so that nothing jumps. */
export function TypingLine({ text }: { text?: string | undefined }) {
  return (
    <p className="typing" aria-live="polite">
      {text !== undefined && (
        <>
          <span className="typing-dots" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          {text}
        </>
      )}
    </p>
  );
}

export type KbdProps = { keys: readonly string[] };

/** Keys to press together, each in its box: ['Ctrl', 'K']. */
export function Kbd({ keys }: KbdProps) {
  return (
    <span className="keys">
      {keys.map((key) => (
        <kbd className="kbd" key={key}>
          {key}
        </kbd>
      ))}
    </span>
  );
}

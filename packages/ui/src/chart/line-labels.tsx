import { type LineScale, spreadLabels } from '#/chart/line-scale.ts';

export type LineLabel = { key: string; text: string; value: number; look: string };

export type LineLabelsProps = { scale: LineScale; labels: readonly LineLabel[] };

/** The name of each line at its end, moved apart where they would meet. */
export function LineLabels({ scale, labels }: LineLabelsProps) {
  const { frame, y } = scale;
  const heights = spreadLabels(
    labels.map(({ value }) => y(value)),
    15,
    frame.bottom,
  );
  return labels.map(({ key, text, look }, index) => (
    <text key={key} className={`ln-label ${look}`} x={frame.right + 10} y={(heights[index] ?? 0) + 4}>
      {text}
    </text>
  ));
}

/** How much room the longest of these words takes at the end of the lines. */
export function labelRoom(labels: readonly LineLabel[]): number {
  return 16 + 7 * Math.max(0, ...labels.map(({ text }) => text.length));
}

/** The same names under the picture, where it is too narrow for them beside the lines. */
export function LineKey({ labels }: { labels: readonly LineLabel[] }) {
  return (
    <ul className="ln-key" aria-hidden="true">
      {labels.map(({ key, text, look }) => (
        <li key={key}>
          <i className={look} />
          {text}
        </li>
      ))}
    </ul>
  );
}

import { lazyPart } from '#/shared/lazy/lazy-part.tsx';

interface OneLineProps {
  readonly text: string;
}

const mayBeMarked = /[*_`>]|\]\(/u;

/** What was said, where there is room for a line alone: without the marks of Markdown. */
export function OneLine({ text }: OneLineProps) {
  return mayBeMarked.test(text) ? <WithoutMarks text={text} /> : text;
}

const asItIs = ({ text }: OneLineProps) => text;
const WithoutMarks = lazyPart<OneLineProps>(async () => (await import('./without-marks.tsx')).WithoutMarks, {
  whileLoading: asItIs,
  whenMissing: asItIs,
});

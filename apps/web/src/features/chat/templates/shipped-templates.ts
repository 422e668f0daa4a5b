/** A text that a message is begun with. */
export interface TemplateText {
  readonly title: string;
  readonly body: string;
}

const withHeadings = (...headings: readonly string[]) => headings.map((heading) => `**${heading}:**`).join('\n');

/** What every facility has: how a patient is handed on, and how another service is asked. */
export const SHIPPED_TEMPLATES: readonly TemplateText[] = [
  { title: 'SBAR', body: withHeadings('Situation', 'Background', 'Assessment', 'Recommendation') },
  {
    title: 'Consult question',
    body: withHeadings('Patient', 'Question', 'Urgency', 'Done so far', 'Call back'),
  },
];

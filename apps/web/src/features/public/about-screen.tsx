import type { AboutContent } from './content/page-content.ts';

/** What the product does and what becomes of what is written, in chapters with addresses of their own. */
export function AboutScreen({ content: { title, lead, chapters } }: { content: AboutContent }) {
  return (
    <div className="pub-in prose">
      <header>
        <h1>{title}</h1>
        <p className="pub-lead">{lead}</p>
      </header>
      <nav className="prose-list" aria-label="On this page">
        <ol>
          {chapters.map((chapter) => (
            <li key={chapter.id}>
              <a href={`#${chapter.id}`}>{chapter.title}</a>
            </li>
          ))}
        </ol>
      </nav>
      <div className="prose-body">
        {chapters.map(({ id, title: heading, paragraphs, points }) => (
          <section key={id} id={id} aria-labelledby={`${id}-title`}>
            <h2 id={`${id}-title`}>{heading}</h2>
            {paragraphs.map((text) => (
              <p key={text}>{text}</p>
            ))}
            {points && (
              <dl className="prose-points">
                {points.map((point) => (
                  <div key={point.title}>
                    <dt>{point.title}</dt>
                    <dd>{point.text}</dd>
                  </div>
                ))}
              </dl>
            )}
          </section>
        ))}
      </div>
    </div>
  );
}

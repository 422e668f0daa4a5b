import { type PdfObjects, pdfText } from './pdf-objects.ts';

/** What a PDF says of itself. */
export interface PdfInformation {
  readonly title: string;
  readonly author: string;
  readonly subject: string;
  /** BCP 47 */
  readonly language: string;
  /** ISO 8601, in UTC. */
  readonly createdAt: string;
  /** What makes it another file than one with the same title. */
  readonly key: string;
}

const PRODUCER = 'Wardline';

/** Writes it twice, as PDF/A-2 wants: for PDF and as XMP, with the same words and times. */
export function documentMetadata(
  objects: PdfObjects,
  information: PdfInformation,
): { readonly info: number; readonly metadata: number } {
  const { title, author, subject, createdAt } = information;
  const seconds = createdAt.slice(0, 19);
  const info = objects.put(
    `<</Title ${pdfText(title)} /Author ${pdfText(author)} /Subject ${pdfText(subject)} /Producer ${pdfText(PRODUCER)} /CreationDate (D:${seconds.replaceAll(/[-T:]/g, '')}Z)>>`,
  );
  const metadata = objects.putStream(' /Type /Metadata /Subtype /XML', Buffer.from(toXmp(information, seconds)), {
    isPacked: false,
  });
  return { info, metadata };
}

function toXmp({ title, author, subject, language }: PdfInformation, seconds: string): string {
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
<dc:format>application/pdf</dc:format>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">${escapeXml(title)}</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>${escapeXml(author)}</rdf:li></rdf:Seq></dc:creator>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">${escapeXml(subject)}</rdf:li></rdf:Alt></dc:description>
<dc:language><rdf:Bag><rdf:li>${language}</rdf:li></rdf:Bag></dc:language>
<xmp:CreateDate>${seconds}Z</xmp:CreateDate>
<pdf:Producer>${PRODUCER}</pdf:Producer>
<pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML has no place for them
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

function escapeXml(text: string): string {
  return text.replaceAll(UNWRITABLE, '').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

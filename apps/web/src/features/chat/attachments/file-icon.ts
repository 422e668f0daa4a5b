import { File, FileHeadphone, FileSpreadsheet, FileText, Image, type LucideIcon, Scan, Video } from 'lucide-react';

const ICONS: Readonly<Record<string, LucideIcon>> = {
  image: Image,
  pdf: FileText,
  audio: FileHeadphone,
  video: Video,
  office: FileSpreadsheet,
  dicom: Scan,
};

/** The sign of a kind of file; a plain sheet for one that this build does not know. */
export function iconOfKind(kind: string | null | undefined): LucideIcon {
  return ICONS[kind ?? ''] ?? File;
}

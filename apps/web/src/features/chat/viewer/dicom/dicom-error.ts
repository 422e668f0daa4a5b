const WORDS = {
  damaged: 'This DICOM file is damaged or not complete. Download it to open it elsewhere.',
  no_picture: 'This DICOM file has no picture in it.',
  too_large: 'This picture is too large to be shown here. Download it to open it elsewhere.',
  too_slow: 'This picture takes too long to be opened here. Download it to open it elsewhere.',
  unknown_pixels: 'This viewer can’t show its kind of pixels. Download it to open it elsewhere.',
} as const;

export type DicomProblem = keyof typeof WORDS | { readonly compressed: string };

/** Why a file cannot be shown, in words for who opened it. */
export class DicomError extends Error {
  readonly why: DicomProblem;

  constructor(why: DicomProblem, options?: ErrorOptions) {
    super(
      typeof why === 'string'
        ? WORDS[why]
        : `It is compressed as ${why.compressed}, which this viewer can’t show. Download it to open it elsewhere.`,
      options,
    );
    this.name = 'DicomError';
    this.why = why;
  }
}

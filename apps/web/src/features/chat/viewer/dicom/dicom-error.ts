const WORDS = {
  damaged: 'This DICOM file is damaged or not complete. Download it to open it elsewhere.',
  no_picture: 'This DICOM file has no picture in it.',
  too_large: 'This picture is too large to be shown here. Download it to open it elsewhere.',
  unknown_pixels: 'This viewer can’t show its kind of pixels. Download it to open it elsewhere.',
} as const;

/** Why a file cannot be shown, in words for who opened it. */
export class DicomError extends Error {
  constructor(why: keyof typeof WORDS | { readonly compressed: string }, options?: ErrorOptions) {
    super(
      typeof why === 'string'
        ? WORDS[why]
        : `It is compressed as ${why.compressed}, which this viewer can’t show. Download it to open it elsewhere.`,
      options,
    );
    this.name = 'DicomError';
  }
}

// The packages bring no types. What is used of them:
interface CodecOptions {
  readonly print: (line: string) => void;
  readonly printErr: (line: string) => void;
  readonly instantiateWasm?: (
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance) => void,
  ) => WebAssembly.Exports;
}
interface Decoder {
  /** Where the compressed bytes are to be put. */
  getEncodedBuffer(length: number): Uint8Array;
  decode(): void;
  /** The memory of the module, until it is used again. */
  getDecodedBuffer(): Uint8Array;
  /** Gives its memory back. */
  delete(): void;
}

declare module '@cornerstonejs/codec-charls/decode' {
  interface CharLs {
    readonly JpegLSDecoder: new () => Decoder & {
      /** 0: one plane after the other. */
      getInterleaveMode(): number;
    };
  }
  const load: (options: CodecOptions) => Promise<CharLs>;
  export default load;
}

declare module '@cornerstonejs/codec-openjpeg/decode' {
  interface OpenJpeg {
    readonly J2KDecoder: new () => Decoder;
  }
  const load: (options: CodecOptions) => Promise<OpenJpeg>;
  export default load;
}

declare module '@cornerstonejs/codec-openjpeg/decodewasmjs' {
  export { default } from '@cornerstonejs/codec-openjpeg/decode';
}

declare module '@cornerstonejs/codec-openjpeg/decodewasm?url' {
  const url: string;
  export default url;
}

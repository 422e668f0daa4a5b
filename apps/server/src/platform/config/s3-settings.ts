export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
}

export interface S3Settings extends S3Credentials {
  /** Where the service is, `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: string;
  readonly bucket: string;
  /** The bucket stands in the path, not in the host's name. */
  readonly pathStyle: boolean;
  /** Before every name, such as `wardline/`; empty for none. */
  readonly prefix: string;
}

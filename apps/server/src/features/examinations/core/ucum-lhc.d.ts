// The package has no types of its own: what is used of it.
declare module '@lhncbc/ucum-lhc' {
  export interface Dimension {
    equals(other: Dimension): boolean;
  }
  export interface Unit {
    /** In base units, as a binary fraction. */
    readonly magnitude_?: number;
    /** Null of a unit without a dimension. */
    readonly dim_?: Dimension | null;
    /** Names a conversion that is no multiplication. */
    readonly cnv_?: string | null;
    readonly isArbitrary_?: boolean;
  }
  export const UcumLhcUtils: {
    getInstance(): {
      validateUnitString(code: string): {
        readonly status: 'valid' | 'invalid' | 'error';
        readonly ucumCode: string | null;
      };
      getSpecifiedUnit(code: string, valConv: 'validate'): { readonly unit: Unit | null };
    };
  };
}

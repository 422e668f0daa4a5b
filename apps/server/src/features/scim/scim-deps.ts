import type { Database } from '#/platform/db/database.ts';
import type { FacilityPerson } from '#/platform/http/authorization/find-permissions.ts';
import type { RequestContext, Transaction } from '#/platform/http/context.ts';
import type { PersonLimits } from '#/platform/http/person-limits.ts';
import type { Publication, Publish } from '#/platform/http/publish.ts';
import type { CreateCounter } from '#/platform/http/rate-limit.ts';

/** Who changes members for a directory, under the lock of the facility. */
export interface Holder {
  readonly facilityId: string;
  readonly permissions: readonly string[];
}

interface TitledMember {
  readonly userId: string;
  readonly title: string | null;
}

export interface ScimDeps {
  readonly db: Database;
  readonly log: RequestContext['log'];
  readonly publish: Publish;
  readonly limits: PersonLimits;
  readonly createCounter: CreateCounter;
  readonly publicUrl: () => string;
  /** Makes what ended hold at once. */
  readonly rightsChanged: (userId: string) => void | Promise<void>;
  /** Accounts for who has none; how those that there are sign in is their own. */
  readonly accounts: {
    unusableHash(): Promise<string>;
    /** False where the address has an account. */
    insert(
      tx: Transaction,
      user: { readonly id: string; readonly name: string; readonly email: string; readonly password_hash: string },
    ): Promise<boolean>;
  };
  /** The members, by the rules of changes by hand. */
  readonly directory: {
    hold(tx: Transaction, maker: FacilityPerson): Promise<Holder>;
    admit(tx: Transaction, holder: Holder, member: TitledMember): Promise<Publication[]>;
    setTitle(tx: Transaction, holder: Holder, member: TitledMember): Promise<Publication[]>;
    remove(tx: Transaction, holder: Holder, userId: string): Promise<Publication[]>;
    setRole(
      tx: Transaction,
      holder: Holder,
      role: { readonly userId: string; readonly roleId: string; readonly isHeld: boolean },
    ): Promise<Publication[]>;
  };
}

import pg from 'pg';

/**
 * Gives the role that the running server uses what it needs and no more: it can change rows, not the schema, and it can
 * only add to the audit, which dates and numbers its entries itself, to what was signed and to the census log, whose texts a function of the owner removes once they are
 * old enough.
 */
export async function grantAppRole(ownerConnectionString: string, role: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerConnectionString });
  await client.connect();
  try {
    const name = client.escapeIdentifier(role);
    await client.query(`
      grant usage on schema public to ${name};
      grant select, insert, update, delete on all tables in schema public to ${name};
      grant usage on all sequences in schema public to ${name};
      revoke update, delete, truncate on audit_entries, census_log, signed_days from ${name};
      revoke insert on audit_entries from ${name};
      grant insert (actor_id, facility_id, action, object_type, object_id, outcome, ip, session_hash, request_id, detail)
        on audit_entries to ${name};
      revoke insert, update, delete, truncate on audit_chain, audit_head, audit_pending from ${name};
      grant execute on function lock_audit_head, redact_audit, seal_audit, sign_audit_head, take_audit_mail to ${name};
      revoke delete, truncate on audit_refusal_counts from ${name};
      revoke insert, update, delete on schema_migrations, schema_functions from ${name};
      grant execute on function redact_census_log to ${name};
    `);
  } finally {
    await client.end();
  }
}

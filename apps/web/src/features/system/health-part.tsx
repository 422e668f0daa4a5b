import { serverNow } from '@wardline/client/server-clock.ts';
import type { SystemHealth } from '@wardline/contract/facilities/system.ts';
import { formatBytes } from '@wardline/format/bytes.ts';
import { counted, formatCount } from '@wardline/format/counts.ts';
import { formatSpan } from '@wardline/format/spans.ts';
import { Card } from '@wardline/ui/card/card.tsx';
import { DescriptionList, type DescriptionListProps } from '@wardline/ui/list/description-list.tsx';
import { Loaded } from './loaded.tsx';
import { useHealth } from './use-system.ts';

type Items = DescriptionListProps['items'];

/** What the installation stands on, and how full it is. */
export function HealthPart() {
  return (
    <Loaded of={useHealth()} failed="The health did not load" loading="Loading the health">
      {(health) => (
        <>
          <Details title="Database" items={databaseOf(health)} />
          <Details title="Files" items={filesOf(health)} />
          <Details title="Backups" items={backupsOf(health)} />
          <Details title="Audit log" items={auditOf(health)} />
          <Details
            title="Versions"
            items={[
              { term: 'Wardline', description: health.version },
              { term: 'Node.js', description: health.node_version },
            ]}
          />
        </>
      )}
    </Loaded>
  );
}

function Details({ title, items }: { readonly title: string; readonly items: Items }) {
  return (
    <Card hasPadding className="stack">
      <h2 className="t16">{title}</h2>
      <DescriptionList items={items} />
    </Card>
  );
}

function databaseOf({ database, disk }: SystemHealth): Items {
  const { version, is_embedded, bytes, is_writable } = database;
  return [
    { term: 'PostgreSQL', description: is_embedded ? `${version}, embedded` : `${version}, of DATABASE_URL` },
    { term: 'Accepts changes', description: is_writable ? 'Yes' : 'No: people can only read' },
    { term: 'Size', description: formatBytes(bytes) },
    {
      term: 'Free on the disk',
      description: disk === null ? 'Not known' : `${formatBytes(disk.free_bytes)} of ${formatBytes(disk.total_bytes)}`,
    },
    ...(is_embedded
      ? [
          {
            term: 'Updates',
            description:
              'The embedded PostgreSQL is for trials: it gets security fixes only with new versions of Wardline, later than PostgreSQL itself. For real patients set DATABASE_URL to a maintained one.',
          },
        ]
      : []),
  ];
}

function filesOf({ files }: SystemHealth): Items {
  const { kept_in, is_available, count, bytes, unfinished_uploads, verified_at, malware_check, held } = files;
  const checks = { true: 'Runs', false: 'Does not answer', null: 'Not set up' } as const;
  return [
    { term: 'Kept in', description: kept_in === 'bucket' ? 'A bucket (S3)' : 'The data folder of the server' },
    { term: 'State', description: is_available ? 'Can be read and stored' : 'Can’t be read or stored' },
    { term: 'Stored', description: `${counted(count, 'attachment')}, ${bytes === 0 ? '0 kB' : formatBytes(bytes)}` },
    { term: 'Unfinished uploads', description: formatCount(unfinished_uploads) },
    { term: 'Read through and compared', description: agoOf(verified_at) },
    { term: 'Malware check', description: checks[`${malware_check}`] },
    ...(held > 0 ? [{ term: 'Waiting for the check', description: counted(held, 'file') }] : []),
  ];
}

const agoOf = (instant: string | null) =>
  instant === null ? 'Not yet' : `${formatSpan(serverNow() - Date.parse(instant))} ago`;

function backupsOf({ backup }: SystemHealth): Items {
  return [
    { term: 'Last backup', description: agoOf(backup.last_at) },
    { term: 'Make one', description: '“npm run backup -- FOLDER” on the server' },
  ];
}

function auditOf({ audit }: SystemHealth): Items {
  const { entries, waiting, waiting_since, is_signed } = audit;
  const since = waiting_since === null ? '' : `, for ${formatSpan(serverNow() - Date.parse(waiting_since))}`;
  return [
    { term: 'Entries in the chain', description: formatCount(entries) },
    { term: 'Waiting for their place', description: `${formatCount(waiting)}${since}` },
    { term: 'End of the chain', description: is_signed ? 'As the server left it' : 'Changed outside the server' },
    { term: 'Full check', description: '“npm run audit -- verify” on the server' },
  ];
}

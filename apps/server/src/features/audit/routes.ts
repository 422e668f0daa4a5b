import * as contract from '@wardline/contract/audit.ts';
import { type Route, route } from '#/platform/http/route.ts';
import { exportAudit } from './view/export-audit.ts';
import { findAuditedChats } from './view/find-audited-chats.ts';
import { listAudit } from './view/list-audit.ts';
import { listReaders } from './view/list-readers.ts';

export const routes: readonly Route[] = [
  route(contract.listAudit, listAudit),
  route(contract.exportAudit, exportAudit),
  route(contract.findAuditedChats, findAuditedChats, { limit: 'search' }),
  route(contract.listReaders, listReaders),
];

export { SystemNotice } from '#/features/system/index.ts';

export { SetUpNotice } from '#/features/facility-settings/index.ts';
export { SystemNotice } from '#/features/system/index.ts';

import {
  Bell,
  Building2,
  Download,
  Eye,
  FileUser,
  Info,
  KeyRound,
  type LucideIcon,
  Monitor,
  Server,
  Sun,
  User,
  UserPlus,
} from 'lucide-react';

export const sectionIds = [
  'profile',
  'appearance',
  'notifications',
  'security',
  'devices',
  'data',
  'app',
  'facility',
  'invitations',
  'audit',
  'system',
  'about',
] as const;
export type SectionId = (typeof sectionIds)[number];

/** What each part of the settings is called, and the glyph before it. */
export const sections: Readonly<Record<SectionId, { label: string; icon: LucideIcon }>> = {
  profile: { label: 'Profile', icon: User },
  appearance: { label: 'Appearance', icon: Sun },
  notifications: { label: 'Notifications', icon: Bell },
  security: { label: 'Sign-in and security', icon: KeyRound },
  devices: { label: 'Sessions and devices', icon: Monitor },
  data: { label: 'Your data', icon: FileUser },
  app: { label: 'Installed app', icon: Download },
  facility: { label: 'Facility', icon: Building2 },
  invitations: { label: 'Invitations', icon: UserPlus },
  audit: { label: 'Audit', icon: Eye },
  system: { label: 'System', icon: Server },
  about: { label: 'About', icon: Info },
};

/** The path of a part. */
export function sectionPath(id: SectionId): string {
  return `/settings#${id}`;
}

import type { NavGroup } from '@stoa/ui/navigation/navigation.ts'
import {
  Activity,
  ArchiveRestore,
  AtSign,
  BookOpen,
  Filter,
  FolderInput,
  Gauge,
  Globe,
  House,
  Inbox,
  KeyRound,
  MailX,
  PackageOpen,
  Route,
  ScrollText,
  Send,
  Server,
  SquareArrowOutUpRight,
  UserRound,
  Users,
  Webhook,
} from 'lucide-react'
import type { ReactNode } from 'react'

export type Screen = {
  to: string
  label: string
  group: string
  icon: ReactNode
  keywords?: readonly string[]
  shortcut?: string
  external?: boolean
  /** Only the owner of the instance may go there. */
  ownerOnly?: boolean
  /** The dialog that `?new=1` opens on this screen. */
  create?: { id: string; label: string; keywords?: readonly string[] }
}

const screens: readonly Screen[] = [
  { to: '/', label: 'Overview', group: '', icon: <House aria-hidden />, keywords: ['dashboard'], shortcut: 'g o' },
  {
    to: '/domains',
    label: 'Domains',
    group: 'Hosting',
    icon: <Globe aria-hidden />,
    keywords: ['dns', 'dkim', 'spf', 'dmarc', 'mx', 'reports'],
    shortcut: 'g d',
    create: { id: 'new-domain', label: 'Add a domain' },
  },
  {
    to: '/addresses',
    label: 'Addresses',
    group: 'Hosting',
    icon: <AtSign aria-hidden />,
    keywords: ['mailboxes', 'aliases', 'forwarding', 'app passwords', 'activity'],
    shortcut: 'g a',
    create: { id: 'new-address', label: 'New address', keywords: ['mailbox'] },
  },
  {
    to: '/filters',
    label: 'Filters',
    group: 'Hosting',
    icon: <Filter aria-hidden />,
    keywords: ['sieve', 'rules'],
    shortcut: 'g f',
    create: { id: 'new-filter', label: 'New filter', keywords: ['rule', 'sieve'] },
  },
  {
    to: '/transfers',
    label: 'Transfers',
    group: 'Hosting',
    icon: <FolderInput aria-hidden />,
    keywords: ['import', 'migrate', 'imap'],
    shortcut: 'g t',
    create: { id: 'new-transfer', label: 'New transfer', keywords: ['import', 'migrate'] },
  },
  {
    to: '/exports',
    label: 'Exports',
    group: 'Hosting',
    icon: <PackageOpen aria-hidden />,
    keywords: ['download', 'backup', 'mbox', 'maildir', 'zip', 'leave'],
    create: { id: 'new-export', label: 'New export', keywords: ['download', 'backup'] },
  },
  {
    to: '/deleted',
    label: 'Recently deleted',
    group: 'Hosting',
    icon: <ArchiveRestore aria-hidden />,
    keywords: ['restore', 'undelete', 'recover', 'trash'],
  },
  {
    to: '/trace',
    label: 'Mail trace',
    group: 'Hosting',
    icon: <Route aria-hidden />,
    keywords: ['activity', 'log', 'rejected', 'missing mail', 'delivery'],
    shortcut: 'g m',
  },
  {
    to: '/emails',
    label: 'Emails',
    group: 'Sending',
    icon: <Send aria-hidden />,
    keywords: ['log', 'sent', 'deliveries'],
    shortcut: 'g e',
  },
  {
    to: '/api-keys',
    label: 'API keys',
    group: 'Sending',
    icon: <KeyRound aria-hidden />,
    keywords: ['token', 'secret'],
    shortcut: 'g k',
    create: { id: 'new-api-key', label: 'New API key', keywords: ['token'] },
  },
  {
    to: '/suppressions',
    label: 'Suppressions',
    group: 'Sending',
    icon: <MailX aria-hidden />,
    keywords: ['bounces', 'complaints', 'blocked'],
    shortcut: 'g s',
    create: { id: 'new-suppression', label: 'Suppress address' },
  },
  {
    to: '/webhooks',
    label: 'Webhooks',
    group: 'Sending',
    icon: <Webhook aria-hidden />,
    keywords: ['events', 'endpoints'],
    shortcut: 'g w',
    create: { id: 'new-webhook', label: 'New webhook' },
  },
  {
    to: '/account',
    label: 'Account',
    group: 'Settings',
    icon: <UserRound aria-hidden />,
    keywords: ['password', 'sessions', 'profile', 'two-factor', 'notifications', 'referrals'],
    shortcut: 'g u',
  },
  {
    to: '/billing',
    label: 'Plan and usage',
    group: 'Settings',
    icon: <Gauge aria-hidden />,
    keywords: ['billing', 'plans', 'upgrade', 'invoices', 'payment methods', 'limits', 'tax'],
    shortcut: 'g p',
  },
  {
    to: '/instance/accounts',
    label: 'Accounts',
    group: 'Administration',
    icon: <Users aria-hidden />,
    keywords: ['customers', 'suspend', 'limits', 'people'],
    ownerOnly: true,
  },
  {
    to: '/queue',
    label: 'Queue',
    group: 'Administration',
    icon: <Inbox aria-hidden />,
    keywords: ['outgoing', 'deferred', 'retry', 'hold', 'stuck mail'],
    shortcut: 'g q',
    ownerOnly: true,
  },
  {
    to: '/instance/health',
    label: 'Health',
    group: 'Administration',
    icon: <Activity aria-hidden />,
    keywords: ['status', 'doctor', 'certificate', 'blocklist', 'backups', 'disk'],
    ownerOnly: true,
  },
  {
    to: '/instance/audit',
    label: 'Audit log',
    group: 'Administration',
    icon: <ScrollText aria-hidden />,
    keywords: ['history', 'changes', 'security'],
    ownerOnly: true,
  },
  {
    to: '/instance',
    label: 'Instance',
    group: 'Administration',
    icon: <Server aria-hidden />,
    keywords: ['sign-ups', 'settings', 'instance', 'spam', 'blocklist', 'dnsbl', 'greylisting'],
    ownerOnly: true,
  },
  {
    to: '/reference',
    label: 'API reference',
    group: 'Resources',
    icon: <BookOpen aria-hidden />,
    keywords: ['documentation', 'openapi'],
    external: true,
  },
  {
    to: '/webmail/',
    label: 'Webmail',
    group: 'Resources',
    icon: <SquareArrowOutUpRight aria-hidden />,
    keywords: ['inbox', 'read mail'],
    external: true,
  },
]

/** The screens that somebody may go to. */
export const screensFor = (role: string): readonly Screen[] =>
  screens.filter(({ ownerOnly }) => !ownerOnly || role === 'owner')

export const navigationOf = (shown: readonly Screen[]): readonly NavGroup[] =>
  [...Map.groupBy(shown, ({ group }) => group)].map(([label, items]) => ({
    ...(label === '' ? {} : { label }),
    items: items.map(({ to, label, icon, external }) => ({ to, label, icon, ...(external ? { external } : {}) })),
  }))

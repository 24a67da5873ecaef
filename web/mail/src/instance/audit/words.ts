import type { AuditAction } from '@stoa/mail-model/audit.ts'

export const actionWords: Readonly<Record<AuditAction, string>> = {
  'account.updated': 'Account changed',
  'account.suspended': 'Account suspended',
  'account.resumed': 'Account resumed',
  'account.sign_in_reset': 'Sign-in reset',
  'account.password_set': 'Account password set',
  'account.two_factor_removed': 'Two-factor authentication turned off',
  'address.created': 'Address created',
  'address.password_set': 'Mailbox password set',
  'address.deleted': 'Address deleted',
  'instance.updated': 'Instance settings changed',
  'queue.retried': 'Queued mail retried',
  'queue.dropped': 'Queued mail dropped',
  'queue.hold_added': 'Domain put on hold',
  'queue.hold_removed': 'Domain released',
  'sender.added': 'Sender added to list',
  'sender.removed': 'Sender removed from list',
}

/** The changed members in a line; ids are for programs. */
export const detailWords = (detail: Readonly<Record<string, unknown>>): string =>
  Object.entries(detail)
    .filter(([name, value]) => !name.endsWith('_id') && value !== null && value !== false)
    .map(([name, value]) => `${nameWords(name)}: ${valueWords(value)}`)
    .join(', ')

const nameWords = (name: string): string => {
  if (name === 'totp') return 'Two-factor authentication'
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const valueWords = (value: unknown): string => {
  if (value === true) return 'turned off'
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([name, one]) => `${name.replaceAll('_', ' ')} ${one === null ? "plan's limit" : String(one)}`)
    .join(', ')
}

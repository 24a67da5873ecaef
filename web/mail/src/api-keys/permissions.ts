import type { ApiKeyPermission } from '@stoa/mail-model/api-keys.ts'

const permissions: Record<ApiKeyPermission, { label: string; help: string }> = {
  full_access: {
    label: 'Full access',
    help: 'Sends, and reads, reschedules and cancels what this account sent.',
  },
  sending_access: { label: 'Sending only', help: 'Sends and nothing else; it can be bound to one domain.' },
}

export const describePermission = (permission: ApiKeyPermission): { label: string; help: string } =>
  permissions[permission]

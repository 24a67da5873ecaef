import type { ApiKeyPermission } from '@stoa/mail-model/api-keys.ts'

const permissions: Record<ApiKeyPermission, { label: string; help: string }> = {
  full_access: {
    label: 'Full access',
    help: 'Send, and read, reschedule or cancel emails of this account.',
  },
  sending_access: { label: 'Sending only', help: 'Only send. Can be limited to one domain.' },
}

export const describePermission = (permission: ApiKeyPermission): { label: string; help: string } =>
  permissions[permission]

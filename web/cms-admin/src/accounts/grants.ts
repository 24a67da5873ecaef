import { agentPermissions, type Permission, type Role, scopeOf } from '@stoa/cms-model/permissions.ts'

const labels: Partial<Record<Permission, string>> = {
  'content.read': 'Read content, including drafts',
  'content.write': 'Write entries',
  'content.publish': 'Publish and unpublish',
  'types.manage': 'Edit content types',
  'media.manage': 'Upload and edit files',
  'taxonomy.manage': 'Edit taxonomies',
  'settings.manage': 'Edit settings',
  'menus.manage': 'Edit menus',
  'social.write': 'Write social posts',
  'social.publish': 'Publish social posts',
}

export type GrantChoice = { permission: Permission; label: string; help: string | undefined }

/** The scopes that someone of this role can give an agent key: never more than their own. */
export const grantChoices = (role: Role): readonly GrantChoice[] =>
  agentPermissions.flatMap((permission) => {
    const scope = scopeOf(role, permission)
    if (scope === null) return []
    const help = scope === 'own' ? 'Your role limits this to your own content' : undefined
    return [{ permission, label: labels[permission] ?? permission, help }]
  })

export const expiryChoices = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
]

type Lifetime = { revokedAt: string | null; expiresAt: string }

/** Whether a key still works. */
export const stateOf = ({ revokedAt, expiresAt }: Lifetime, now: Date): 'active' | 'revoked' | 'expired' => {
  if (revokedAt !== null) return 'revoked'
  return new Date(expiresAt) <= now ? 'expired' : 'active'
}

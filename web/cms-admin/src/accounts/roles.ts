import type { Role } from '@stoa/cms-model/permissions.ts'

export const roleLabels: Record<Role, string> = {
  viewer: 'Viewer',
  author: 'Author',
  editor: 'Editor',
  admin: 'Admin',
  owner: 'Owner',
}

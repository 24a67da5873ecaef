import { canManageRole, type Role, roles } from '@stoa/cms-model/permissions.ts'

export const roleLabels: Record<Role, string> = {
  viewer: 'Viewer',
  author: 'Author',
  editor: 'Editor',
  admin: 'Admin',
  owner: 'Owner',
}

/** The purpose of a role, in a sentence. */
export const roleHelp: Record<Role, string> = {
  viewer: 'Can read all content, including drafts',
  author: 'Can write their own drafts and upload files, but not publish',
  editor: 'Can write, publish and delete all content',
  admin: 'Can also manage types, settings, people, keys and webhooks',
  owner: 'Can do everything, including managing other owners',
}

/** The roles that someone of this role may give: none above the own. */
export const rolesFor = (mine: Role): readonly Role[] => roles.filter((role) => canManageRole(mine, role))

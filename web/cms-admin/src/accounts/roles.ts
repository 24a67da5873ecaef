import { canManageRole, type Role, roles } from '@stoa/cms-model/permissions.ts'

export const roleLabels: Record<Role, string> = {
  viewer: 'Viewer',
  author: 'Author',
  editor: 'Editor',
  admin: 'Admin',
  owner: 'Owner',
}

/** What a role is for, in a sentence. */
export const roleHelp: Record<Role, string> = {
  viewer: 'Reads the content, also drafts, and changes nothing.',
  author: 'Writes own drafts and uploads files; others publish them.',
  editor: 'Writes, publishes and removes all content.',
  admin: 'Also manages types, settings, people, keys and webhooks.',
  owner: 'May do everything, also manage other owners.',
}

/** The roles that someone of this role may give: none above the own. */
export const rolesFor = (mine: Role): readonly Role[] => roles.filter((role) => canManageRole(mine, role))

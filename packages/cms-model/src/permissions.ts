/** The ladder, lowest first: each role may do what the ones before it may. */
export const roles = ['viewer', 'author', 'editor', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]

export const permissions = [
  'content.read',
  'content.write',
  'content.publish',
  'types.manage',
  'media.manage',
  'taxonomy.manage',
  'settings.manage',
  'menus.manage',
  'plugins.manage',
  'users.manage',
  'keys.manage',
  'webhooks.manage',
  'social.manage',
  'social.write',
  'social.publish',
] as const
export type Permission = (typeof permissions)[number]

/** How far a permission reaches: `own` drafts, files and posts only, or `any`. */
export type Scope = 'own' | 'any'

type Grant = {
  /** The lowest role that holds it for everything. */
  any: Role
  /** The lowest role that holds it for its own drafts and files. */
  own?: Role
  /** An agent key may hold it too. Never what hands out access, secrets or money. */
  agent: boolean
}

/** Who holds what. A role above the named one holds it as well, so that the ladder cannot have holes. */
const grants = {
  'content.read': { any: 'viewer', agent: true },
  'content.write': { any: 'editor', own: 'author', agent: true },
  'content.publish': { any: 'editor', agent: true },
  'types.manage': { any: 'admin', agent: true },
  'media.manage': { any: 'editor', own: 'author', agent: true },
  'taxonomy.manage': { any: 'editor', agent: true },
  'settings.manage': { any: 'admin', agent: true },
  'menus.manage': { any: 'editor', agent: true },
  'plugins.manage': { any: 'admin', agent: false },
  'users.manage': { any: 'admin', agent: false },
  'keys.manage': { any: 'admin', agent: false },
  'webhooks.manage': { any: 'admin', agent: false },
  'social.manage': { any: 'admin', agent: false },
  'social.write': { any: 'editor', own: 'author', agent: true },
  'social.publish': { any: 'editor', agent: true },
} as const satisfies Record<Permission, Grant>

/** Place on the ladder: 0 for a viewer, 4 for an owner. */
const rankOf = (role: Role): number => roles.indexOf(role)

/** True when `actor` may create, edit, promote to or remove someone of role `target`: never above the own rank. */
export const canManageRole = (actor: Role, target: Role): boolean => rankOf(actor) >= rankOf(target)

/** How far the role's permission reaches, or null when the role does not hold it. */
export const scopeOf = (role: Role, permission: Permission): Scope | null => {
  const grant: Grant = grants[permission]
  if (rankOf(role) >= rankOf(grant.any)) return 'any'
  return grant.own !== undefined && rankOf(role) >= rankOf(grant.own) ? 'own' : null
}

/** Everything the role holds, in whatever scope. */
export const permissionsOf = (role: Role): Permission[] =>
  permissions.filter((permission) => scopeOf(role, permission) !== null)

/** What an agent key may be given at all; its account's role caps it further. */
export const agentPermissions: readonly Permission[] = permissions.filter((permission) => grants[permission].agent)

/** Who and what rules the site is never in the hands of a plugin. */
const withheld: ReadonlySet<Permission> = new Set([
  'types.manage',
  'settings.manage',
  'plugins.manage',
  'users.manage',
  'keys.manage',
  'webhooks.manage',
  'social.manage',
])

/** What a plugin may ask for at all. */
export const pluginPermissions: readonly Permission[] = permissions.filter((permission) => !withheld.has(permission))

/** How far a plugin reaches for someone of this role: what it asked for, and never further than the role. */
export const pluginScopeOf = (role: Role, asked: readonly string[], permission: Permission): Scope | null =>
  pluginPermissions.includes(permission) && asked.includes(permission) ? scopeOf(role, permission) : null

/**
 * How far an agent key reaches at this moment: what was ticked for it, never more than any agent key may hold, never
 * further than its account's role reaches now.
 */
export const agentScopeOf = (role: Role, ticked: readonly string[], permission: Permission): Scope | null =>
  grants[permission].agent && ticked.includes(permission) ? scopeOf(role, permission) : null

import type { Permission, Scope } from '@stoa/cms-model/permissions.ts'
import { type Route as KitRoute, routeFor } from '@stoa/kit/http/route.ts'
import type { Ctx } from '../../context.ts'
import { error } from '../../errors.ts'
import { type Principal, scopeFor } from '../../principal.ts'

/**
 * What can be presented. A route of the admin API that programs may use as well lists `agent` besides `session`; without
 * it no agent key gets in, whatever its grants. A route that lists `delivery` takes delivery keys and nothing else.
 */
export type CredentialKind = 'session' | 'agent' | 'delivery'

/** What a route requires of its caller. */
export type Access = {
  /** Held in any scope; a permission held for own things only is checked again by the operation. Null: nothing more. */
  readonly needs: Permission | null
  /** Not even for admins: it is about the server, not about the site. */
  readonly isForOwners?: true
}

export type Route = KitRoute<Ctx, CredentialKind, Access>

/** Declares a route of this service. */
export const route = routeFor<Ctx, CredentialKind, Access>()

/** Requires only the declared credential: for public routes, and for one's own account. */
export const OPEN: Access = { needs: null }

export const needs = (permission: Permission): Access => ({ needs: permission })

/** For owners who sign in. */
export const OWNERS: Access = { needs: 'settings.manage', isForOwners: true }

/** Refuses a principal who does not hold what the matched route needs. */
export const authorise = (principal: Principal, { access }: Route): void => {
  if (access.needs !== null) requirePermission(principal, access.needs)
  if (access.isForOwners && !(principal.kind === 'session' && principal.account.role === 'owner'))
    throw error('FORBIDDEN', { message: 'Only an owner can do this' })
}

/** Reasons for a refusal other than the person's own role. */
const LIMITED: { readonly [K in Principal['kind']]?: string } = {
  agent: "This agent key, or the role of its owner, doesn't allow this",
  plugin: "This plugin, or the role of the person using it, doesn't allow this",
}

/** How far the permission reaches; refuses callers that do not hold it at all. */
export const requirePermission = (principal: Principal, permission: Permission): Scope => {
  const scope = scopeFor(principal, permission)
  if (scope !== null) return scope
  if (principal.kind === 'anonymous') throw error('AUTH_REQUIRED')
  const message = LIMITED[principal.kind]
  throw error('FORBIDDEN', { ...(message && { message }), details: { permission } })
}

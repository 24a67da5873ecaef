import {
  agentScopeOf,
  type Permission,
  permissions,
  pluginScopeOf,
  type Role,
  type Scope,
  scopeOf,
} from '@stoa/cms-model/permissions.ts'
import type { Avatar } from './avatar.ts'

/** The person behind a credential, as the database has them at this very request. */
export type Account = {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly avatar: Avatar | null
  /** A second factor is asked at sign-in. */
  readonly hasTotp: boolean
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

export type SessionPrincipal = {
  readonly kind: 'session'
  readonly sessionId: string
  readonly account: Account
  /** Set when the person applies a proposal of the assistant. */
  readonly via?: 'assistant'
}
/** A program that acts for the account, within its grants. */
export type AgentPrincipal = {
  readonly kind: 'agent'
  readonly keyId: string
  readonly keyName: string
  /** The permissions ticked when the key was created; `scopeFor` says what they allow now. */
  readonly grants: readonly string[]
  readonly account: Account
}
/** A website that reads what is published, of the types that its key is for. */
export type DeliveryPrincipal = {
  readonly kind: 'delivery'
  readonly keyId: string
  readonly keyName: string
  /** Type names, or `*` alone. */
  readonly types: readonly string[]
}
/** A plugin: for the person who called it, or by itself in events and schedules. */
export type PluginPrincipal = {
  readonly kind: 'plugin'
  readonly name: string
  /** The permissions that were requested and approved; `scopeFor` says what they allow now. */
  readonly grants: readonly string[]
  readonly account: Account | null
  /** How many plugins acted one after the other until this; 0 where a person or a schedule begins. */
  readonly chain: number
}
/** Work that nobody asked for: start, schedules. */
export type SystemPrincipal = { readonly kind: 'system'; readonly name: string }
export type AnonymousPrincipal = { readonly kind: 'anonymous' }

/** The caller. There is always one: "nobody" is a principal without any right. */
export type Principal =
  | SessionPrincipal
  | AgentPrincipal
  | DeliveryPrincipal
  | PluginPrincipal
  | SystemPrincipal
  | AnonymousPrincipal

export const ANONYMOUS: AnonymousPrincipal = Object.freeze({ kind: 'anonymous' })

/** The part of a request's context that identifies the caller. */
type Asking = { readonly principal: Principal }

/** The signed-in person of a route that declares the credential `session`. */
export const sessionOf = ({ principal }: Asking): SessionPrincipal => {
  if (principal.kind !== 'session') throw new Error(`A ${principal.kind} principal has no session`)
  return principal
}

/** The person who calls, or for whom an agent key calls: of a route that declares `session` and `agent`. */
export const accountOf = (asking: Asking): Account => {
  const account = personOf(asking)
  if (account === null) throw new Error(`A ${asking.principal.kind} principal has no account`)
  return account
}

/** The person who is written down for what is done; null for schedules, and for plugins that act by themselves. */
export const personOf = ({ principal }: Asking): Account | null =>
  principal.kind === 'session' || principal.kind === 'agent' || principal.kind === 'plugin' ? principal.account : null

/** The key of a route that declares the credential `delivery`. */
export const deliveryOf = ({ principal }: Asking): DeliveryPrincipal => {
  if (principal.kind !== 'delivery') throw new Error(`A ${principal.kind} principal has no delivery key`)
  return principal
}

/** What a plugin is at most when nobody called it. */
const PLUGIN_ROLE: Role = 'editor'

/** How far this principal's permission reaches at this request; null when it is not held at all. */
export const scopeFor = (principal: Principal, permission: Permission): Scope | null => {
  switch (principal.kind) {
    case 'session':
      return scopeOf(principal.account.role, permission)
    case 'agent':
      return agentScopeOf(principal.account.role, principal.grants, permission)
    case 'plugin':
      return pluginScopeOf(principal.account?.role ?? PLUGIN_ROLE, principal.grants, permission)
    case 'system':
      return 'any'
    case 'delivery':
    case 'anonymous':
      return null
  }
}

/** Everything this principal holds at this request, in whatever scope. */
export const permissionsFor = (principal: Principal): Permission[] =>
  permissions.filter((permission) => scopeFor(principal, permission) !== null)

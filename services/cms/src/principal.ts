import type { Role } from '@stoa/cms-model/permissions.ts'
import type { Ctx } from './context.ts'

/** The person behind a credential, as the database has them at this very request. */
export type Account = {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

export type SessionPrincipal = { readonly kind: 'session'; readonly sessionId: string; readonly account: Account }
/** Work that nobody asked for: start, schedules. */
export type SystemPrincipal = { readonly kind: 'system'; readonly name: string }
export type AnonymousPrincipal = { readonly kind: 'anonymous' }

/** Who asks. There is always one: "nobody" is a principal without any right. */
export type Principal = SessionPrincipal | SystemPrincipal | AnonymousPrincipal

export const ANONYMOUS: AnonymousPrincipal = Object.freeze({ kind: 'anonymous' })

/** The signed-in person of a route that declares the credential `session`. */
export const sessionOf = (ctx: Ctx): SessionPrincipal => {
  if (ctx.principal.kind !== 'session') throw new Error(`A ${ctx.principal.kind} principal has no session`)
  return ctx.principal
}

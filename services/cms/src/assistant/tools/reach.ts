import type { Role } from '@stoa/cms-model/permissions.ts'
import type { CmsTx, Ctx } from '../../context.ts'
import type { Route } from '../../people/access/access.ts'
import { callRoute, type Json } from '../../people/call-route/call-route.ts'
import type { SessionPrincipal } from '../../principal.ts'
import type { Reach, Rehearsal } from './tool.ts'

/** Which versions the model has read in a conversation, by `kind/id`. */
export type Versions = Map<string, number>

/** What the tools of one person's conversation can do, at this moment. */
export const createReach = (ctx: Ctx<SessionPrincipal>, routes: readonly Route[], read: Versions): Reach => ({
  ctx,
  call: (route) => callRoute(ctx, routes, route),
  rehearse: (route, { role, next }: Rehearsal = {}) =>
    rehearse(role ? withRole(ctx, role) : ctx, async (rehearsing) => {
      const answer = await callRoute(rehearsing, routes, route)
      if (next) await callRoute(rehearsing, routes, next(answer))
      return answer
    }),
  versionRead: (kind, id) => read.get(`${kind}/${id}`) ?? null,
  wasRead: (kind, id, version) => void read.set(`${kind}/${id}`, version),
})

const withRole = (ctx: Ctx<SessionPrincipal>, role: Role): Ctx<SessionPrincipal> => ({
  ...ctx,
  principal: { ...ctx.principal, account: { ...ctx.principal.account, role } },
})

/** Takes back what the operation has written, and carries its answer out. */
class TakenBack extends Error {
  readonly answer: Json | undefined

  constructor(answer: Json | undefined) {
    super('a rehearsal is taken back')
    this.answer = answer
  }
}

/**
 * Does an operation up to its commit, and answers what it would have answered: the rules that refuse a write are those of
 * the write itself. All of it is one transaction, so that it reads what it wrote; events and jobs belong to it, so that
 * no listener is notified.
 */
const rehearse = async (
  ctx: Ctx<SessionPrincipal>,
  operate: (ctx: Ctx<SessionPrincipal>) => Promise<Json | undefined>,
): Promise<Json | undefined> => {
  const log = ctx.log.child({ rehearsal: true })
  try {
    return await ctx.tx(async (opened: CmsTx): Promise<never> => {
      throw new TakenBack(await operate({ ...ctx, log, db: opened, tx: (write) => write(opened) }))
    })
  } catch (error) {
    if (error instanceof TakenBack) return error.answer
    throw error
  }
}

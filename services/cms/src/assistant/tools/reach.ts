import type { CmsTx, Ctx } from '../../context.ts'
import type { Route } from '../../people/access/access.ts'
import { callRoute, type Json } from '../../people/call-route/call-route.ts'
import type { SessionPrincipal } from '../../principal.ts'
import type { Reach } from './tool.ts'

/** Which versions the model has read in a conversation, by `kind/id`. */
export type Versions = Map<string, number>

/** What the tools of one person's conversation can do, at this moment. */
export const createReach = (ctx: Ctx<SessionPrincipal>, routes: readonly Route[], read: Versions): Reach => ({
  ctx,
  call: (route) => callRoute(ctx, routes, route),
  rehearse: (route) => rehearse(ctx, (rehearsing) => callRoute(rehearsing, routes, route)),
  versionRead: (kind, id) => read.get(`${kind}/${id}`) ?? null,
  wasRead: (kind, id, version) => void read.set(`${kind}/${id}`, version),
})

/** Takes back what the operation has written, and carries its answer out. */
class TakenBack extends Error {
  readonly answer: unknown

  constructor(answer: unknown) {
    super('a rehearsal is taken back')
    this.answer = answer
  }
}

/**
 * Does an operation up to its commit, and answers what it would have answered: the rules that refuse a write are those of
 * the write itself. Events and jobs belong to the transaction, so that nobody hears of it.
 */
const rehearse = async (
  ctx: Ctx<SessionPrincipal>,
  operate: (ctx: Ctx<SessionPrincipal>) => Promise<Json | undefined>,
): Promise<Json | undefined> => {
  const tx: Ctx['tx'] = async (write) => {
    try {
      return await ctx.tx(async (opened: CmsTx) => {
        throw new TakenBack(await write(opened))
      })
    } catch (error) {
      if (error instanceof TakenBack) return error.answer as Awaited<ReturnType<typeof write>>
      throw error
    }
  }
  return operate({ ...ctx, tx })
}

import assert from 'node:assert/strict'
import type { CmsService, Person } from '@stoa/tests/lib/cms.ts'
import { contextFor } from '../../../context.ts'
import type { Json } from '../../../people/call-route/call-route.ts'
import type { Account } from '../../../principal.ts'
import { createReach, type Reach, runTool, type ToolRun } from '../tools.ts'

/** The reach of a person's conversation, and which versions were read in it. */
export type PersonReach = Reach & {
  readonly versions: Map<string, number>
  run(name: string, args?: Json): Promise<ToolRun>
  /** The result of a call that must work. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  read(name: string, args?: Json): Promise<any>
}

export const reachOf = ({ cms, clock }: CmsService, { id, email, role, sessionId }: Person): PersonReach => {
  const at = clock.now()
  const account: Account = {
    id,
    email,
    role,
    name: email,
    avatar: null,
    hasTotp: false,
    version: 1,
    createdAt: at,
    updatedAt: at,
  }
  const versions = new Map<string, number>()
  const ctx = contextFor(cms.services, { kind: 'session', sessionId, account } as const)
  const reach = createReach(ctx, ctx.routes(), versions)
  const run: PersonReach['run'] = (name, args = {}) => runTool(reach, { name, args })
  return {
    ...reach,
    versions,
    run,
    async read(name, args) {
      const answer = await run(name, args)
      assert.equal(answer.state, 'ok', answer.content)
      return JSON.parse(answer.content)
    },
  }
}

import { proposal, proposalList } from '@stoa/cms-model/assistant.ts'
import { z } from 'zod'
import type { Ctx } from '../../context.ts'
import { needs, type Route, route } from '../../people/access/access.ts'
import { type SessionPrincipal, sessionOf } from '../../principal.ts'
import { dismissProposal, getProposal, listProposals } from './proposals.ts'

/** For people only, and for those whose conversation it is. */
const BY_PEOPLE = { auth: ['session'], access: needs('content.read') } as const

const params = z.object({ id: z.uuid() })
const query = z.strictObject({ status: z.enum(['open']).optional() })

const personal = (ctx: Ctx): Ctx<SessionPrincipal> => ({ ...ctx, principal: sessionOf(ctx) })

export const proposalRoutes: readonly Route[] = [
  route({
    ...BY_PEOPLE,
    method: 'GET',
    path: '/api/assistant/proposals',
    summary:
      'List changes that the assistant proposed to you, newest first; open: only those that wait for your decision',
    query,
    output: proposalList,
    run: (ctx, { query: { status } }) => listProposals(personal(ctx), { open: status === 'open' }),
  }),
  route({
    ...BY_PEOPLE,
    method: 'GET',
    path: '/api/assistant/proposals/:id',
    summary: 'Read a proposal, compared with the current records',
    params,
    output: proposal,
    run: (ctx, { params: { id } }) => getProposal(personal(ctx), id),
  }),
  route({
    ...BY_PEOPLE,
    method: 'POST',
    path: '/api/assistant/proposals/:id/dismiss',
    summary: 'Dismiss a proposal',
    params,
    output: 'empty',
    run: async (ctx, { params: { id } }) => {
      await dismissProposal(personal(ctx), id)
      return undefined
    },
  }),
]
